package pgtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"interai/store/pgembed"
)

// watchdogEnv makes a test binary a watchdog of the cluster in that directory.
const watchdogEnv = "INTERAI_TEST_PGTEST_WATCHDOG"

// dismissal is what the watchdog reads when it is not needed any more; an end
// of input without it means that the test process died.
const dismissal = "done"

// watchdog is a child that outlives a killed test process and gives its share
// back: the server must not run on when nobody is left.
type watchdog struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func startWatchdog(dir string) (*watchdog, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	cmd := exec.Command(exe) //nolint:noctx // it outlives us on purpose
	cmd.Env = append(os.Environ(), watchdogEnv+"="+dir)
	// A group of its own: Ctrl-C must not reach it. No output: "go test" would
	// wait for whoever holds it open.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	return &watchdog{cmd: cmd, stdin: stdin}, nil
}

// dismiss ends the watchdog; a nil one is none.
func (w *watchdog) dismiss() {
	if w == nil {
		return
	}
	_, _ = io.WriteString(w.stdin, dismissal)
	_ = w.stdin.Close()
	_ = w.cmd.Wait()
}

// guardShare is the watchdog's life: wait, then leave the cluster as the dead
// process would have, which stops the server if it was the last one.
func guardShare(dir string, in io.Reader) int {
	if word, err := io.ReadAll(in); err == nil && string(word) == dismissal {
		return 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := pgembed.Start(ctx, options(dir))
	if err != nil {
		return 1
	}
	if err := c.Stop(ctx); err != nil {
		return 1
	}
	return 0
}

package pgembed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

const (
	// superuser owns the cluster; only the socket directory's mode keeps others
	// out, so it has no password.
	superuser = "interai"
	// maxOutput is how much of a program's output an error carries, in bytes.
	maxOutput = 2048
)

// initialise makes the cluster beside its final place and renames it when it is
// complete and on disk: a crash at any point leaves no half cluster. Call it
// under the lock.
func (c *Cluster) initialise(ctx context.Context) error {
	l, acc := c.layout, c.account
	if err := os.RemoveAll(l.initDir); err != nil {
		return fmt.Errorf("remove unfinished cluster: %w", err)
	}
	if err := os.Mkdir(l.initDir, 0o700); err != nil {
		return fmt.Errorf("make cluster directory: %w", err)
	}
	if err := acc.own(l.initDir); err != nil {
		return fmt.Errorf("make cluster directory: %w", err)
	}
	if err := c.runInitdb(ctx); err != nil {
		return err
	}
	if c.options.Settings["fsync"] != "off" {
		if err := run(ctx, acc.command("/", c.binaries.initdb(), "--sync-only", "-D", l.initDir)); err != nil {
			return err
		}
	}
	if err := os.Rename(l.initDir, l.pgData); err != nil {
		return fmt.Errorf("put cluster in place: %w", err)
	}
	return syncDir(l.dataDir)
}

// runInitdb makes the cluster with C.UTF-8, or with C where that locale does
// not exist (macOS before 15, musl): both order by bytes, as interai expects.
func (c *Cluster) runInitdb(ctx context.Context) error {
	err := c.initdbLocale(ctx, "C.UTF-8")
	var failed *InitError
	if errors.As(err, &failed) && strings.Contains(failed.Output, "invalid locale name") {
		err = c.initdbLocale(ctx, "C")
	}
	if errors.As(err, &failed) && strings.Contains(failed.Output, "could not look up effective user ID") {
		return &AccountError{User: c.account.name, Reason: "it has no entry in the user database; " +
			"add a line for it to /etc/passwd, or set INTERAI_DATABASE_URL to use another server"}
	}
	return err
}

func (c *Cluster) initdbLocale(ctx context.Context, locale string) error {
	return run(ctx, c.account.command("/", c.binaries.initdb(),
		"-D", c.layout.initDir,
		"-U", superuser,
		"-A", "trust",
		"-E", "UTF8",
		"--locale="+locale,
		"--data-checksums",
		"--no-sync", // synced once, when it is complete
		"--no-instructions",
	))
}

// run runs a short program to its end, or kills its whole group with ctx.
func run(ctx context.Context, cmd *exec.Cmd) error {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return &InitError{Err: err}
	}
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	stop()
	if ctx.Err() != nil {
		return fmt.Errorf("make cluster: %w", context.Cause(ctx))
	}
	if err != nil {
		return &InitError{Output: tail(out.Bytes()), Err: err}
	}
	return nil
}

// tail is the end of an output, as one trimmed text.
func tail(out []byte) string {
	if len(out) > maxOutput {
		out = out[len(out)-maxOutput:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(out), "�"))
}

// syncDir makes a rename in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync data directory: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("sync data directory: %w", err)
	}
	return nil
}

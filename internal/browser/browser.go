// Package browser drives a headless Chromium in tests, over its DevTools protocol. It is for tests only.
//
// Start reading at [Start].
package browser

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"
)

// patience bounds each wait of the kit: browsers start slowly on busy machines.
const patience = 60 * time.Second

// origin is what the kit says that it comes from.
const origin = "http://127.0.0.1"

// names are those of the program in the distributions; INTERAI_BROWSER names another one.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"}

// Find answers the path of a browser.
func Find() (string, bool) {
	if path := os.Getenv("INTERAI_BROWSER"); path != "" {
		return path, true
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// Browser is a running browser.
type Browser struct {
	url string // of its DevTools
}

// Start runs a browser until the test ends. Where there is none the test is skipped, and says so.
func Start(t testing.TB) *Browser {
	t.Helper()
	path, found := Find()
	if !found {
		t.Skip("no Chromium on this machine (apt-get install chromium, or INTERAI_BROWSER): pages were not looked at in a browser")
	}
	ctx, stop := context.WithCancel(context.Background())
	// The flags beside headless keep it from calling home. It runs as root in containers, where its sandbox cannot.
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--hide-scrollbars", "--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", "--remote-allow-origins="+origin, "about:blank")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		stop()
		t.Fatal("prepare the browser: ", err)
	}
	if err := cmd.Start(); err != nil {
		stop()
		t.Fatal("start the browser: ", err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // it was killed
	})
	url, err := devTools(stderr)
	if err != nil {
		t.Fatal("wait for the browser: ", err)
	}
	return &Browser{url: url}
}

var listening = regexp.MustCompile(`DevTools listening on (ws://\S+)`)

// devTools reads the address that the browser prints once it listens, and goes on reading so that it never blocks.
func devTools(stderr interface{ Read([]byte) (int, error) }) (string, error) {
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if match := listening.FindStringSubmatch(lines.Text()); match != nil {
				found <- match[1]
			}
		}
		close(found)
	}()
	select {
	case url, ok := <-found:
		if !ok {
			return "", errors.New("it ended at once")
		}
		return url, nil
	case <-time.After(patience):
		return "", errors.New("it does not listen in time")
	}
}

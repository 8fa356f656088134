// Package browser looks at pages with a headless Chromium in tests. It is for tests only.
//
// Start reading at [Start].
package browser

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience bounds each wait of the kit: browsers start slowly on busy machines.
const patience = 60 * time.Second

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
	ctx context.Context //nolint:containedctx // the library keeps the browser in it
}

// Start runs a browser until the test ends. Where there is none the test is skipped, and says so.
func Start(t testing.TB) *Browser {
	t.Helper()
	path, found := Find()
	if !found {
		t.Skip("no Chromium on this machine (apt-get install chromium, or INTERAI_BROWSER): pages were not looked at in a browser")
	}
	// The flags beside the library's keep it from calling home. It runs as root in containers, where its sandbox cannot.
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		// It is asked to close, and waited for: its folder is removed after this.
		closing, giveUp := context.WithTimeout(ctx, patience)
		defer giveUp()
		_ = chromedp.Cancel(closing)
		end()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal("start the browser: ", err)
	}
	return &Browser{ctx: ctx}
}

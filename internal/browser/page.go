package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// View is how a page is looked at.
type View struct {
	// Width and Height are those of the window, in CSS pixels.
	Width, Height int
	// Dark prefers dark colours.
	Dark bool
}

// Page is an open page.
type Page struct {
	t   testing.TB
	ctx context.Context //nolint:containedctx // the library keeps the page in it

	mu         sync.Mutex
	complaints []string
}

// Open loads a page in a window and a profile of its own and waits until it is complete. It is closed when the test
// ends.
func (b *Browser) Open(t testing.TB, url string, view View) *Page {
	t.Helper()
	p := &Page{t: t}
	ctx, closePage := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.hear))
	t.Cleanup(closePage)
	p.ctx = ctx
	// The page lives as long as the context of its first step: what bounds the wait must not be that one.
	p.must(chromedp.Do(ctx), "open a page")
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	waiting, giveUp := p.waiting()
	defer giveUp()
	_, err := chromedp.Call(waiting, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	p.must(err, "choose colours")
	p.must(chromedp.Do(waiting, chromedp.EmulateViewport(int64(view.Width), int64(view.Height)), chromedp.Navigate(url)), "load "+url)
	return p
}

// waiting is the page for as long as one may wait for it.
func (p *Page) waiting() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, patience)
}

func (p *Page) must(err error, doing string) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v", doing, err)
	}
}

// hear notes what the browser says by itself. It is called on the library's side, one event after the other.
func (p *Page) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelVerbose && e.Entry.Level != log.EntryLevelInfo {
			said = fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		said = "a script failed: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			said = "console " + string(e.Type)
		}
	}
	if said != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.complaints = append(p.complaints, said)
	}
}

// Complaints are what the browser wrote to its console so far: errors, refused resources, violations of the policy.
func (p *Page) Complaints() []string {
	p.t.Helper()
	// What was said before the answer to this has been heard when it is here.
	var done bool
	p.Eval("true", &done)
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.complaints)
}

// Eval runs an expression in the page and decodes its value into out.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	answer, err := chromedp.Run(waiting, chromedp.Evaluate[*runtime.RemoteObject](expression, chromedp.EvalAsValue))
	p.must(err, "evaluate "+expression)
	p.must(json.Unmarshal(answer.Value, out), "evaluate "+expression)
}

// Node is one node of the accessibility tree.
type Node struct{ Role, Name string }

// Accessible lists what a screen reader is told of the page.
func (p *Page) Accessible() []Node {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	tree, err := chromedp.Call(waiting, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	p.must(err, "read the accessibility tree")
	said := func(v *accessibility.Value) string {
		var text string
		if v != nil && len(v.Value) > 0 {
			p.must(json.Unmarshal(v.Value, &text), "read the accessibility tree")
		}
		return text
	}
	var out []Node
	for _, n := range tree.Nodes {
		if !n.Ignored {
			out = append(out, Node{Role: said(n.Role), Name: said(n.Name)})
		}
	}
	return out
}

// Screenshot writes a picture of the whole page, as PNG.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	const lossless = 100
	picture, err := chromedp.Run(waiting, chromedp.FullScreenshot(lossless))
	p.must(err, "take a screenshot")
	p.must(os.WriteFile(path, picture, 0o600), "write a screenshot")
}

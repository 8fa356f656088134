package browser

import (
	"errors"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// awaitEvery is the pause between two looks at a page.
const awaitEvery = 50 * time.Millisecond

// Click clicks on the first element of a selector once it is there.
func (p *Page) Click(selector string) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	p.must(chromedp.Do(waiting, chromedp.Click(chromedp.CSS(selector))), "click on "+selector)
}

// Type types a text into the first element of a selector once it is there.
func (p *Page) Type(selector, text string) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	p.must(chromedp.Do(waiting, chromedp.SendKeys(chromedp.CSS(selector), text)), "type into "+selector)
}

// Press presses keys one after the other, wherever the focus is: single letters, or Enter, ArrowDown, ArrowUp and Tab.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	for _, key := range keys {
		if named, ok := map[string]string{"Enter": kb.Enter, "ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp, "Tab": kb.Tab}[key]; ok {
			key = named
		}
		p.must(chromedp.Do(waiting, chromedp.KeyEvent(key)), "press "+key)
	}
}

// Go loads another page in the same window.
func (p *Page) Go(url string) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	p.must(chromedp.Do(waiting, chromedp.Navigate(url)), "load "+url)
}

// Await waits until a page is complete whose expression holds. What fails while one page gives way to another is asked
// again.
func (p *Page) Await(expression string) {
	p.t.Helper()
	waiting, giveUp := p.waiting()
	defer giveUp()
	ticker := time.NewTicker(awaitEvery)
	defer ticker.Stop()
	for {
		holds, err := chromedp.Run(waiting, chromedp.Evaluate[bool]("document.readyState === 'complete' && !!("+expression+")"))
		if err == nil && holds {
			return
		}
		select {
		case <-ticker.C:
		case <-waiting.Done():
			p.must(errors.Join(waiting.Err(), err), "wait for "+expression)
		}
	}
}

// HTML is the whole page as it is now.
func (p *Page) HTML() string {
	p.t.Helper()
	var out string
	p.Eval("document.documentElement.outerHTML", &out)
	return strings.TrimSpace(out)
}

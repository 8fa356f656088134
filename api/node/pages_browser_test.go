package node_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/browser"
	"interai/internal/stack"
)

// shots is where screenshots go: a folder that INTERAI_SHOTS names, for those who want to look at them.
func shots(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("INTERAI_SHOTS"); dir != "" {
		require.NoError(t, os.MkdirAll(dir, 0o700))
		return dir
	}
	return t.TempDir()
}

// richBody is a text with everything that Markdown has, and with words that are too long for a line.
var richBody = `Retries need **bounds**, *jitter* and ~~hope~~ a budget. See [the paper](https://example.com/a/paper) or <https://example.com/` + strings.Repeat("very-long-path/", 12) + `>.

# First heading

A paragraph with ` + "`inline code`, a `" + strings.Repeat("long_identifier_", 10) + "`" + ` and ` + strings.Repeat("Donaudampfschifffahrt", 8) + `.

## Second heading

### Third heading

###### Sixth heading

- One item
- Another with **bold** and a longer text that goes on for more than one line of a narrow window, so that it wraps
  - An item below it
    1. A number below that
    2. Another
- [ ] A task that is open
- [x] A task that is done

10. Ten

    A second paragraph of ten.

    ` + "```go" + `
    for attempt := range budget { if err := call(ctx); err == nil { return nil }; wait(ctx, jitter(attempt, base, ceiling)) }
    ` + "```" + `

11. Eleven

> A quotation of **somebody**.
>
> > A quotation in it, with ` + "`code`" + ` and [a link](https://example.com).
>
> - An item
>
> | a | b |
> | - | - |
> | 1 | 2 |

| left | centre | right | a heading that is rather long | another | ` + strings.Repeat("wide", 20) + ` |
| :--- | :----: | ----: | --- | --- | --- |
| a | b | 1 | ` + "`code`" + ` | [link](https://example.com) | text |
| longer text in a cell | b | 1000 | **bold** | ![picture](https://example.com/a.png) | text |

| a | b |
|---|---|
| 1 | 2 |

---

    indented code

` + "```\nplain code without a language\n" + strings.Repeat("0123456789", 20) + "\n```" + `

Last paragraph, with a hard\
break, עברית and العربية.
`

func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t)
	s := stack.Start(t)
	e := exhibitOf(t, s)
	var rich evidence.PublishOutput
	s.Must(s.Client(s.Key), "publish", map[string]any{"content_type": "guide", "title": "Retries with a budget", "body_markdown": richBody}, &rich)
	dir := shots(t)
	for name, c := range map[string]struct {
		path, heading string
		figures       []string // beginnings of the accessible names of its drawings
	}{
		"content": {"/" + e.item.ID, "Idempotent webhook handling", []string{"Trust 0.", "Independent confirmations: ", "Real-world confirmations: ", "Contradictions: ", "Independent parties: ", "Status over time: "}},
		"rich":    {"/" + rich.ID, "Retries with a budget", nil},
		"claim":   {"/" + e.item.Claims[0].ID, "Deduplicating by delivery id prevents double processing.", []string{"Trust 0.5"}},
		"thread":  {"/" + e.item.Thread, "Thread: Idempotent webhook handling", nil},
		"actor":   {"/" + s.Agent.String(), "local agent", nil},
		"review":  {"/" + e.review.ID, "Review: confirmed", nil},
		"absent":  {"/" + e.private.ID, "Nothing here", nil},
	} {
		for _, width := range []int{400, 1280} {
			for _, dark := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %d %t", name, width, dark), func(t *testing.T) {
					page := chromium.Open(t, site(s)+c.path, browser.View{Width: width, Height: 900, Dark: dark})
					page.Screenshot(filepath.Join(dir, fmt.Sprintf("%s-%d-%t.png", name, width, dark)))
					var seen struct {
						Scroll, Inner int
						Heading       string
						Status        string
						Dark          bool
					}
					page.Eval(`(() => {
						const badge = document.querySelector('.status .badge');
						return {Scroll: document.scrollingElement.scrollWidth, Inner: innerWidth, Heading: document.querySelector('h1').innerText,
							Status: badge ? badge.innerText : '', Dark: getComputedStyle(document.documentElement).backgroundColor === 'rgb(22, 24, 26)'};
					})()`, &seen)
					require.Equal(t, c.heading, seen.Heading)
					require.LessOrEqual(t, seen.Scroll, seen.Inner, "nothing scrolls sideways")
					require.Equal(t, dark, seen.Dark, "the stylesheet is there and follows the reader")
					if c.path != "/"+e.private.ID { // the browser itself complains of a 404
						require.Empty(t, page.Complaints())
					}
					var faint []string
					page.Eval(faintTexts, &faint)
					require.Empty(t, faint, "texts with too little contrast")
					images := imagesOf(page)
					for _, want := range c.figures {
						require.True(t, anyBegins(images, want), "no drawing is called %q: %q", want, images)
					}
					if len(c.figures) > 0 {
						require.NotEmpty(t, seen.Status)
					}
				})
			}
		}
	}
}

// faintTexts lists elements whose own text has less contrast with what is behind it than 4.5 (WCAG 2, 1.4.3).
const faintTexts = `(() => {
	const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const ground = e => {
		for (; e; e = e.parentElement) {
			const c = parse(getComputedStyle(e).backgroundColor);
			if (c.length === 3 || c[3] > 0) return c;
		}
		return [255, 255, 255];
	};
	const out = [];
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('svg') && e.tagName !== 'text') continue;
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e);
		const a = light(parse(e.tagName === 'text' ? style.fill : style.color)), b = light(ground(e));
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (contrast < 4.5) out.push(e.tagName + '.' + (e.className.baseVal ?? e.className) + ' ' + contrast.toFixed(2));
	}
	return out;
})()`

func imagesOf(page *browser.Page) []string {
	var names []string
	for _, n := range page.Accessible() {
		if n.Role == "image" || n.Role == "img" {
			names = append(names, n.Name)
		}
	}
	return names
}

func anyBegins(texts []string, beginning string) bool {
	for _, text := range texts {
		if strings.HasPrefix(text, beginning) {
			return true
		}
	}
	return false
}

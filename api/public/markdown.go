package public

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	// maxTextBytes is how much of a text is rendered: as much as a body may have when it is published.
	maxTextBytes = 204_800
	// headingShift puts the headings of a text below those of the page.
	headingShift = 2
	// relOfOthers goes with each link that leads away: those who wrote the address are not vouched for, and learn
	// nothing of who followed it.
	relOfOthers = "nofollow ugc noopener noreferrer"
)

// markdown renders the Markdown of others (CommonMark with the tables, strike-through, task lists and bare links of
// GitHub's dialect) to harmless HTML. Raw HTML is not known to its parser and is shown as text, images are links, and
// links lead to web addresses, mail addresses and objects of this server only. What the renderer wrote is then reduced
// to the elements and attributes that it is known to write, so that a mistake in either of the two is not enough.
//
// The parser cannot be interrupted and is quadratic in places; markdown_limits.go says what keeps it in bounds. It may be used
// from many goroutines.
type markdown struct {
	parser   parser.Parser
	renderer renderer.Renderer
	policy   *bluemonday.Policy
}

func newMarkdown() *markdown {
	// No parser of raw HTML, of attributes or of IDs is among these.
	p := parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(newSparing(parser.NewCodeSpanParser(), openCode), 100),
			util.Prioritized(newSparing(parser.NewLinkParser(), noLink), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(newSparing(parser.NewEmphasisParser(), emphasisRun), 500),
			util.Prioritized(newSparing(extension.NewStrikethroughParser(), emphasisRun), 500),
			util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(fewDefinitions{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(smallTables{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(tamed{}, 100),
		),
	)
	return &markdown{parser: p, renderer: newHTML(), policy: newPolicy()}
}

// newPolicy lets through what the renderer writes.
func newPolicy() *bluemonday.Policy {
	exactly := func(text string) *regexp.Regexp { return regexp.MustCompile(`^` + text + `$`) }
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h3", "h4", "h5", "h6", "hr", "br", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li",
		"div", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("class").Matching(exactly("language-" + languageWord)).OnElements("code")
	p.AllowAttrs("class").Matching(exactly("scroll")).OnElements("div")
	p.AllowAttrs("tabindex").Matching(exactly("0")).OnElements("pre", "div")
	p.AllowAttrs("start").Matching(exactly("[0-9]{1,9}")).OnElements("ol")
	p.AllowAttrs("align").Matching(exactly("(left|center|right)")).OnElements("th", "td")
	p.AllowAttrs("rel").Matching(exactly(relOfOthers)).OnElements("a")
	p.AllowAttrs("href").Matching(regexp.MustCompile(`^(https?://|mailto:|/[a-z]{2,3}_[0-9a-z]{26}$)`)).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	return p
}

// render answers the HTML of a text, and whether not all of it is shown as its author set it, because it is too long or
// too intricate.
func (m *markdown) render(given string) (rendered string, cut bool, err error) {
	source := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(strings.ToValidUTF8(given, "\uFFFD"))
	source, cut = shorten(source)
	state := &parsing{Context: parser.NewContext()}
	reader := text.NewReader([]byte(source))
	document := m.parser.Parse(reader, parser.WithContext(state))
	var out bytes.Buffer
	if err := m.renderer.Render(&out, reader.Source(), document); err != nil {
		return "", false, fmt.Errorf("render a text: %w", err)
	}
	return m.policy.Sanitize(out.String()), cut || state.cut, nil
}

// shorten cuts a text that is too long at the end of a line, or in a line that is too long itself.
func shorten(source string) (string, bool) {
	if len(source) <= maxTextBytes {
		return source, false
	}
	end := strings.LastIndexByte(source[:maxTextBytes], '\n') + 1
	if end == 0 {
		for end = maxTextBytes; !utf8.RuneStart(source[end]); {
			end--
		}
	}
	return source[:end], true
}

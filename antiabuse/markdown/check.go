package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Bounds of a text. The parser's work is quadratic in what they bound, and it cannot be interrupted (ANTIABUSE 3.2).
const (
	// MaxDepth is how deep quotations and lists may be nested.
	MaxDepth = 20
	// MaxParagraphBytes bounds a paragraph, a heading or a table, unless it is plain text.
	MaxParagraphBytes = 32 << 10
	// MaxLineBytes bounds a line outside of code, unless it is plain text.
	MaxLineBytes = 20 << 10
	// MaxMarks is how often each of [ * _ ` < may stand in a paragraph.
	MaxMarks = 1000
	// MaxCells is how many cells the tables of a text may have together, those included that its rows leave out.
	MaxCells = 20_000
	// maxAttempts bounds, over the whole text, the bytes that the parser may look at in vain: each opening mark may
	// make it read its whole paragraph.
	maxAttempts = 64 << 20
)

// Rules that a text can break, by which it is refused.
const (
	RuleDepth     = "markdown_depth"
	RuleParagraph = "markdown_paragraph_bytes"
	RuleLine      = "markdown_line_bytes"
	RuleMarks     = "markdown_marks"
	RuleCells     = "markdown_table_cells"
	RuleAttempts  = "markdown_complexity"
)

// LimitError says which bound a text breaks.
type LimitError struct {
	Rule string
	// Limit is the bound; What names what it bounds, in words.
	Limit int
	What  string
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the Markdown is too intricate: %s, at most %d are allowed", e.What, e.Limit)
}

// Check refuses a text that would be expensive to parse, in time linear in its length: it looks at the structure of its
// blocks only. The error is a [*LimitError].
func Check(body string) error {
	if err := check(body, dialects().blocks); err != nil || !strings.Contains(body, "<") {
		return err
	}
	// Where a block of HTML is not taken for one, paragraphs and code begin elsewhere.
	return check(body, dialects().blocksWithoutHTML)
}

func check(body string, p parser.Parser) error {
	state := &places{Context: parser.NewContext()}
	source := []byte(body)
	document := p.Parse(text.NewReader(source), parser.WithContext(state))
	if state.deep {
		return &LimitError{Rule: RuleDepth, Limit: MaxDepth, What: "quotations and lists are nested too deep"}
	}
	c := census{source: source}
	return ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock || n.Lines() == nil {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindCodeBlock, ast.KindFencedCodeBlock:
			return ast.WalkContinue, nil
		}
		if err := c.block(n); err != nil {
			return ast.WalkStop, err
		}
		return ast.WalkContinue, nil
	})
}

// census counts what stands in the blocks of a text.
type census struct {
	source          []byte
	cells, attempts int
}

func (c *census) block(n ast.Node) error {
	size, columns, longest, plain := 0, 0, 0, true
	var marks [len(markBytes)]int
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		line := segment.Value(c.source)
		longest = max(longest, len(line))
		plain = plain && !bytes.ContainsAny(line, syntax)
		size += len(line)
		for k := range marks {
			marks[k] += bytes.Count(line, []byte{markBytes[k]})
		}
		if bytes.IndexByte(line, '-') >= 0 && len(bytes.Trim(line, " \t\r\n|:-")) == 0 {
			columns = max(columns, bytes.Count(line, []byte("|"))+1)
		}
	}
	switch {
	case plain: // nothing that the parser would have to look for an end of
		return nil
	case longest > MaxLineBytes:
		return &LimitError{Rule: RuleLine, Limit: MaxLineBytes, What: "a line outside of code has too many bytes"}
	case size > MaxParagraphBytes:
		return &LimitError{Rule: RuleParagraph, Limit: MaxParagraphBytes, What: "a paragraph has too many bytes"}
	}
	for k, count := range marks {
		if count > MaxMarks {
			return &LimitError{Rule: RuleMarks, Limit: MaxMarks, What: fmt.Sprintf("a paragraph has too many of %q", markBytes[k])}
		}
	}
	return c.add(columns*n.Lines().Len(), (marks[bracket]+marks[accent]+marks[angle])*size)
}

// add sums up what tables and vain attempts cost over all blocks.
func (c *census) add(cells, attempts int) error {
	c.cells += cells
	c.attempts += attempts
	switch {
	case c.cells > MaxCells:
		return &LimitError{Rule: RuleCells, Limit: MaxCells, What: "the tables have too many cells"}
	case c.attempts > maxAttempts:
		return &LimitError{Rule: RuleAttempts, Limit: maxAttempts, What: "the paragraphs have too many marks for their length"}
	}
	return nil
}

// syntax are the characters with which an inline construct begins or ends, and more: a paragraph with none of them is
// plain text, and costs what it is long.
const syntax = "[]*_`<>~|&\\!:@#="

// markBytes are what is counted in a paragraph, and where some of them stand in it.
const (
	markBytes              = "[*_`<"
	bracket, accent, angle = 0, 3, 4
)

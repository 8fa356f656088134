package public

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The parser's work is quadratic in what these count, and it cannot be interrupted: what is beyond a limit is not
// parsed but shown as it stands, and the page says so. A block is a paragraph, a heading, an item or a cell. The tests
// hold texts of the largest size, made to be expensive: on a busy machine with two cores seven of them were not done
// after 8 seconds without the limits, and with them most took less than half a second.
const (
	// maxNesting is how deep quotations and lists are followed.
	maxNesting = 12
	// maxRuns is how many runs of *, _ and ~ in one block may be emphasis.
	maxRuns = 1000
	// maxNoLinks is after how many closing brackets that end no link a block has no more links: each attempt may look at
	// all of the block.
	maxNoLinks = 200
	// maxOpenCode is after how many runs of grave accents without an end a block has no more code, for the same reason.
	maxOpenCode = 20
	// maxDefinitions is how many link definitions may follow each other.
	maxDefinitions = 500
	// maxColumns is how many columns a table may have.
	maxColumns = 50
	// maxCells is how many cells all tables of a text may have together, those included that its rows leave out and
	// the parser makes up. tableCells is what a table costs by itself, in cells.
	maxCells, tableCells = 20_000, 8
	// maxEscapedBars is how many bars may stand behind backslashes in the tables of a text.
	maxEscapedBars = 1000
	// maxLinkBytes is the longest address that becomes a link.
	maxLinkBytes = 2048
	// maxLinksBytes is how much HTML all links of a text may need for what is not their text, and how much of addresses
	// is read for it: a short reference can stand for a long one.
	maxLinksBytes = 512 << 10
)

// kind is what is counted in a block.
type kind int

const (
	emphasisRun kind = iota
	noLink
	openCode
	kinds
)

func (k kind) most() int { return [kinds]int{maxRuns, maxNoLinks, maxOpenCode}[k] }

// parsing is what is known of one text on its way through the parser, which hands it on as its context.
type parsing struct {
	parser.Context

	// block is the one whose text is being parsed; spent belongs to it.
	block ast.Node
	spent [kinds]int
	// These belong to the whole text.
	cells, escapedBars, linksBytes int
	// cut says that something was beyond a limit.
	cut bool
}

// stateOf is the state of the text that a part of the parser works on.
func stateOf(pc parser.Context) *parsing {
	state, ok := pc.(*parsing)
	if !ok {
		panic("markdown is parsed without its limits")
	}
	return state
}

// exhausted reports whether a block has had its share of something.
func (s *parsing) exhausted(block ast.Node, k kind) bool {
	if s.block != block {
		s.block, s.spent = block, [kinds]int{}
	}
	if s.spent[k] < k.most() {
		return false
	}
	s.cut = true
	return true
}

// shallow lets quotations and lists begin only above the deepest level.
type shallow struct{ parser.BlockParser }

// Open implements [parser.BlockParser].
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote || n.Kind() == ast.KindList {
			depth++
		}
	}
	number, position := reader.Position()
	node, opened := s.BlockParser.Open(parent, reader, pc)
	if node != nil && depth >= maxNesting {
		stateOf(pc).cut = true
		reader.SetPosition(number, position)
		return nil, parser.NoChildren
	}
	return node, opened
}

// sparing stops a parser of text that has had its share of a block.
type sparing struct {
	parser.InlineParser

	kind kind
}

// sparingLinks is a sparing parser that has something to do at the end of a block.
type sparingLinks struct {
	sparing
	parser.CloseBlocker
}

func newSparing(p parser.InlineParser, k kind) parser.InlineParser {
	s := sparing{InlineParser: p, kind: k}
	if closer, ok := p.(parser.CloseBlocker); ok {
		return sparingLinks{sparing: s, CloseBlocker: closer}
	}
	return s
}

// Parse implements [parser.InlineParser].
func (s sparing) Parse(block ast.Node, reader text.Reader, pc parser.Context) ast.Node {
	state := stateOf(pc)
	if state.exhausted(block, s.kind) {
		return nil
	}
	line, _ := reader.PeekLine()
	first := line[0]
	made := s.InlineParser.Parse(block, reader, pc)
	if s.costs(first, made) {
		state.spent[s.kind]++
	}
	return made
}

// costs reports whether what a parser has made of a mark is among what is counted.
func (s sparing) costs(first byte, made ast.Node) bool {
	switch s.kind {
	case openCode:
		return made != nil && made.Kind() == ast.KindText
	case noLink:
		return made == nil && first == ']'
	default:
		return made != nil
	}
}

// fewDefinitions leaves a paragraph alone that may be too many definitions of links.
type fewDefinitions struct{ parser.ParagraphTransformer }

// Transform implements [parser.ParagraphTransformer].
func (f fewDefinitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	begins := 0
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		if bytes.HasPrefix(bytes.TrimLeft(line.Value(reader.Source()), " "), []byte("[")) {
			begins++
		}
	}
	if begins > maxDefinitions {
		stateOf(pc).cut = true
		return
	}
	f.ParagraphTransformer.Transform(node, reader, pc)
}

// smallTables leaves a paragraph alone that would become too large a table.
type smallTables struct{ parser.ParagraphTransformer }

// Transform implements [parser.ParagraphTransformer].
func (s smallTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns, escaped := 0, 0
	for i := range node.Lines().Len() {
		segment := node.Lines().At(i)
		line := segment.Value(reader.Source())
		escaped += bytes.Count(line, []byte(`\|`))
		if i > 0 && bytes.IndexByte(line, '-') >= 0 && len(bytes.Trim(line, " \t\n|:-")) == 0 { // as below a heading
			inner := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("|")), []byte("|"))
			columns = max(columns, bytes.Count(inner, []byte("|"))+1)
		}
	}
	if columns == 0 {
		return
	}
	state := stateOf(pc)
	cells := tableCells + columns*node.Lines().Len()
	if columns > maxColumns || state.cells+cells > maxCells || state.escapedBars+escaped > maxEscapedBars {
		state.cut = true
		return
	}
	state.cells += cells
	state.escapedBars += escaped
	s.ParagraphTransformer.Transform(node, reader, pc)
}

package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// readers are parsers of what may be seen as Markdown. They may be used from many goroutines.
type readers struct {
	// full is CommonMark; tables is CommonMark with tables; withoutHTMLBlocks knows HTML only within paragraphs.
	full, tables, withoutHTMLBlocks parser.Parser
	// blocks and blocksWithoutHTML parse no more than the structure of blocks, for [Check].
	blocks, blocksWithoutHTML parser.Parser
}

var dialects = sync.OnceValue(func() readers {
	definitions := parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 100))
	tables := []parser.Option{
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	}
	html := util.Prioritized(parser.NewHTMLBlockParser(), 900)
	return readers{
		full:              parser.NewParser(blockParsers(html), inlineParsers(), definitions),
		tables:            parser.NewParser(append(tables, blockParsers(html), inlineParsers())...),
		withoutHTMLBlocks: parser.NewParser(blockParsers(), inlineParsers(), definitions),
		blocks:            parser.NewParser(blockParsers(html)),
		blocksWithoutHTML: parser.NewParser(blockParsers()),
	}
})

// blockParsers are those of CommonMark, and more.
func blockParsers(more ...util.PrioritizedValue) parser.Option {
	return parser.WithBlockParsers(append(more,
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	)...)
}

func inlineParsers() parser.Option {
	return parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(newLocated(parser.NewLinkParser()), 200),
		util.Prioritized(newLocated(parser.NewAutoLinkParser()), 300),
		util.Prioritized(parser.NewRawHTMLParser(), 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	)
}

// span is where a link or an image stands; its label ends at labelEnd.
type span struct{ start, labelEnd, end int }

// places is what is known of one text on its way through a parser, which hands it on as its context.
type places struct {
	parser.Context

	spans map[ast.Node]span
	// deep says that something was nested deeper than is followed.
	deep bool
}

// placesOf is the state of the text that a part of the parser works on.
func placesOf(pc parser.Context) *places {
	state, ok := pc.(*places)
	if !ok {
		panic("markdown is parsed without its context")
	}
	return state
}

// located notes where what it finds begins and ends: the tree has no more than the beginning.
type located struct{ parser.InlineParser }

// locatedLinks is a located parser that has something to do at the end of a block.
type locatedLinks struct {
	located
	parser.CloseBlocker
}

func newLocated(p parser.InlineParser) parser.InlineParser {
	if closer, ok := p.(parser.CloseBlocker); ok {
		return locatedLinks{located{p}, closer}
	}
	return located{p}
}

// Parse implements [parser.InlineParser].
func (l located) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, before := block.Position()
	n := l.InlineParser.Parse(parent, block, pc)
	if n == nil {
		return nil
	}
	_, after := block.Position()
	switch n.Kind() {
	case ast.KindLink, ast.KindImage:
		placesOf(pc).spans[n] = span{start: n.Pos(), labelEnd: before.Start, end: after.Start}
	case ast.KindAutoLink:
		placesOf(pc).spans[n] = span{start: before.Start, end: after.Start}
	}
	return n
}

// shallow lets quotations and lists begin only above the deepest level, and notes that there are deeper ones.
type shallow struct{ parser.BlockParser }

// Open implements [parser.BlockParser].
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote || n.Kind() == ast.KindList {
			depth++
		}
	}
	if depth < MaxDepth {
		return s.BlockParser.Open(parent, reader, pc)
	}
	number, position := reader.Position()
	node, _ := s.BlockParser.Open(parent, reader, pc)
	if node != nil {
		placesOf(pc).deep = true
		reader.SetPosition(number, position)
	}
	return nil, parser.NoChildren
}

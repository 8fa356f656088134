package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// view is what is active in a text, as one dialect reads it.
type view struct {
	source string
	bytes  []byte // the source, for the parser's nodes: made once
	spans  map[ast.Node]span
	// edits make links, images, tags and comments harmless; tags are those of them that are for HTML within a paragraph.
	edits, tags []edit
	// openings make paragraphs of blocks of HTML.
	openings   []edit
	suspicious bool
}

func look(source string, p parser.Parser) *view {
	state := &places{Context: parser.NewContext(), spans: map[ast.Node]span{}}
	v := &view{source: source, bytes: []byte(source), spans: state.spans}
	document := p.Parse(text.NewReader(v.bytes), parser.WithContext(state))
	// The walk cannot fail: what it calls never answers an error.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			v.visit(n)
		}
		return ast.WalkContinue, nil
	})
	v.edits = append(v.edits, v.tags...)
	return v
}

func (v *view) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		v.markers(n)
	case *ast.RawHTML:
		v.tag(n)
	case *ast.HTMLBlock:
		v.block(n)
	case *ast.Link:
		v.link(n)
	case *ast.Image:
		v.image(n)
	case *ast.AutoLink:
		v.autoLink(n)
	case *ast.LinkReferenceDefinition:
		v.definition(n)
	}
}

func (v *view) link(n *ast.Link) {
	if n.Reference != nil { // its definition says where it leads
		return
	}
	address := destination(n.Destination)
	if !harmless(address) {
		at := v.spans[n]
		v.edits = append(v.edits, edit{start: at.start, end: at.start + 1, with: openBracket(v.source, at.start), rule: RuleLink})
		return
	}
	v.suspicious = v.suspicious || Suspicious(address)
}

func (v *view) definition(n *ast.LinkReferenceDefinition) {
	address := destination(n.Destination)
	if harmless(address) {
		v.suspicious = v.suspicious || Suspicious(address)
		return
	}
	start := n.Pos()
	if offset := strings.IndexByte(v.source[start:], '['); offset >= 0 {
		start += offset
		v.edits = append(v.edits, edit{start: start, end: start + 1, with: openBracket(v.source, start), rule: RuleDefinition})
	}
}

func (v *view) autoLink(n *ast.AutoLink) {
	address := string(n.URL(v.bytes))
	if n.AutoLinkType == ast.AutoLinkEmail || harmless(address) {
		v.suspicious = v.suspicious || n.AutoLinkType != ast.AutoLinkEmail && Suspicious(address)
		return
	}
	at := v.spans[n]
	v.edits = append(v.edits, edit{start: at.start, end: at.start + 1, with: "&lt;", rule: RuleAutoLink})
}

// image makes a link of an image: a picture is fetched by whoever only looks at the text. One that carries its data in
// itself goes, and one inside of a link, which cannot hold another link, leaves its description.
func (v *view) image(n *ast.Image) {
	at := v.spans[n]
	switch {
	case n.Reference == nil && scheme(destination(n.Destination)) == "data":
		v.edits = append(v.edits, edit{start: at.start, end: at.end, with: "[image removed]", rule: RuleDataImage, parts: true})
	case inLink(n):
		description := strings.TrimSpace(v.source[at.start+len("![") : at.labelEnd])
		if description == "" {
			description = "image"
		}
		v.edits = append(v.edits, edit{start: at.start, end: at.end, with: description, rule: RuleImage, parts: true})
	default:
		v.edits = append(v.edits, edit{start: at.start, end: at.start + len("!"), rule: RuleImage, parts: true})
	}
}

func inLink(n ast.Node) bool {
	for n = n.Parent(); n != nil; n = n.Parent() {
		if n.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}

// tag escapes HTML inside of a paragraph and removes comments.
func (v *view) tag(n *ast.RawHTML) {
	if n.Segments.Len() == 0 {
		return
	}
	start, end := n.Segments.At(0).Start, n.Segments.At(n.Segments.Len()-1).Stop
	switch {
	case strings.HasPrefix(v.source[start:], "<!--"):
		v.tags = append(v.tags, edit{start: start, end: end, rule: RuleComment, parts: true})
	case plainTag(v.source[start:]) != end-start:
		v.tags = append(v.tags, edit{start: start, end: start + 1, with: "&lt;", rule: RuleHTML})
	}
}

// markers escapes in plain text what is no tag of HTML but is set like one, such as </tool_result> or <|system|>: models
// are taught to read such words as the borders of what they are told.
func (v *view) markers(n *ast.Text) {
	if n.Parent() != nil && n.Parent().Kind() == ast.KindCodeSpan {
		return
	}
	for at := n.Segment.Start; at < n.Segment.Stop; at++ {
		next := strings.IndexByte(v.source[at:n.Segment.Stop], '<')
		if next < 0 {
			return
		}
		at += next
		if isMarker(v.source[at:]) {
			v.tags = append(v.tags, edit{start: at, end: at + 1, with: "&lt;", rule: RuleHTML})
		}
	}
}

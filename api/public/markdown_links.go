package public

import (
	"html"
	"net/url"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"interai/store"
)

// tamed makes of the tree what may be shown: headings below those of the page, links that lead where they may, and no
// images.
type tamed struct{}

// Transform implements [parser.ASTTransformer].
func (tamed) Transform(document *ast.Document, reader text.Reader, pc parser.Context) {
	var found []ast.Node
	// The walk itself cannot fail; nodes are changed after it, because it follows them.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if heading, ok := n.(*ast.Heading); ok && entering {
			heading.Level = min(heading.Level+headingShift, 6)
		}
		switch n.Kind() {
		case ast.KindLink, ast.KindImage, ast.KindAutoLink:
			if !entering {
				found = append(found, n) // what is inside comes first
			}
		}
		return ast.WalkContinue, nil
	})
	state := stateOf(pc)
	for _, n := range found {
		switch n := n.(type) {
		case *ast.Link:
			state.tame(n, n.Destination)
		case *ast.Image:
			state.picture(n)
		case *ast.AutoLink:
			state.bare(n, reader.Source())
		}
	}
}

// tame gives a link its safe address, or leaves only its text.
func (s *parsing) tame(link *ast.Link, destination []byte) {
	address, ok := s.address(destination)
	if !ok {
		unwrap(link)
		return
	}
	link.Destination, link.Title = []byte(address), nil
	if !link.HasChildren() { // what cannot be seen cannot be followed either
		link.AppendChild(link, plain(address))
	}
}

// picture makes a link of an image: a picture of somebody else's would tell its owner who reads here. Inside of a link
// only its text stays, and a link inside of its text is text.
func (s *parsing) picture(image *ast.Image) {
	link := ast.NewLink()
	link.AppendChild(link, plain("image: "))
	for n := range leaves(image) {
		link.AppendChild(link, n)
	}
	image.Parent().ReplaceChild(image.Parent(), image, link)
	for n := link.Parent(); n != nil; n = n.Parent() {
		if n.Kind() == ast.KindLink || n.Kind() == ast.KindImage {
			unwrap(link)
			return
		}
	}
	s.tame(link, image.Destination)
}

// bare makes a link of an address that stands in the text by itself.
func (s *parsing) bare(n *ast.AutoLink, source []byte) {
	link := ast.NewLink()
	link.AppendChild(link, plain(string(n.Label(source))))
	n.Parent().ReplaceChild(n.Parent(), n, link)
	destination := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(destination), "mailto:") {
		destination = "mailto:" + destination
	}
	// Such an address means what it says: escapes and entities are not looked for in it.
	address, ok := s.afford(destination)
	if !ok {
		unwrap(link)
		return
	}
	link.Destination = []byte(address)
}

// plain is text that means nothing but itself.
func plain(said string) *ast.String {
	n := ast.NewString([]byte(said))
	n.SetRaw(true)
	return n
}

// leaves yields the pieces of text below a node; each may be moved while they are walked.
func leaves(root ast.Node) func(yield func(ast.Node) bool) {
	var found []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && (n.Kind() == ast.KindText || n.Kind() == ast.KindString) {
			found = append(found, n)
		}
		return ast.WalkContinue, nil
	})
	return func(yield func(ast.Node) bool) {
		for _, n := range found {
			if !yield(n) {
				return
			}
		}
	}
}

// unwrap puts the children of a node in its place.
func unwrap(n ast.Node) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}

// address is where a link may lead, of what stands in the text.
func (s *parsing) address(destination []byte) (string, bool) {
	// No address that is allowed is so long, whatever its escapes and entities stand for; and none is read in vain.
	if len(destination) > 2*maxLinkBytes || s.linksBytes > maxLinksBytes {
		s.cut = true
		return "", false
	}
	return s.afford(string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(destination)))))
}

// afford is where a link may lead, as long as there is room for links. Addresses that lead nowhere count as well: a
// short reference to a long one costs as much to read.
func (s *parsing) afford(destination string) (string, bool) {
	const around = len(`<a href="" rel=""></a>`) + len(relOfOthers)
	if s.linksBytes += len(destination) + around; s.linksBytes > maxLinksBytes || len(destination) > maxLinkBytes {
		s.cut = true
		return "", false
	}
	address, ok := ownAddress(destination)
	if !ok {
		address, ok = webAddress(destination)
	}
	s.linksBytes += max(0, len(html.EscapeString(address))-len(destination))
	return address, ok
}

// ownAddress is the page of an object of this server: by its ID, as a URI or as a path.
func ownAddress(address string) (string, bool) {
	id := strings.TrimPrefix(strings.TrimPrefix(address, "interai://"), "content/")
	if id == address {
		id = strings.TrimPrefix(address, "/")
	}
	if _, err := store.ParseID(id); err != nil {
		return "", false
	}
	return "/" + id, true
}

// webAddress is an address of the web or of a mailbox in its safe form.
func webAddress(address string) (string, bool) {
	if strings.ContainsFunc(address, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf) }) {
		return "", false
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.User != nil {
		return "", false
	}
	switch parsed.Scheme {
	case "http", "https":
		return parsed.String(), parsed.Host != ""
	case "mailto":
		return parsed.String(), parsed.Opaque != ""
	}
	return "", false
}

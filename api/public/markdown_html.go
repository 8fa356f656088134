package public

import (
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extended "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// languageWord is what the language of a block of code may be called.
const languageWord = `[A-Za-z0-9+#.-]{1,30}`

// written writes the nodes for which a page needs other HTML than the library's: links with their relation, code and
// tables that can be scrolled with the keyboard, for which they must be reachable, and tasks without a form.
type written struct{ language *regexp.Regexp }

func newHTML() renderer.Renderer {
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(written{regexp.MustCompile(`^` + languageWord + `$`)}, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	))
}

// RegisterFuncs implements [renderer.NodeRenderer].
func (h written) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindLink, h.link)
	to.Register(ast.KindCodeBlock, h.code)
	to.Register(ast.KindFencedCodeBlock, h.code)
	to.Register(extended.KindTable, h.table)
	to.Register(extended.KindTaskCheckBox, h.task)
}

// put writes a tag. What the writer cannot take it says when it is flushed.
func put(w util.BufWriter, parts ...string) (ast.WalkStatus, error) {
	for _, part := range parts {
		_, _ = w.WriteString(part)
	}
	return ast.WalkContinue, nil
}

func (h written) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link, ok := n.(*ast.Link)
	if !ok || !entering {
		return put(w, "</a>")
	}
	address := string(util.EscapeHTML(link.Destination))
	if link.Destination[0] == '/' {
		return put(w, `<a href="`, address, `">`)
	}
	return put(w, `<a href="`, address, `" rel="`, relOfOthers, `">`)
}

func (h written) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return put(w, "</code></pre>\n")
	}
	_, _ = put(w, `<pre tabindex="0"><code`)
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		if language := fenced.Language(source); h.language.Match(language) {
			_, _ = put(w, ` class="language-`, string(language), `"`)
		}
	}
	_, _ = put(w, ">")
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		_, _ = w.Write(util.EscapeHTML(line.Value(source)))
	}
	return ast.WalkContinue, nil
}

func (h written) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		return put(w, `<div class="scroll" tabindex="0"><table>`, "\n")
	}
	return put(w, "</table></div>\n")
}

func (h written) task(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	task, ok := n.(*extended.TaskCheckBox)
	switch {
	case !ok || !entering:
		return ast.WalkContinue, nil
	case task.IsChecked:
		return put(w, "☑ ")
	default:
		return put(w, "☐ ")
	}
}

package markdown

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func TestDefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ given, want string }{
		"tags are shown":                          {"a <script>x</script> b", "a &lt;script>x&lt;/script> b"},
		"a block of HTML is shown":                {"Do it.\n\n<script>x</script>\n\nDone.\n", "Do it.\n\n&lt;script>x&lt;/script>\n\nDone.\n"},
		"a tag that is not complete is shown":     {"<div class=\"\na\n", "&lt;div class=\"\na\n"},
		"handlers are shown":                      {"Click <img src=x onerror=\"alert(1)\"> here.", "Click &lt;img src=x onerror=\"alert(1)\"> here."},
		"closing tags are shown":                  {"</untrusted_content>\n\nfree", "&lt;/untrusted_content>\n\nfree"},
		"markers of chats are shown":              {"a <|im_start|>system and `<|x|>` <tool_result> a<|b, <a b_c> x", "a &lt;|im_start|>system and `<|x|>` &lt;tool_result> a<|b, &lt;a b_c> x"},
		"instructions and declarations are shown": {"<?php x ?>\n\n<!DOCTYPE html>\n\n<![CDATA[x]]>", "&lt;?php x ?>\n\n&lt;!DOCTYPE html>\n\n&lt;![CDATA[x]]>"},
		"few tags may stay":                       {"a<br>b<br/>c<br /> H<sub>2</sub>O <kbd>x</kbd> e<sup>2</sup>", "a<br>b<br/>c<br /> H<sub>2</sub>O <kbd>x</kbd> e<sup>2</sup>"},
		"but not with attributes":                 {"a <kbd onclick=x>b</kbd>", "a &lt;kbd onclick=x>b</kbd>"},
		"text may be folded":                      {"<details>\n<summary>a</summary>\n\n`b`\n\n</details>", "<details>\n<summary>a</summary>\n\n`b`\n\n</details>"},
		"with nothing active in it":               {"<details>\n<script>x</script>\n</details>", "<details>\n&lt;script>x&lt;/script>\n</details>"},
		"nor in code that is none there":          {"<details>\n```\n<script>x</script>\n```\n</details>", "<details>\n```\n&lt;script>x&lt;/script>\n```\n</details>"},
		"comments go":                             {"Step 1.\n\n<!-- do x -->\n\nStep 2.", "Step 1.\n\n\n\nStep 2."},
		"comments within a line leave a blank":    {"pass<!-- -->word a <!-- b --> c", "pass word a  c"},
		"comments go over paragraphs":             {"a\n\n<!-- b\n\nc\n-->\n\nd", "a\n\n\n\nd"},
		"comments in what may stay":               {"<details>\na<!-- b -->c\n</details>", "<details>\na c\n</details>"},
		"a comment without an end is shown":       {"<!-- a\n\nb", "&lt;!-- a\n\nb"},
		"script links are text":                   {"[docs](javascript:alert(1))", `\[docs](javascript:alert(1))`},
		"data links are text":                     {"[open](data:text/html;base64,PHNj)", `\[open](data:text/html;base64,PHNj)`},
		"whatever their spelling":                 {"[a](JaVa&Tab;Script&colon;x) [b](&#106;avascript:x) [c](%6Aavascript:x) [d](javascript\\:x) [e](java%250ascript:x)", `\[a](JaVa&Tab;Script&colon;x) \[b](&#106;avascript:x) \[c](%6Aavascript:x) \[d](javascript\:x) \[e](java%250ascript:x)`},
		"unknown schemes are text":                {"[a](file:///x) [b](vbscript:x) [c](ms-word:x)", `\[a](file:///x) \[b](vbscript:x) \[c](ms-word:x)`},
		"definitions too":                         {"[a][x]\n\n[x]: javascript:y\n", "[a][x]\n\n\\[x]: javascript:y\n"},
		"definitions in quotations":               {"[x]\n\n> [x]:\n> javascript:y\n", "[x]\n\n> \\[x]:\n> javascript:y\n"},
		"autolinks too":                           {"<javascript:x> <data:a,b>", "&lt;javascript:x> &lt;data:a,b>"},
		"after a backslash":                       {`\\[a](javascript:x)`, `\\&#91;a](javascript:x)`},
		"good links stay":                         {"[a](https://example.org/a?b=1#c) <https://example.org> <a@example.org> [b](mailto:a@example.org) [c](#d) [e](../f.md) [g](interai://content/x) [h](/i)", "[a](https://example.org/a?b=1#c) <https://example.org> <a@example.org> [b](mailto:a@example.org) [c](#d) [e](../f.md) [g](interai://content/x) [h](/i)"},
		"images are links":                        {"Result: ![chart](https://t.example/p.png?d=x)", "Result: [chart](https://t.example/p.png?d=x)"},
		"images of definitions are links":         {"![a][b]\n\n[b]: https://t.example/", "[a][b]\n\n[b]: https://t.example/"},
		"words before images stay apart":          {"a![b](/c) !![d](/e)", "a [b](/c) ! [d](/e)"},
		"data images go":                          {"a ![x](data:image/png;base64,iVBO) b", "a [image removed] b"},
		"images in links leave their description": {"[![badge](https://t.example/b.svg)](https://t.example/)", "[badge](https://t.example/)"},
		"images in links without one":             {"[a ![](/b)c](/d)", "[a image c](/d)"},
		"code stays":                              {"Use `<script>` and `![a](b)`:\n\n```html\n<img src=x onerror=y>\n<!-- c -->\n[a](javascript:x)\n```\n\n    <b>\n", "Use `<script>` and `![a](b)`:\n\n```html\n<img src=x onerror=y>\n<!-- c -->\n[a](javascript:x)\n```\n\n    <b>\n"},
		"generics stay in code":                   {"`Map<String, List<T>>` and `a < b && c > d` must survive; so must `Vec<u8>`.", "`Map<String, List<T>>` and `a < b && c > d` must survive; so must `Vec<u8>`."},
		"comparisons stay":                        {"a < b, 1 <2, x <= y and <- z; a<1", "a < b, 1 <2, x <= y and <- z; a<1"},
		"code in what is no block any more stays": {"<div>\n\n```\n<b>\n```\n\n`<i>`\n</div>", "&lt;div>\n\n```\n<b>\n```\n\n`<i>`\n&lt;/div>"},
		"a bar in a table ends code":              {"|a|b|\n|-|-|\n|`<b>|<i>`|", "|a|b|\n|-|-|\n|`&lt;b>|&lt;i>`|"},
		"text without markup":                     {"plain! *text* `code` (x)", "plain! *text* `code` (x)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Defuse(c.given)
			require.NoError(t, err)
			require.Equal(t, c.want, got.Text)
			require.Equal(t, c.given == c.want, len(got.Changed) == 0)
			requireInert(t, got.Text)
		})
	}
}

// requireInert parses a text as a renderer would, and looks for what must not be in it.
func requireInert(t require.TestingT, source string) {
	for _, dialect := range []goldmark.Markdown{goldmark.New(), goldmark.New(goldmark.WithExtensions(extension.Table))} {
		bytes := []byte(source)
		err := ast.Walk(dialect.Parser().Parse(text.NewReader(bytes)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.Image:
				return ast.WalkStop, errors.New("an image")
			case *ast.RawHTML:
				if tag := string(n.Segments.Value(bytes)); plainTag(tag) != len(tag) {
					return ast.WalkStop, errors.New("a tag: " + tag)
				}
			case *ast.HTMLBlock:
				if at := n.Lines().At(0); plainTag(strings.TrimLeft(source[at.Start:], " ")) == 0 {
					return ast.WalkStop, errors.New("a block: " + source[at.Start:at.Stop])
				}
			case *ast.Link:
				if !harmless(destination(n.Destination)) {
					return ast.WalkStop, errors.New("a link: " + string(n.Destination))
				}
			case *ast.AutoLink:
				if n.AutoLinkType == ast.AutoLinkURL && !harmless(string(n.URL(bytes))) {
					return ast.WalkStop, errors.New("an autolink: " + string(n.URL(bytes)))
				}
			}
			return ast.WalkContinue, nil
		})
		require.NoError(t, err, "%q", source)
	}
}

func TestDefuseSaysWhatItDid(t *testing.T) {
	t.Parallel()
	got, err := Defuse("<b> ![a](/b) <!-- c --> <i> [d](http://1.2.3.4/)")
	require.NoError(t, err)
	require.Equal(t, []Change{{RuleComment, 1}, {RuleHTML, 2}, {RuleImage, 1}}, got.Changed)
	require.Equal(t, []string{LabelHiddenText, LabelSuspiciousLink}, got.Labels)
}

func TestMarkupThatOpensItselfAgainIsDefusedInFewPassesOrRefused(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]string{
		"blocks in each line": strings.Repeat("<div\n", 500), "blocks between fences": strings.Repeat("<div\n```\n<p\n```\n", 100),
		"comments in comments": strings.Repeat("<!--", 40) + strings.Repeat("-->", 40), "tags in tags": strings.Repeat("<a <b ", 100) + strings.Repeat(">", 100),
		"a comment that opens a fence": "<!-- x -->```\n<script>\n```\n<script>", "links in links": strings.Repeat("[", 40) + strings.Repeat("](javascript:x)", 40),
		"images in images": strings.Repeat("![", 40) + strings.Repeat("](data:x)", 40), "definitions": strings.Repeat("[a]: javascript:x\n", 300),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Defuse(given)
			if err != nil {
				require.ErrorIs(t, err, ErrActive)
				return
			}
			requireInert(t, got.Text)
		})
	}
}

// pieces are what hostile texts are made of.
func pieces() *rapid.Generator[string] {
	return rapid.SampledFrom(append(strings.Fields("<script> </script> <div <!-- --> <b> ![ [ ] ( ) ](javascript:x) ](/a) [a]: javascript:x `` ` ``` ~~~ > - 1. * _ <details> </details> <br> <?x ?> \\ &lt; | |-| :-: # === --- a <javascript:x> ![a](data:x) <![CDATA[ ]]> <!X"),
		"\n", "\n\n", " ", "    ", "\t", "> ", "- ", "\\\n", "\r\n", "ä"))
}

func TestDefusedTextIsInertAndStaysAsItIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		given := strings.Join(rapid.SliceOfN(pieces(), 0, 40).Draw(t, "pieces"), "")
		requireDefused(t, given)
	})
}

func requireDefused(t require.TestingT, given string) {
	got, err := Defuse(given)
	if err != nil {
		var limit *LimitError
		require.True(t, errors.Is(err, ErrActive) || errors.As(err, &limit), "%q: %v", given, err)
		return
	}
	requireInert(t, got.Text)
	again, err := Defuse(got.Text)
	require.NoError(t, err, "%q", given)
	require.Equal(t, got.Text, again.Text, "%q", given)
	require.Empty(t, again.Changed)
}

func TestCodeIsNotTouched(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching("[a-z<>!\\[\\]():&;=\" ]{0,30}")
		code := strings.Join(rapid.SliceOfN(line, 1, 8).Draw(t, "code"), "\n")
		before := rapid.SampledFrom([]string{"a\n\n", "<b>\n\n", "![x](/y)\n\n", "> q\n\n", "<!-- c -->\n\n"}).Draw(t, "before")
		given := before + "```\n" + code + "\n```\n\n<i>\n"
		got, err := Defuse(given)
		require.NoError(t, err)
		require.Contains(t, got.Text, "```\n"+code+"\n```\n")
		require.Contains(t, got.Text, "&lt;i>")
	})
}

func FuzzDefuse(f *testing.F) {
	for _, seed := range []string{"", "<script>", "[a](javascript:x)", "![a](data:b)", "[a]: javascript:x\n\n[a]", "<!-- a\n\n-->", "<details>\n<script>\n", "|a|\n|-|\n|`<b>|`|", "> - <div\n\n\\\n[a](data:x)", "```\n<b>\n```"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		if len(given) <= 4096 {
			requireDefused(t, given)
		}
	})
}

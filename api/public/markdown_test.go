package public

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

func TestMarkdownBecomesHTML(t *testing.T) {
	t.Parallel()
	texts := newMarkdown()
	const id = "cnt_01m8p3wrg8f658qzehythpppe1"
	for name, c := range map[string]struct{ given, want string }{
		"nothing":                     {"", ""},
		"paragraphs":                  {"a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
		"line ends of others":         {"a\r\nb", "<p>a\nb</p>\n"},
		"hard breaks":                 {"a  \nb\\\nc", "<p>a<br>\nb<br>\nc</p>\n"},
		"headings":                    {"# a\n## b ##\n###### c\n#d", "<h3>a</h3>\n<h4>b</h4>\n<h6>c</h6>\n<p>#d</p>\n"},
		"underlined headings":         {"a\n===\nb\n---", "<h3>a</h3>\n<h4>b</h4>\n"},
		"breaks":                      {"---\n* * *", "<hr>\n<hr>\n"},
		"emphasis":                    {"*a* _b_ **c** __d__ ***e*** ~~f~~ ~g~", "<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <em><strong>e</strong></em> <del>f</del> <del>g</del></p>\n"},
		"nested emphasis":             {"**a *b* c** *d **e** f*", "<p><strong>a <em>b</em> c</strong> <em>d <strong>e</strong> f</em></p>\n"},
		"marks that mean nothing":     {"a * b snake_case_word 2*3*4", "<p>a * b snake_case_word 2<em>3</em>4</p>\n"},
		"marks without an end":        {"**a *b", "<p>**a *b</p>\n"},
		"the rule of three":           {"*a**b*", "<p><em>a**b</em></p>\n"},
		"escapes":                     {`\*a\* \# \a \\`, `<p>*a* # \a \</p>` + "\n"},
		"entities":                    {"&copy; &amp; &lt;b&gt; &#35; &nosuch;", "<p>© &amp; &lt;b&gt; # &amp;nosuch;</p>\n"},
		"code spans":                  {"`a` `` b`c `` `<b>` `open", "<p><code>a</code> <code>b`c</code> <code>&lt;b&gt;</code> `open</p>\n"},
		"fenced code":                 {"```go\na < b\n\n*c*\n```\nd", "<pre tabindex=\"0\"><code class=\"language-go\">a &lt; b\n\n*c*\n</code></pre>\n<p>d</p>\n"},
		"fences of tildes":            {"~~~ \" onload=x\na\n```\n~~~~", "<pre tabindex=\"0\"><code>a\n```\n</code></pre>\n"},
		"a fence without an end":      {"```\na", "<pre tabindex=\"0\"><code>a\n</code></pre>\n"},
		"indented code":               {"    a\n\n    b\nc", "<pre tabindex=\"0\"><code>a\n\nb\n</code></pre>\n<p>c</p>\n"},
		"indentation in a paragraph":  {"a\n    b", "<p>a\nb</p>\n"},
		"quotations":                  {"> a\nb\n> > c\n\nd", "<blockquote>\n<p>a\nb</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>\n<p>d</p>\n"},
		"close lists":                 {"- a\n- b\n  c\n* d", "<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>\n<ul>\n<li>d</li>\n</ul>\n"},
		"loose lists":                 {"- a\n\n- b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>\n"},
		"numbered lists":              {"3. a\n4. b\n1) c", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n<ol>\n<li>c</li>\n</ol>\n"},
		"nested lists":                {"- a\n  - b\n    1. c\n- d", "<ul>\n<li>a\n<ul>\n<li>b\n<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n"},
		"code in lists":               {"1. a\n\n   ```\n   b\n   ```", "<ol>\n<li>\n<p>a</p>\n<pre tabindex=\"0\"><code>b\n</code></pre>\n</li>\n</ol>\n"},
		"tasks":                       {"- [ ] a\n- [x] b", "<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>\n"},
		"years do not begin a list":   {"in\n1984. It", "<p>in\n1984. It</p>\n"},
		"tables":                      {"a | b\n:-: | --:\n*1* | 2 \\| 3\n\n4", "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th align=\"center\">a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align=\"center\"><em>1</em></td>\n<td align=\"right\">2 | 3</td>\n</tr>\n</tbody>\n</table></div>\n<p>4</p>\n"},
		"short rows are filled up":    {"|a|b|c|\n|-|-|-|\n|1|", "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td></td>\n<td></td>\n</tr>\n</tbody>\n</table></div>\n"},
		"bars without dashes":         {"a | b", "<p>a | b</p>\n"},
		"links":                       {"[a *b*](https://x.example/?a=1&b=2 \"t\")", "<p><a href=\"https://x.example/?a=1&amp;b=2\" rel=\"nofollow ugc noopener noreferrer\">a <em>b</em></a></p>\n"},
		"links with brackets":         {"[a](https://x.example/(b)) [c](<https://x.example/d>)", "<p><a href=\"https://x.example/(b)\" rel=\"nofollow ugc noopener noreferrer\">a</a> <a href=\"https://x.example/d\" rel=\"nofollow ugc noopener noreferrer\">c</a></p>\n"},
		"links defined elsewhere":     {"[a][B c] [d] [e][]\n\n[b  C]: https://x.example/1\n[d]: <https://x.example/2> 'title'", "<p><a href=\"https://x.example/1\" rel=\"nofollow ugc noopener noreferrer\">a</a> <a href=\"https://x.example/2\" rel=\"nofollow ugc noopener noreferrer\">d</a> [e][]</p>\n"},
		"definitions in code":         {"```\n[a]: https://x.example\n```", "<pre tabindex=\"0\"><code>[a]: https://x.example\n</code></pre>\n"},
		"links to objects":            {"[a](interai://" + id + ") [b](/" + id + ") [c](interai://content/" + id + ")", "<p><a href=\"/" + id + "\">a</a> <a href=\"/" + id + "\">b</a> <a href=\"/" + id + "\">c</a></p>\n"},
		"links to nowhere":            {"[a](javascript:alert(1)) [b](data:text/html,x) [c](/metrics) [d](//x.example) [e](https://u:p@x.example) [f](#g) [h](JaVaScRiPt:x)", "<p>a b c d e f h</p>\n"},
		"brackets":                    {"[a] [b](c", "<p>[a] [b](c</p>\n"},
		"links in links":              {"[a [b](https://x.example) c](https://y.example)", "<p>[a <a href=\"https://x.example\" rel=\"nofollow ugc noopener noreferrer\">b</a> c](<a href=\"https://y.example\" rel=\"nofollow ugc noopener noreferrer\">https://y.example</a>)</p>\n"},
		"images are links":            {"![a *b*](https://x.example/i.png)", "<p><a href=\"https://x.example/i.png\" rel=\"nofollow ugc noopener noreferrer\">image: a b</a></p>\n"},
		"bare addresses":              {"See https://x.example/a_b_c. (http://y.example/(z))", "<p>See <a href=\"https://x.example/a_b_c\" rel=\"nofollow ugc noopener noreferrer\">https://x.example/a_b_c</a>. (<a href=\"http://y.example/(z)\" rel=\"nofollow ugc noopener noreferrer\">http://y.example/(z)</a>)</p>\n"},
		"addresses in angle brackets": {"<https://x.example> <a@x.example>", "<p><a href=\"https://x.example\" rel=\"nofollow ugc noopener noreferrer\">https://x.example</a> <a href=\"mailto:a@x.example\" rel=\"nofollow ugc noopener noreferrer\">a@x.example</a></p>\n"},
		"links without a text":        {"[](https://x.example) [](/" + id + ")", "<p><a href=\"https://x.example\" rel=\"nofollow ugc noopener noreferrer\">https://x.example</a> <a href=\"/" + id + "\">/" + id + "</a></p>\n"},
		"bare hosts and mailboxes":    {"www.x.example and a@x.example", "<p><a href=\"http://www.x.example\" rel=\"nofollow ugc noopener noreferrer\">www.x.example</a> and <a href=\"mailto:a@x.example\" rel=\"nofollow ugc noopener noreferrer\">a@x.example</a></p>\n"},
		"bars in code in tables":      {"|a|\n|-|\n|`b\\|c`|", "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>b|c</code></td>\n</tr>\n</tbody>\n</table></div>\n"},
		"raw HTML is text":            {"<script>alert(1)</script>\n\n<b onclick=x>a</b> <!-- c -->", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;b onclick=x&gt;a&lt;/b&gt; &lt;!-- c --&gt;</p>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, cut, err := texts.render(c.given)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.False(t, cut)
		})
	}
}

// allowed are the elements and attributes that may leave the renderer.
var allowed = map[string]string{
	"p": "", "h3": "", "h4": "", "h5": "", "h6": "", "hr": "", "br": "", "em": "", "strong": "", "del": "", "code": "class", "pre": "tabindex",
	"blockquote": "", "ul": "", "ol": "start", "li": "", "div": "class tabindex", "table": "", "thead": "", "tbody": "", "tr": "", "th": "align", "td": "align",
	"a": "href rel",
}

// addresses are where links may lead.
var addresses = regexp.MustCompile(`^(https?://|mailto:|/[a-z]{2,3}_[0-9a-z]{26}$)`)

// harmless fails unless HTML has only allowed parts and closes what it opens.
func harmless(t testing.TB, given, rendered string) {
	t.Helper()
	var open []string
	for tokens := html.NewTokenizer(strings.NewReader(rendered)); ; {
		kind := tokens.Next()
		token := tokens.Token()
		switch kind {
		case html.ErrorToken:
			require.Empty(t, open, "%q: %s", given, rendered)
			return
		case html.StartTagToken:
			attributes, known := allowed[token.Data]
			if !known {
				t.Fatalf("%q: <%s>", given, token.Data)
			}
			for _, a := range token.Attr {
				if !slices.Contains(strings.Fields(attributes), a.Key) || a.Key == "href" && !addresses.MatchString(a.Val) {
					t.Fatalf("%q: %s=%q", given, a.Key, a.Val)
				}
			}
			if token.Data != "br" && token.Data != "hr" {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("%q: %s", given, rendered)
			}
			open = open[:len(open)-1]
		case html.CommentToken, html.DoctypeToken, html.SelfClosingTagToken:
			t.Fatalf("%q: %v", given, token)
		case html.TextToken:
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{
		"# a\n\n- b\n  - c\n\n> d\n\n```\ne\n```\n", "|a|b|\n|-|-|\n|[c](d)|`e`|", "[a]: <b>\n[a] ![c][a] <d@e.f> https://g.h", "***a** b* _c_ ~~d~~ &amp; \\*",
		"1. a\n\n   b\n2. c\n\t- d\n", "a\n===\n    code\n---\n", "[a](javascript:x \"y\")<script>\x00\xff",
	} {
		f.Add(text)
	}
	texts := newMarkdown()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			return
		}
		got, _, err := texts.render(text)
		require.NoError(t, err)
		require.LessOrEqual(t, len(got), mostHTML(text))
		harmless(t, text, got)
	})
}

package public

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What somebody could write to reach the reader's browser, in each construct, becomes exactly this. REL stands for the
// relation of links that lead away.
func TestHostileTextIsHarmless(t *testing.T) {
	t.Parallel()
	texts := newMarkdown()
	for name, c := range map[string]struct{ given, want string }{
		"script in a heading": {
			"# a <script>alert(1)</script>",
			"<h3>a &lt;script&gt;alert(1)&lt;/script&gt;</h3>\n",
		},
		"script in an underlined heading": {
			"<script>alert(1)</script>\n===",
			"<h3>&lt;script&gt;alert(1)&lt;/script&gt;</h3>\n",
		},
		"script in emphasis": {
			"*<script>alert(1)</script>* **<script>alert(1)</script>** ~~<script>alert(1)</script>~~",
			"<p><em>&lt;script&gt;alert(1)&lt;/script&gt;</em> <strong>&lt;script&gt;alert(1)&lt;/script&gt;</strong> <del>&lt;script&gt;alert(1)&lt;/script&gt;</del></p>\n",
		},
		"script in a quotation": {
			"> <script>alert(1)</script>\n>> <script>alert(1)</script>",
			"<blockquote>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<blockquote>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n</blockquote>\n</blockquote>\n",
		},
		"script in a list": {
			"- <script>alert(1)</script>\n1. <script>alert(1)</script>",
			"<ul>\n<li>&lt;script&gt;alert(1)&lt;/script&gt;</li>\n</ul>\n<ol>\n<li>&lt;script&gt;alert(1)&lt;/script&gt;</li>\n</ol>\n",
		},
		"script in a task": {
			"- [ ] <script>alert(1)</script>",
			"<ul>\n<li>☐ &lt;script&gt;alert(1)&lt;/script&gt;</li>\n</ul>\n",
		},
		"script in a table": {
			"|<script>alert(1)</script>|\n|-|\n|<script>alert(1)</script>|",
			"<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>&lt;script&gt;alert(1)&lt;/script&gt;</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>\n</tr>\n</tbody>\n</table></div>\n",
		},
		"script in a code span": {
			"`<script>alert(1)</script>`",
			"<p><code>&lt;script&gt;alert(1)&lt;/script&gt;</code></p>\n",
		},
		"script in fenced code": {
			"```\n</code></pre><script>alert(1)</script>\n```",
			"<pre tabindex=\"0\"><code>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>\n",
		},
		"script in indented code": {
			"    <script>alert(1)</script>",
			"<pre tabindex=\"0\"><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>\n",
		},
		"script in the language of code": {
			"```<script>alert(1)</script>\na\n```\n\n```a\"onload=\"x\nb\n```\n\n~~~js class=x\nc\n~~~",
			"<pre tabindex=\"0\"><code>a\n</code></pre>\n<pre tabindex=\"0\"><code>b\n</code></pre>\n<pre tabindex=\"0\"><code class=\"language-js\">c\n</code></pre>\n",
		},
		"script in the text of a link": {
			"[<script>alert(1)</script>](https://x.example)",
			"<p><a href=\"https://x.example\" REL>&lt;script&gt;alert(1)&lt;/script&gt;</a></p>\n",
		},
		"script in an address": {
			"[a](https://x.example/<script>alert(1)</script>) [b](<https://x.example/\"><script>>)",
			"<p><a href=\"https://x.example/%3Cscript%3Ealert%281%29%3C/script%3E\" REL>a</a> [b](<a href=\"https://x.example/%22\" REL>https://x.example/&#34;</a>&lt;script&gt;&gt;)</p>\n",
		},
		"script in a title": {
			"[a](https://x.example '\"><script>alert(1)</script>')",
			"<p><a href=\"https://x.example\" REL>a</a></p>\n",
		},
		"script in a definition": {
			"[a]\n\n[a]: https://x.example/\"><script> \"<script>\"",
			"<p><a href=\"https://x.example/%22%3E%3Cscript%3E\" REL>a</a></p>\n",
		},
		"script in the text of an image": {
			"![\"><script>alert(1)</script>](https://x.example/a.png)",
			"<p><a href=\"https://x.example/a.png\" REL>image: &#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</a></p>\n",
		},
		"script in angle brackets": {
			"<https://x.example/\"onclick=alert(1)> <javascript:alert(1)> <data:text/html,x> <vbscript:x>",
			"<p><a href=\"https://x.example/%22onclick=alert%281%29\" REL>https://x.example/&#34;onclick=alert(1)</a> javascript:alert(1) data:text/html,x vbscript:x</p>\n",
		},
		"script over lines": {
			"<script\n>alert(1)</script\n>\n\n<\nscript>",
			"<p>&lt;script</p>\n<blockquote>\n<p>alert(1)&lt;/script</p>\n</blockquote>\n<p>&lt;\nscript&gt;</p>\n",
		},
		"script that is not closed": {
			"<script src=//x.example/x.js ",
			"<p>&lt;script src=//x.example/x.js</p>\n",
		},
		"script in script": {
			"<scr<script>ipt>alert(1)</scr</script>ipt>",
			"<p>&lt;scr&lt;script&gt;ipt&gt;alert(1)&lt;/scr&lt;/script&gt;ipt&gt;</p>\n",
		},
		"other elements": {
			"<iframe src=x></iframe> <svg/onload=x> <math> <form action=x> <base href=x> <meta http-equiv=refresh> <template> <noscript> <style>a{}</style> <details ontoggle=x open>",
			"<p>&lt;iframe src=x&gt;&lt;/iframe&gt; &lt;svg/onload=x&gt; &lt;math&gt; &lt;form action=x&gt; &lt;base href=x&gt; &lt;meta http-equiv=refresh&gt; &lt;template&gt; &lt;noscript&gt; &lt;style&gt;a{}&lt;/style&gt; &lt;details ontoggle=x open&gt;</p>\n",
		},
		"markup of other sorts": {
			"<!-- a --> <![CDATA[a]]> <!doctype a> <?php a ?> </div></section></main>",
			"<p>&lt;!-- a --&gt; &lt;![CDATA[a]]&gt; &lt;!doctype a&gt; &lt;?php a ?&gt; &lt;/div&gt;&lt;/section&gt;&lt;/main&gt;</p>\n",
		},
		"attributes of style": {
			"<p style=\"position:fixed\">a</p> **a**{style=\"x\" .b #c onclick=d}\n\n# a {#b .c style=d}",
			"<p>&lt;p style=&#34;position:fixed&#34;&gt;a&lt;/p&gt; <strong>a</strong>{style=&#34;x&#34; .b #c onclick=d}</p>\n<h3>a {#b .c style=d}</h3>\n",
		},
		"javascript in addresses": {
			"[a](javascript:alert(1)) [b](JAVASCRIPT:x) [c](  javascript:x) [d](<java script:x>) [e](vbscript:x) [f](file:///etc/passwd) [g](blob:x) [h](about:blank) [i](ftp://x.example)",
			"<p>a b c d e f g h i</p>\n",
		},
		"javascript by entities": {
			"[a](javascript&colon;alert(1)) [b](&#106;avascript:x) [c](&#x6A;avascript:x) [d](java&Tab;script:x) [e](java&NewLine;script:x) [f](&#1;javascript:x) [g](javascript&#58;x) [h](\\j\\avascript:x) [i](javascript\\:x)",
			"<p>a b c d e f g h i</p>\n",
		},
		"javascript by percent signs": {
			"[a](javascript%3Aalert(1)) [b](%6Aavascript:x) [c](https://x.example/%22%3E%3Cscript%3E)",
			"<p>a b <a href=\"https://x.example/%22%3E%3Cscript%3E\" REL>c</a></p>\n",
		},
		"javascript in definitions": {
			"[a] [b] [c]\n\n[a]: javascript:x\n[b]: <data:text/html;base64,PHNjcmlwdD4=>\n[c]: javascript&colon;x",
			"<p>a b c</p>\n",
		},
		"javascript behind a line end": {
			"[a](java\nscript:x) [b](<java\nscript:x>)",
			"<p>[a](java\nscript:x) [b](&lt;java\nscript:x&gt;)</p>\n",
		},
		"data in addresses": {
			"[a](data:text/html,x) ![b](data:image/svg+xml;base64,PHN2Zz4=) ![c](data:image/png;base64,x) [d](DATA:text/html,x)",
			"<p>a image: b image: c d</p>\n",
		},
		"addresses that are not what they seem": {
			"[a](//x.example) [b](/\\x.example) [c](https:x.example) [d](https:///x) [e](http://x.example@y.example) [f](https://a:b@x.example) [g](\\\\x.example) [h](?a) [i](../a) [j](/assets/x) [k](interai://nothing) [l](https://x.example:port)",
			"<p>a b c d e f g h i j k l</p>\n",
		},
		"addresses with quotes": {
			"[a](https://x.example/\"onclick=\"x) [b](https://x.example/'onclick='x) [c](https://x.example/`x`) [d](mailto:a@x.example?subject=\"x\") https://x.example/\"onclick=x",
			"<p><a href=\"https://x.example/%22onclick=%22x\" REL>a</a> <a href=\"https://x.example/&#39;onclick=&#39;x\" REL>b</a> <a href=\"https://x.example/%60x%60\" REL>c</a> <a href=\"mailto:a@x.example?subject=&#34;x&#34;\" REL>d</a> <a href=\"https://x.example/%22onclick=x\" REL>https://x.example/&#34;onclick=x</a></p>\n",
		},
		"quotes in quotes": {
			"[a](https://x.example/ \"b 'c' \\\"d\\\"\") [e](https://x.example/ 'f \"g\" h') [i](https://x.example/ (j \"k\"))",
			"<p><a href=\"https://x.example/\" REL>a</a> <a href=\"https://x.example/\" REL>e</a> <a href=\"https://x.example/\" REL>i</a></p>\n",
		},
		"entities": {
			"&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &#x3c;i&#x3E; &amp;lt;u&amp;gt; &#0; &#xD800; &#x110000; &quot;&apos;",
			"<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;b&gt; &lt;i&gt; &amp;lt;u&amp;gt; \ufffd \ufffd \ufffd &#34;&#39;</p>\n",
		},
		"entities in code": {
			"`&lt;b&gt;`\n\n```\n&lt;script&gt;\n```",
			"<p><code>&amp;lt;b&amp;gt;</code></p>\n<pre tabindex=\"0\"><code>&amp;lt;script&amp;gt;\n</code></pre>\n",
		},
		"signs that are not seen": {
			"[a\u202ebc](https://x.example/\u202egpj.exe) [d](https://x.example/\u200b) [e](java\u200bscript:x) [f](\ufeffjavascript:x) [g](https://x.example/\x00)",
			"<p>a\u202ebc d e f <a href=\"https://x.example/%EF%BF%BD\" REL>g</a></p>\n",
		},
		"letters that look alike": {
			"[a](ｊavascript:x) [b](javascript：x) [c](jaſcript:x) ＜script＞ ‹script›",
			"<p>a b c ＜script＞ ‹script›</p>\n",
		},
		"images in links": {
			"[![a](https://x.example/a.png)](https://y.example)",
			"<p><a href=\"https://y.example\" REL>image: a</a></p>\n",
		},
		"links in images": {
			"![a [b](https://x.example) ![c](https://y.example) <https://z.example>](https://x.example/a.png)",
			"<p><a href=\"https://x.example/a.png\" REL>image: a b image: c https://z.example</a></p>\n",
		},
		"images by definition": {
			"![a] ![b][a] ![c][]\n\n[a]: https://x.example/a.png\n[c]: javascript:x",
			"<p><a href=\"https://x.example/a.png\" REL>image: a</a> <a href=\"https://x.example/a.png\" REL>image: b</a> image: c</p>\n",
		},
		"images that lead nowhere": {
			"![a](javascript:x) ![b](/metrics) ![](x.png).",
			"<p>image: a image: b image: .</p>\n",
		},
		"links without a text": {
			"[](https://x.example) []()  [a]() <>",
			"<p><a href=\"https://x.example\" REL>https://x.example</a>   a &lt;&gt;</p>\n",
		},
		"ends of what is around": {
			"</div></section></main></body></html>\n\n> </blockquote>\n\n- </li></ul>\n\n|</td></tr></table>|\n|-|",
			"<p>&lt;/div&gt;&lt;/section&gt;&lt;/main&gt;&lt;/body&gt;&lt;/html&gt;</p>\n<blockquote>\n<p>&lt;/blockquote&gt;</p>\n</blockquote>\n<ul>\n<li>&lt;/li&gt;&lt;/ul&gt;</li>\n</ul>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;</th>\n</tr>\n</thead>\n</table></div>\n",
		},
		"templates of others": {
			"{{.Body}} ${7*7} {%x%} <%= x %>",
			"<p>{{.Body}} ${7*7} {%x%} &lt;%= x %&gt;</p>\n",
		},
		"emphasis across elements": {
			"*a [b*](https://x.example) `c*` **d `**`",
			"<p>*a <a href=\"https://x.example\" REL>b*</a> <code>c*</code> **d <code>**</code></p>\n",
		},
		"other dialects are text": {
			"a[^1] is\n\n[^1]: b is\n\n: c\n\n$$x$$ ==y== :smile: @name #1",
			"<p>a[^1] is</p>\n<p>[^1]: b is</p>\n<p>: c</p>\n<p>$$x$$ ==y== :smile: @name #1</p>\n",
		},
		"bytes that are no letters": {
			"a\xff\xc0 [b](https://x.example/\xff) \xed\xa0\x80",
			"<p>a\ufffd <a href=\"https://x.example/%EF%BF%BD\" REL>b</a> \ufffd</p>\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, cut, err := texts.render(c.given)
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(c.want, "REL", `rel="`+relOfOthers+`"`), got)
			require.False(t, cut)
			harmless(t, c.given, got)
		})
	}
}

// The policy stands by itself: what a renderer with a mistake would write does not pass it.
func TestThePolicyDoesNotTrustTheRenderer(t *testing.T) {
	t.Parallel()
	policy := newPolicy()
	for given, want := range map[string]string{
		`<p id="a" class="b" style="c" onclick="d" title="e">f</p>`:           `<p>f</p>`,
		`<script>a</script><style>b</style><p>c</p>`:                          `<p>c</p>`,
		`<a href="javascript:a" rel="nofollow ugc noopener noreferrer">b</a>`: `<a rel="nofollow ugc noopener noreferrer">b</a>`,
		`<a href="data:text/html,a">b</a>`:                                    `b`,
		`<a href="//x.example">b</a>`:                                         `b`,
		`<a href="/metrics">b</a>`:                                            `b`,
		`<a href="/` + anyID + `" target="_blank">b</a>`:                      `<a href="/` + anyID + `">b</a>`,
		`<img src="https://x.example/a.png">a`:                                `a`,
		`<iframe src="https://x.example"></iframe>a`:                          `a`,
		`<form action="/x"><input name="a"><button>b</button></form>`:         `b`,
		`<pre tabindex="1"><code class="language-a b">c</code></pre>`:         `<pre><code>c</code></pre>`,
		`<div class="others">a</div>`:                                         `<div>a</div>`,
		`<ol start="1e9">a</ol>`:                                              `<ol>a</ol>`,
		`<td align="justify" colspan="9">a</td>`:                              `<td>a</td>`,
		`<!-- a --><h1>b</h1><h2>c</h2>`:                                      `bc`,
	} {
		require.Equal(t, want, policy.Sanitize(given))
	}
}

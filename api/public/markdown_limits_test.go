package public

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// bombs are texts that cost some renderers far more than their length.
func bombs() map[string]string {
	fill := func(part string) string { return strings.Repeat(part, 204_800/len(part)) }
	return map[string]string{
		"quotations in quotations": fill("> "), "lists in lists": fill("- "), "lists in quotations": fill("> - "), "stars": fill("*a "), "stars apart": fill("*a* **b "),
		"tildes": fill("~a ~~b "), "underlines": fill("_a__b "), "brackets": fill("["), "closed brackets": fill("]"), "images": fill("!["), "nested links": fill("[a](b"),
		"addresses": fill("[](((("), "accents": fill("`a``b```c"), "many accents": accents(), "angles": fill("<http://a"), "entities": fill("&a"), "bare": fill("http://"),
		"a wide table": "|" + strings.Repeat("a|", 20_000) + "\n|" + strings.Repeat("-|", 20_000) + "\n" + strings.Repeat("|a\n", 30_000),
		"a long table": "|a|b|\n|-|-|\n" + strings.Repeat("|a\n", 60_000), "titles": fill("[a](b \""), "blank lines": fill("\n"), "items": fill("1.\n"), "tabs": fill("\t- "),
		"references": "[a]: https://x.example/" + strings.Repeat("a", 2000) + "\n\n" + strings.Repeat("[a] ", 50_000), "definitions": fill("[a]: b\n"), "fences": fill("```\n~~~\n"), "headings": fill("# \n"),
		"underlined": fill("a\n-\n"), "ends of emphasis": strings.Repeat("*a", 50_000) + strings.Repeat("b_", 50_000), "backslashes": fill(`\`), "signs": fill("&lt;<>\"'"), "nul": fill("\x00\xff"),
		"definitions without an end": fill("[a]: b \"\n"), "definitions apart": fill("[a]: b\n\n"), "escaped bars": "|a|\n|-|\n" + strings.Repeat("|`\\|`", 40_000), "bars in code": "|a|\n|-|\n|" + strings.Repeat("`a`\\|", 40_000) + "|",
		"rows of escaped bars": "|a|\n|-|\n" + strings.Repeat("|`a\\|b`|\n", 20_000), "tables of wide headings": fill("|" + strings.Repeat("a|", 50) + "\n|" + strings.Repeat("-|", 50) + "\n" + strings.Repeat("|\n", 200) + "\n"), "small tables": fill("a|\n-|\n\n"),
		"accents in lines": "`" + fill("a\n"), "open accents in lines": fill("`\na\n``b\n"), "words with underlines": fill("a_"), "links": fill("[a](b) "), "links in emphasis": fill("*a [*b*](/c) "), "images in images": strings.Repeat("![", 30_000) + strings.Repeat("](b)", 30_000),
		"links in images": strings.Repeat("![[a](/b)", 10_000) + strings.Repeat("](b)", 10_000), "brackets in pairs": fill("[a]"), "brackets around": strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "brackets before brackets": fill("[a][b"), "titles in lines": fill("[a](b \"\n"), "www": fill("www.a"), "at": fill("a@b.c"), "long links": fill("http://a.bc/*_"),
		"numbers": fill("9)\n8.\n"), "bullets by turns": fill("-\n+\n"), "bullets in bullets by turns": fill("- + "), "code and headings": fill("\ta\n#\n"), "steps": steps(), "lazy lines": strings.Repeat("> ", 12) + fill("a\n"), "quotes": fill("\""), "emphasis of three": fill("***a** b*"), "emphasis by turns": fill("*a_b"), "closing stars": fill("a* "), "deep items": strings.Repeat("- ", 12) + "a\n" + strings.Repeat(strings.Repeat(" ", 24)+"b\n\n", 7_000),
		"hard breaks": fill("a  \n"), "broken lines": fill("a\\\n"), "colons": fill("a:b:"), "parentheses": fill("(a"), "tags": fill("<a "), "comments": fill("<!--"), "tildes of three": fill("~~~a\n"), "long word": fill("a"), "one break": fill("---\n"), "equal": fill("a\n=\n"), "tasks": fill("- [ ] a\n"), "setext of lines": strings.Repeat("a\n", 100_000) + "===",
	}
}

// steps is a list in which each item stands deeper than the one before.
func steps() string {
	var b strings.Builder
	for i := 0; b.Len() < 200_000; i++ {
		b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
	}
	return b.String()
}

// accents are runs of grave accents of ever other lengths, none of which has an end.
func accents() string {
	var b strings.Builder
	for i := 1; b.Len() < 200_000; i++ {
		b.WriteString("a" + strings.Repeat("`", i))
	}
	return b.String()
}

// mostHTML is how much HTML a text may become: its markup twelve times (a list of two bytes has two elements), its links
// and its tables what the limits let them have.
func mostHTML(text string) int {
	const cell = len(`<th align="center"></th>` + "\n")
	return 12*len(text) + maxLinksBytes + cell*min(maxCells, 8*maxColumns*(1+len(text)))
}

// testedBytes is how much of each bomb the test renders: what it holds is so at any length, and the race detector is slow.
const testedBytes = 48 << 10

// TestBombsBecomeHarmlessHTMLOfABoundedLength renders texts that are made to be expensive.
func TestBombsBecomeHarmlessHTMLOfABoundedLength(t *testing.T) {
	t.Parallel()
	texts := newMarkdown()
	for name, text := range bombs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.ToValidUTF8(text[:min(len(text), testedBytes)], "")
			got, _, err := texts.render(text)
			require.NoError(t, err)
			require.LessOrEqual(t, len(got), mostHTML(text))
			harmless(t, name, got)
		})
	}
}

// BenchmarkBombs measures how many times as long a text that is made to be expensive takes as a harmless one of the same
// length that has as many elements. Without the limits one was seen to take 150 times as long.
func BenchmarkBombs(b *testing.B) {
	texts := newMarkdown()
	render := func(text string) time.Duration {
		best := time.Duration(math.MaxInt64)
		for range 3 {
			start := time.Now()
			if _, _, err := texts.render(text); err != nil {
				b.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	plain := render(strings.Repeat("- a *b*\n", maxTextBytes/8))
	for name, text := range bombs() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(float64(render(text))/float64(plain), "x-harmless")
			}
		})
	}
}

// What is within a limit is rendered, what is beyond is shown as it stands, and the answer says so.
func TestLimitsCutWhatIsBeyondThem(t *testing.T) {
	t.Parallel()
	repeat := strings.Repeat
	table := func(columns, rows int) string {
		return "|" + repeat("a|", columns) + "\n|" + repeat("-|", columns) + "\n" + repeat("|b|\n", rows)
	}
	texts := newMarkdown()
	for name, c := range map[string]struct {
		within, beyond string
		element        string
		most           int // how often the element may be there
	}{
		"nesting of quotations":   {repeat("> ", maxNesting) + "a", repeat("> ", maxNesting+1) + "a", "<blockquote>", maxNesting},
		"nesting of lists":        {repeat("- ", maxNesting) + "a", repeat("- ", maxNesting+1) + "a", "<ul>", maxNesting},
		"runs of emphasis":        {repeat("*a* ", maxRuns/2), repeat("*a* ", maxRuns/2+1), "<em>", maxRuns / 2},
		"runs of tildes":          {repeat("~a~ ", maxRuns/2), repeat("~a~ ", maxRuns/2+1), "<del>", maxRuns / 2},
		"brackets without a link": {repeat("[a] ", maxNoLinks-1) + "[b](/" + anyID + ")", repeat("[a] ", maxNoLinks) + "[b](/" + anyID + ")", "<a ", 1},
		"accents without an end":  {openAccents(maxOpenCode-1) + "~`a`", openAccents(maxOpenCode) + "~`a`", "<code>", 1},
		"definitions of links":    {repeat("[a]: /"+anyID+"\n", maxDefinitions) + "\n[a]", repeat("[a]: /"+anyID+"\n", maxDefinitions+1) + "\n[a]", "<a ", 1},
		"columns":                 {table(maxColumns, 1), table(maxColumns+1, 1), "<th>", maxColumns},
		"cells":                   {table(40, 400), table(40, 499), "<td>", 16_000},
		"cells of all tables":     {table(40, 200) + "\n" + table(40, 200), table(40, 200) + "\n" + table(40, 298), "<td>", 16_000},
		"escaped bars":            {"|a|\n|-|\n|" + repeat(`\|`, maxEscapedBars) + "|", "|a|\n|-|\n|" + repeat(`\|`, maxEscapedBars+1) + "|", "<table>", 1},
		"length of an address":    {"[a](https://x.example/" + repeat("a", 2000) + ")", "[a](https://x.example/" + repeat("a", maxLinkBytes) + ")", "<a ", 1},
		"all links":               {repeat("[a](https://x.example/"+repeat("a", 2000)+")\n\n", 100), "[a]: https://x.example/" + repeat("a", 2000) + "\n" + repeat("\n[a]\n", 300), "<a ", 300},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, cut, err := texts.render(c.within)
			require.NoError(t, err)
			require.False(t, cut)
			most := strings.Count(got, c.element)
			require.NotZero(t, most)
			require.LessOrEqual(t, most, c.most)
			got, cut, err = texts.render(c.beyond)
			require.NoError(t, err)
			require.True(t, cut)
			require.LessOrEqual(t, strings.Count(got, c.element), c.most)
			harmless(t, c.beyond, got)
		})
	}
}

// openAccents are n runs of grave accents without an end.
func openAccents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+2) + "a")
	}
	return b.String()
}

// A limit of one block is no limit of the next.
func TestEachBlockHasItsOwnShare(t *testing.T) {
	t.Parallel()
	got, cut, err := newMarkdown().render(strings.Repeat("- "+strings.Repeat("*a* ", 300)+"\n", 10) + "\n" + strings.Repeat("[a] ", maxNoLinks) + "\n\n" + strings.Repeat("[a] ", maxNoLinks))
	require.NoError(t, err)
	require.False(t, cut)
	require.Equal(t, 3000, strings.Count(got, "<em>"))
}

func TestWhatIsTooLongIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	texts := newMarkdown()
	for name, c := range map[string]struct {
		given string
		cut   bool
	}{
		"as long as a body may be": {strings.Repeat("a", maxTextBytes), false},
		"lines":                    {strings.Repeat("a line\n\n", maxTextBytes/8) + "the end", true},
		"one line":                 {strings.Repeat("é", maxTextBytes/2) + "the end", true},
		"a line of odd length":     {"a" + strings.Repeat("é", maxTextBytes/2) + "the end", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, cut, err := texts.render(c.given)
			require.NoError(t, err)
			require.Equal(t, c.cut, cut)
			require.NotContains(t, got, "the end")
			require.True(t, utf8.ValidString(got))
			require.NotContains(t, got, "\uFFFD")
			harmless(t, name, got)
		})
	}
}

// The parser is shared: texts that are rendered at once do not mix.
func TestTextsRenderAtOnce(t *testing.T) {
	t.Parallel()
	texts := newMarkdown()
	for i := range 20 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			got, cut, err := texts.render(fmt.Sprintf("[%d]\n\n[%d]: https://x.example/%d", i, i, i))
			require.NoError(t, err)
			require.False(t, cut)
			require.Equal(t, fmt.Sprintf("<p><a href=\"https://x.example/%d\" rel=%q>%d</a></p>\n", i, relOfOthers, i), got)
		})
	}
}

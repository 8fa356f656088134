package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// tags spells s in invisible tag characters.
func tags(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]) + 0xE0000)
	}
	return b.String()
}

func TestNormalise(t *testing.T) {
	for name, c := range map[string]struct {
		in, want string
		labels   []string
		rules    []string
	}{
		"ASCII stays":                           {in: "a < b\n\tc", want: "a < b\n\tc"},
		"line ends become line feeds":           {in: "a\r\nb\rc\u0085d\u2028e\u2029f", want: "a\nb\nc\nd\ne\nf"},
		"controls go":                           {in: "a\x07b\x7fc\u0081d", want: "abcd", labels: []string{ControlsRemoved}},
		"terminal sequences go":                 {in: "\x1b[31mred\x1b[0m \x1b]0;title\x07x", want: "red x", labels: []string{ControlsRemoved}},
		"an open terminal sequence loses ESC":   {in: "\x1b]0;title", want: "]0;title", labels: []string{ControlsRemoved}},
		"NUL is refused":                        {in: "a\x00b", want: "ab", rules: []string{RuleNUL}},
		"invalid UTF-8 is refused":              {in: "a\xffb", want: "a\uFFFDb", rules: []string{RuleInvalid}},
		"a replacement character is text":       {in: "a\uFFFDb", want: "a\uFFFDb"},
		"zero width characters go":              {in: "to\u200Bk\u2060e\uFEFFn\u00AD", want: "token", labels: []string{HiddenTextRemoved}},
		"tags are refused":                      {in: "hi" + tags("evil"), want: "hi", labels: []string{HiddenTextRemoved}, rules: []string{RuleTags}},
		"the flag of Scotland stays":            {in: "\U0001F3F4" + tags("gbsct") + "\U000E007F!", want: "\U0001F3F4" + tags("gbsct") + "\U000E007F!"},
		"a flag with a sentence is refused":     {in: "\U0001F3F4" + tags("gbsctxyz") + "\U000E007F", want: "\U0001F3F4", labels: []string{HiddenTextRemoved}, rules: []string{RuleTags}},
		"bytes behind an emoji are refused":     {in: "\U0001F600\U000E0110\U000E0120\U000E0130", want: "\U0001F600", labels: []string{HiddenTextRemoved}, rules: []string{RuleSelectors}},
		"an ideograph keeps its variant":        {in: "葛\U000E0100飾", want: "葛\U000E0100飾"},
		"an emoji keeps its style":              {in: "\u2764\uFE0F", want: "\u2764\uFE0F"},
		"a second selector goes":                {in: "\u2764\uFE0F\uFE0F", want: "\u2764\uFE0F", labels: []string{HiddenTextRemoved}},
		"a keycap stays":                        {in: "1\uFE0F\u20E3", want: "1\uFE0F\u20E3"},
		"a selector inside ASCII goes":          {in: "gh\uFE0Fp1\uFE0F2", want: "ghp12", labels: []string{HiddenTextRemoved}},
		"a family stays":                        {in: "\U0001F469\u200D\U0001F467", want: "\U0001F469\u200D\U0001F467"},
		"a heart on fire stays":                 {in: "\u2764\uFE0F\u200D\U0001F525", want: "\u2764\uFE0F\u200D\U0001F525"},
		"Persian keeps its joiner":              {in: "می\u200Cخواهم", want: "می\u200Cخواهم"},
		"Sinhala keeps its joiner":              {in: "ශ්\u200Dරී", want: "ශ්\u200Dරී"},
		"a joiner in Latin goes":                {in: "to\u200Dken", want: "token", labels: []string{HiddenTextRemoved}},
		"bidi controls in Latin go":             {in: "a\u202Eb\u202Cc", want: "abc", labels: []string{BidiRemoved}},
		"balanced isolates in Hebrew stay":      {in: "שלום \u2067abc\u2069 עולם", want: "שלום \u2067abc\u2069 עולם"},
		"unbalanced ones go":                    {in: "שלום \u2067abc עולם", want: "שלום abc עולם", labels: []string{BidiRemoved}},
		"they go beside code":                   {in: "שלום \u2067`abc`\u2069", want: "שלום `abc`", labels: []string{BidiRemoved}},
		"an override goes in Arabic too":        {in: "سلام \u202Eabc\u202C", want: "سلام abc", labels: []string{BidiRemoved}},
		"each line is judged for itself":        {in: "שלום \u200F.\nabc\u200F", want: "שלום \u200F.\nabc", labels: []string{BidiRemoved}},
		"zalgo is cut":                          {in: "a" + strings.Repeat("\u0316", 30), want: "a" + strings.Repeat("\u0316", 8), labels: []string{TooManyMarks}},
		"private use stays with a label":        {in: "\uE000", want: "\uE000", labels: []string{UnusualCharacters}},
		"composition":                           {in: "e\u0301 \u212A", want: "é K"},
		"composition across what was invisible": {in: "e\u200B\u0301", want: "é", labels: []string{HiddenTextRemoved}},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := Normalise(c.in)
			require.Equal(t, c.want, got)
			require.Equal(t, c.labels, report.Labels)
			var rules []string
			for _, f := range report.Findings {
				rules = append(rules, f.Rule)
				require.True(t, f.Action.Blocks())
				require.Less(t, f.Start, f.End)
				require.LessOrEqual(t, f.End, len(c.in))
			}
			require.Equal(t, c.rules, rules)
		})
	}
}

func TestPlainTextIsNotCopied(t *testing.T) {
	s := strings.Repeat("plain ASCII text\n", 100)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		_, _ = Normalise(s)
		_ = Fold("already folded")
	}))
}

func TestMapLeadsBack(t *testing.T) {
	in := "x\u200B\u200B gh\u200Bp e\u0301 end\u2060"
	out, report := Normalise(in)
	require.Equal(t, "x ghp é end", out)
	at := func(part string) string {
		i := strings.Index(out, part)
		start, end := report.Map.Span(i, i+len(part))
		return in[start:end]
	}
	require.Equal(t, "gh\u200Bp", at("ghp"))
	require.Equal(t, "e\u0301", at("é"))
	require.Equal(t, "end", at("end"))
	require.Equal(t, "x", at("x"))
	start, end := (&Map{}).Span(3, 5)
	require.Equal(t, []int{3, 5}, []int{start, end})
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"a title":                    "a title",
		"  two\n\n\tlines\u00A0 ":    "two lines",
		"שלום \u2067abc\u2069 עולם":  "שלום abc עולם",
		"\u3000wide\u3000blanks\x07": "wide blanks",
		"":                           "",
		" \n ":                       "",
	} {
		got, _ := Line(in)
		require.Equal(t, want, got)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{"ＡＢＣ": "abc", "Straße": "strasse", "PostgreSQL": "postgresql", "ﬁ": "fi", "e\u0301": "é"} {
		require.Equal(t, want, Fold(in))
	}
}

func TestCompatible(t *testing.T) {
	in := "x ｇｈｐ y"
	out, m := Compatible(in)
	require.Equal(t, "x ghp y", out)
	start, end := m.Span(2, 5)
	require.Equal(t, "ｇｈｐ", in[start:end])
}

func TestMixedScript(t *testing.T) {
	for token, want := range map[string]bool{
		"paypal": false, "pаypal": true, "раураl.com": true, "привет": false, "α-helix": false, "Δt": false, "λfunc": false, "gοοgle": true,
		"日本Linux": false, "naïve": false, "@scope/lоdash": true,
	} {
		require.Equal(t, want, MixedScript(token), token)
	}
	found := Homoglyphs("install раураl-sdk and привет")
	require.Len(t, found, 1)
	require.Equal(t, Homoglyph, found[0].Rule)
}

// hostile draws texts from the characters that the normaliser treats specially.
func hostile() *rapid.Generator[string] {
	special := []string{
		"a", "1", " ", "\n", "\r", "`", "\x1b[", "\x1b]", "\x07", "m", "\u0085", "\u200B", "\u200D", "\u200C", "\uFE0F", "\U000E0100", "\U000E0061",
		"\U000E007F", "\U0001F3F4", "\U0001F469", "\u202A", "\u202C", "\u2067", "\u2069", "\u202E", "\u200F", "ש", "س", "ي", "क", "\u0958", "\u094D", "\u0301",
		"\u0316", "\u0344", "\u20E3", "\u212A", "\u1FEF", "é", "e", "葛", "\uAC00", "\u1100", "\u1161", "\u11A8", "\uFB1D", "\xff", "\x00", "\uE000", "ﬁ", "\u0345", "ᾳ", "İ",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(special), 0, 40).Draw(t, "pieces"), "")
	})
}

// holds checks what the normal form promises for every input.
func holds(t require.TestingT, s string) {
	out, report := Normalise(s)
	require.True(t, utf8.ValidString(out))
	require.True(t, norm.NFC.IsNormalString(out))
	again, second := Normalise(out)
	require.Equal(t, out, again, "not idempotent")
	require.Empty(t, second.Findings)
	// an invalid byte becomes three
	require.LessOrEqual(t, report.Work, 8*len(s), "not linear")
	previous := 0
	for i := range out {
		start, end := report.Map.Span(i, i+1)
		require.LessOrEqual(t, start, end)
		require.LessOrEqual(t, end, len(s))
		require.GreaterOrEqual(t, start, previous, "the way back is not monotonous")
		previous = start
	}
	line, _ := Line(s)
	require.NotContains(t, line, "\n")
	require.Equal(t, strings.TrimSpace(line), line)
	twice, _ := Line(line)
	require.Equal(t, line, twice, "a line is not stable")
	fold := Fold(out)
	require.Equal(t, fold, Fold(fold), "folding is not stable")
}

func TestNormaliseHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { holds(t, hostile().Draw(t, "text")) })
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{"", "plain", "a\u0301\u200B\u0302", "שלום \u2067abc\u2069", "\x1b]0;x\x07", "1\uFE0F\u20E3", "\u0958\uFE0F", tags("abc"), "\xff\x00", "ΐ", "ŉ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) { holds(t, s) })
}

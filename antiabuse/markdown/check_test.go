package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainTextMayBeAsLongAsItLikes(t *testing.T) {
	require.NoError(t, Check(strings.Repeat("a", 200<<10)))
	require.NoError(t, Check(strings.Repeat(strings.Repeat("plain words. ", 8)+"\n", 2000)))
}

func TestCheckRefusesWhatIsExpensiveToParse(t *testing.T) {
	t.Parallel()
	repeat := strings.Repeat
	steps := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(repeat(" ", 2*i) + "- a\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct{ within, beyond, rule string }{
		"quotations":            {repeat("> ", MaxDepth) + "a", repeat("> ", MaxDepth+1) + "a", RuleDepth},
		"many quotations":       {"> a", repeat("> ", 6000) + "a", RuleDepth},
		"lists":                 {repeat("- ", MaxDepth) + "a", repeat("- ", MaxDepth+1) + "a", RuleDepth},
		"steps":                 {steps(MaxDepth), steps(MaxDepth + 1), RuleDepth},
		"a long paragraph":      {repeat("*"+repeat("a", 62)+"\n", 512), repeat("*"+repeat("a", 62)+"\n", 513), RuleParagraph},
		"a long line":           {"*" + repeat("a", MaxLineBytes-1), "*" + repeat("a", MaxLineBytes), RuleLine},
		"brackets":              {repeat("[a] ", MaxMarks), repeat("[a] ", MaxMarks+1), RuleMarks},
		"stars":                 {repeat("*a ", MaxMarks), repeat("*a ", MaxMarks+1), RuleMarks},
		"underlines":            {repeat("_a ", MaxMarks), repeat("_a ", MaxMarks+1), RuleMarks},
		"accents":               {repeat("`a` ", MaxMarks/2), repeat("`a` ", MaxMarks), RuleMarks},
		"angles":                {repeat("a < ", MaxMarks), repeat("a < ", MaxMarks+1), RuleMarks},
		"marks behind a fence":  {"```\n" + repeat("[", MaxMarks+1) + "\n```", "```\n```\n" + repeat("[", MaxMarks+1), RuleMarks},
		"marks behind HTML":     {"```\n<p>\n" + repeat("[", MaxMarks+1) + "\n", "<div>\n```\n\n" + repeat("[", MaxMarks+1), RuleMarks},
		"marks in false fences": {"~~~\n" + repeat("*a ", MaxMarks+1), "``` `\n" + repeat("*a ", MaxMarks+1), RuleMarks},
		"cells":                 {repeat("|", 40) + "\n" + repeat("|-", 40) + "\n" + repeat("|\n", 400), repeat("|", 40) + "\n" + repeat("|-", 40) + "\n" + repeat("|\n", 500), RuleCells},
		"long lines of code":    {"```\n" + repeat("<", 100_000) + "\n```", "> ```\n" + repeat("<", 100_000), RuleLine},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, Check(c.within))
			var limit *LimitError
			require.ErrorAs(t, Check(c.beyond), &limit)
			require.Equal(t, c.rule, limit.Rule)
			require.NotEmpty(t, limit.Error())
			_, err := Defuse(c.beyond + "\n\n<b>")
			require.ErrorAs(t, err, &limit)
		})
	}
}

func TestVainAttemptsAreBoundedOverTheWholeText(t *testing.T) {
	t.Parallel()
	paragraph := strings.Repeat("[a](b ", 999) + strings.Repeat(strings.Repeat("a", 99)+"\n", 260) + "\n"
	require.NoError(t, Check(paragraph))
	var limit *LimitError
	require.ErrorAs(t, Check(strings.Repeat(paragraph+"\n", 6)), &limit)
	require.Equal(t, RuleAttempts, limit.Rule)
}

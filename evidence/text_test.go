package evidence

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTheFormOfTextsIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n\r\x00\x7f~é\u0301\u0085\u2028Å\u200b\u202e<[]()!"))).Draw(t, "text")
		require.Equal(t, prose(text), prose(prose(text)))
		require.Equal(t, line(text), line(line(text)))
		var first, second problems
		once := first.markdown("/body_markdown", text)
		if len(first.list) == 0 {
			require.Equal(t, once, second.markdown("/body_markdown", once))
		}
	})
}

func TestTheAuthorIsToldOnceOfEachChange(t *testing.T) {
	t.Parallel()
	var p problems
	require.Equal(t, "password", p.line("/title", "pass\u200bword", maxTitle))
	require.Equal(t, "a b", p.prose("/summary", "a \u200bb\u200b", maxSummary))
	p.markdown("/body_markdown", "Hello <b>x</b> <i>y</i>\n")
	require.Equal(t, []string{"hidden_text_removed"}, p.labels)
	require.Equal(t, []string{
		"/title: hidden text removed", "/summary: hidden text removed", "/body_markdown: html escaped",
	}, p.warnings)
}

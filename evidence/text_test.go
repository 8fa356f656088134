package evidence

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// TestPlainTextIsItsOwnNormalForm holds the short way of prose to its long one.
func TestPlainTextIsItsOwnNormalForm(t *testing.T) {
	t.Parallel()
	long := func(text string) string {
		return norm.NFC.String(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return -1
			}
			return r
		}, lineEnds.Replace(text)))
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n\r\x00\x7f~é\u0301\u0085\u2028Å"))).Draw(t, "text")
		require.Equal(t, long(text), prose(text))
		require.Equal(t, prose(text), prose(prose(text)))
	})
}

package opinion

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/finding"
)

// token is a made-up token of a well-known form, which stands nowhere as such.
func token() string { return "gh" + "p_" + "q7Zt3XnB9LwK4vRd8HsYc2MfJ6pTgU5aEoQ1" }

func TestTheSecondOpinionFlagsWithItsPlace(t *testing.T) {
	const before, after = "We passed ", " to the client.\n"
	filler := strings.Repeat("An ordinary line of an ordinary text, which says nothing.\n", 200)
	for rule, text := range map[string]string{
		"a short text":                  before + token() + after,
		"behind many chunks":            filler + before + token() + after + filler,
		"across the end of a chunk":     strings.Repeat("x ", (chunkBytes-20)/2) + token() + after,
		"beside a comment of allowance": before + token() + " // gitleaks:" + "allow\n",
	} {
		t.Run(rule, func(t *testing.T) {
			found, err := New().Scan(t.Context(), text)
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, token(), text[found[0].Start:found[0].End])
			require.Equal(t, finding.Flag, found[0].Action)
			require.Equal(t, "gitleaks_github_pat", found[0].Rule)
		})
	}
}

func TestOrdinaryTextIsPassed(t *testing.T) {
	found, err := New().Scan(t.Context(), "Restart the server with `systemctl restart nginx`, then look at the log.")
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestTheSecondOpinionStopsWithEnoughAndWithItsContext(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		many.WriteString("token = " + token()[:20] + strings.Repeat(string(rune('A'+i%26)), 4) + token()[24:] + "\n")
	}
	s := New()
	found, err := s.Scan(t.Context(), many.String())
	require.NoError(t, err)
	require.LessOrEqual(t, len(found), maxFindings)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Scan(ended, many.String())
	require.ErrorIs(t, err, context.Canceled)
}

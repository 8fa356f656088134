package markdown

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/text"
	"interai/internal/scanbench"
)

// accepted is a hostile text after both passes that clean it, and whether it was refused.
func accepted(body string) (clean string, refused bool) {
	normal, report := text.Normalise(body)
	for _, f := range report.Findings {
		refused = refused || f.Action.Blocks()
	}
	result, err := Defuse(normal)
	return result.Text, refused || err != nil || Check(normal) != nil
}

func TestHostileTextsOfTheCorpus(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(cmp.Or(os.Getenv("INTERAI_DATA"), filepath.Join("..", "..", "..", "shared", "data")), "antiabuse")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s: its hostile texts were not run", dir)
	}
	for _, part := range []string{"inject.jsonl", "secrets.jsonl", "pii.jsonl"} {
		cases, err := scanbench.Load(dir, part)
		require.NoError(t, err)
		for _, c := range cases {
			clean, refused := accepted(c.Text)
			switch {
			case c.Expect == "allow":
				require.False(t, refused, c.ID)
				if c.Group == "inject" { // elsewhere images are part of what is no secret
					require.Equal(t, c.Text, clean, c.ID)
				}
			case c.Expect == "clean":
				require.False(t, refused, c.ID)
				require.NotEqual(t, c.Text, clean, c.ID)
				requireInert(t, clean)
			case c.Expect == "reject" && c.Group == "inject":
				require.True(t, refused, c.ID)
			}
		}
	}
}

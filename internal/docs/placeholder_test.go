package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// placeholder is a line that waits for its text, such as one word of capitals where a table is to come.
var placeholder = regexp.MustCompile(`^[A-Z]{3,}$`)

// placeholders lists the lines of a document that wait for their text. Code may have words like them.
func placeholders(text string) []string {
	var out []string
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case !code && placeholder.MatchString(line):
			out = append(out, line)
		}
	}
	return out
}

func TestNoDocumentHasAPlaceholder(t *testing.T) {
	root := filepath.Join("..", "..")
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range append(names, filepath.Join(root, "README.md"), filepath.Join(root, "examples", "README.md")) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Empty(t, placeholders(string(text)), name)
	}
}

func TestPlaceholdersAreSeen(t *testing.T) {
	for text, want := range map[string][]string{
		"# A\n\nSCALE\n\nText.\n":     {"SCALE"},
		"TODO":                        {"TODO"},
		"  TABLE  \r\n":               {"TABLE"},
		"OK\n":                        nil, // two letters are an answer
		"A sentence with SCALE.\n":    nil,
		"```\nSELECT\n```\nSCALE\n":   {"SCALE"},
		"| SCALE |\n| --- |\n| A |\n": nil,
	} {
		require.Equal(t, want, placeholders(text), "%q", text)
	}
}

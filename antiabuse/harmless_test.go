package antiabuse

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/antiabuse/finding"
)

// TestPublicIDsAreNeverFound: IDs stand in everything that agents write.
func TestPublicIDsAreNeverFound(t *testing.T) {
	t.Parallel()
	s, err := NewScanner()
	require.NoError(t, err)
	const base32 = "0123456789abcdefghjkmnpqrstvwxyz"
	prefixes := strings.Fields("usr org ai spc ent src thr cnt rev clm ast use rvw rat cas")
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom(prefixes).Draw(t, "prefix") + "_01m8" +
			rapid.StringOfN(rapid.RuneFrom([]rune(base32)), 22, 22, -1).Draw(t, "rest")
		for _, text := range []string{
			id, "interai://" + id, "interai://content/" + id + "/revision/3", "See " + id + ", which says more.", "id: " + id,
			"`" + id + "`", `{"target": "` + id + `"}`, "https://inter-ai.example/" + id + ".md", "key=" + id, "token: " + id,
		} {
			v := s.Scan([]Field{{Name: "id", Text: text, Free: true}}, Options{Labels: true})
			if len(v.Found) > 0 {
				t.Fatalf("%q: %+v", text, v.Found)
			}
		}
	})
}

// TestTheKnowledgeOfTheDemonstrationIsHarmless: it is the kind of text that agents publish.
func TestTheKnowledgeOfTheDemonstrationIsHarmless(t *testing.T) {
	t.Parallel()
	s, err := NewScanner()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join("..", "demo", "knowledge", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		var value any
		require.NoError(t, json.Unmarshal(raw, &value))
		for _, text := range stringsIn(value) {
			v := s.Scan([]Field{{Text: text}}, Options{Labels: true})
			require.False(t, v.Blocks() || slices.ContainsFunc(v.Found, func(f Found) bool { return f.Action > finding.Label }), "%q: %+v", text, v.Found)
		}
	}
}

func stringsIn(value any) (out []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, item := range v {
			out = append(out, stringsIn(item)...)
		}
	case map[string]any:
		for _, item := range v {
			out = append(out, stringsIn(item)...)
		}
	}
	return out
}

package console

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/store"
)

func at(path, rule, action string, line, column, length int) store.CaseFinding {
	return store.CaseFinding{Path: path, Rule: rule, Kind: "secret", Action: action, Line: line, Column: column, Length: length}
}

func joined(v textView) (text string, marks []int) {
	var out strings.Builder
	for _, s := range v.Segments {
		out.WriteString(s.Text)
		if s.No > 0 {
			marks = append(marks, s.No)
		}
	}
	return out.String(), marks
}

func TestFindingsAreMarkedWhereTheyStand(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		text     string
		findings []store.CaseFinding
		want     []int
		marked   string
	}{
		"a sign of its rule":          {"a [secret:x] b", []store.CaseFinding{at("/p", "x", "reject", 1, 3, 9)}, []int{1}, "[secret:x]"},
		"signs in the order of lines": {"[secret:x]\n[secret:x]", []store.CaseFinding{at("/p", "x", "reject", 2, 1, 4), at("/p", "x", "redact", 1, 1, 4)}, []int{2, 1}, "[secret:x]"},
		"a sign of another rule":      {"[secret:y]", []store.CaseFinding{at("/p", "x", "reject", 1, 1, 4)}, nil, ""},
		"a sign that was written":     {"[secret:x]", []store.CaseFinding{at("/p", "x", "label", 1, 1, 2)}, []int{1}, "[s"},
		"a place in characters":       {"äö\nñé key", []store.CaseFinding{at("/p", "x", "label", 2, 4, 3)}, []int{1}, "key"},
		"another path":                {"[secret:x]", []store.CaseFinding{at("/q", "x", "reject", 1, 1, 4)}, nil, ""},
		"a line that is not there":    {"a", []store.CaseFinding{at("/p", "x", "label", 3, 1, 1)}, nil, ""},
		"a column that is not there":  {"a", []store.CaseFinding{at("/p", "x", "label", 1, 2, 1)}, nil, ""},
		"places that overlap":         {"abcdef", []store.CaseFinding{at("/p", "x", "label", 1, 1, 4), at("/p", "y", "label", 1, 2, 4)}, []int{1}, "abcd"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			view := marked([]store.MaskedText{{Path: "/p", Text: tt.text}}, tt.findings)[0]
			text, marks := joined(view)
			require.Equal(t, tt.text, text)
			require.Equal(t, tt.want, marks)
			for _, s := range view.Segments {
				if s.No > 0 {
					require.Equal(t, tt.marked, s.Text)
				}
			}
			require.Equal(t, len(tt.want), view.marks())
		})
	}
}

// Whatever places a case names, no text is lost or doubled.
func TestMarksLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aä\n[]secret:x")), 0, 40, -1).Draw(t, "text")
		findings := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) store.CaseFinding {
			return at("/p", "x", rapid.SampledFrom([]string{"flag", "label", "reject"}).Draw(t, "action"), rapid.IntRange(-1, 4).Draw(t, "line"),
				rapid.IntRange(-1, 12).Draw(t, "column"), rapid.IntRange(-1, 9).Draw(t, "length"))
		}), 0, 6).Draw(t, "findings")
		got, _ := joined(marked([]store.MaskedText{{Path: "/p", Text: text}}, findings)[0])
		require.Equal(t, text, got)
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "under 1 min", 59 * time.Second: "under 1 min", 12 * time.Minute: "12 min", 3*time.Hour + time.Minute: "3 h", 47 * time.Hour: "47 h", 49 * time.Hour: "2 days",
	} {
		require.Equal(t, want, span(d))
	}
	require.Equal(t, "a⟨U+202E⟩b⟨U+0000⟩\n\t\u00a0ä", visible("a\u202eb\x00\n\t\u00a0ä"))
	require.Equal(t, "a b c", oneLine(" a\n\tb  c "))
	require.Equal(t, "{\n  \"a\": 1\n}", pretty(`{"a":1}`))
	require.Equal(t, "[not JSON", pretty("[not JSON"))
}

package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/store"
)

// sides are the two texts that a comparison tells of.
func sides(all []diffLine) (a, b []string) {
	for _, line := range all {
		if line.Op != added {
			a = append(a, line.Text)
		}
		if line.Op != removed {
			b = append(b, line.Text)
		}
	}
	return a, b
}

// longestCommon is the length of the longest common subsequence, by the table.
func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestAComparisonIsTrueAndTheShortest(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"a", "b", "c", ""})
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(line, 0, 30).Draw(t, "a"), rapid.SliceOfN(line, 0, 30).Draw(t, "b")
		all, ok := shortest(a, b)
		require.True(t, ok)
		left, right := sides(all)
		require.True(t, slices.Equal(a, left) && slices.Equal(b, right), "%q %q %v", a, b, all)
		common := 0
		for _, l := range all {
			if l.Op == kept {
				common++
			}
		}
		require.Equal(t, longestCommon(a, b), common)
	})
}

func TestComparisonsAreBounded(t *testing.T) {
	t.Parallel()
	numbered := func(prefix string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint(prefix, i)
		}
		return out
	}
	c := compare(numbered("a", maxEdits), numbered("b", maxEdits))
	require.True(t, c.Whole)
	require.Equal(t, maxEdits, c.Added)
	require.Equal(t, maxEdits, c.Removed)
	require.True(t, compare(numbered("a", maxDiffLines+1), numbered("a", maxDiffLines+2)).Whole)
	require.False(t, compare(numbered("a", maxDiffLines-1), numbered("a", maxDiffLines)).Whole, "long texts with few changes are compared")
}

func TestUnchangedLinesAreLeftOut(t *testing.T) {
	t.Parallel()
	a := strings.Split("1 2 3 4 5 6 7 8 9 10 11 12", " ")
	b := slices.Replace(slices.Clone(a), 5, 6, "six")
	var out strings.Builder
	for _, line := range compare(a, b).Lines {
		fmt.Fprintf(&out, "%s%s%d|%s|%s;", line.Sign(), line.Text, line.Skipped, line.Word(), line.Class())
	}
	require.Equal(t, " 2||kept; 30||kept; 40||kept; 50||kept;-60|removed|removed;+six0|added|added; 70||kept; 80||kept; 90||kept; 3||kept;",
		strings.ReplaceAll(out.String(), " 2||kept; 30", " 2||kept; 30"))
}

func TestOnlyTextsThatDifferAreCompared(t *testing.T) {
	t.Parallel()
	text := func(path, text string) store.MaskedText { return store.MaskedText{Path: path, Text: text} }
	out := changes(
		[]store.MaskedText{text("/title", "A"), text("/body", "x\ny\n"), text("/gone", "z")},
		[]store.MaskedText{text("/title", "A"), text("/body", "x\nz\n"), text("/new", `{"a":1}`)},
	)
	require.Len(t, out, 2)
	require.Equal(t, "/body", out[0].Path)
	require.Equal(t, []int{1, 1}, []int{out[0].Added, out[0].Removed})
	require.Equal(t, "/new", out[1].Path)
	require.Equal(t, 3, out[1].Added, "JSON is compared on lines of its own")
}

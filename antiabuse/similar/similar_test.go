package similar

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// document draws a text of n words; texts of other seeds have other words in another order.
func document(t *rapid.T, label string, n int) []string {
	seed := mix(rapid.Uint64().Draw(t, label)) ^ hash(label)
	out := make([]string, n)
	for i := range out {
		seed = mix(seed + 0x9e3779b97f4a7c15)
		out[i] = fmt.Sprintf("w%x", seed%5000)
	}
	return out
}

// edited replaces a share of the words by others.
func edited(t *rapid.T, words []string, share float64) []string {
	out := slices.Clone(words)
	seed := rapid.Uint64().Draw(t, "edits")
	for range int(share * float64(len(words))) {
		seed = mix(seed + 1)
		out[seed%uint64(len(out))] = fmt.Sprintf("edit%x", seed>>40)
	}
	return out
}

func likeness(t require.TestingT, a, b []string) float64 {
	x, ok := Of(strings.Join(a, " "))
	require.True(t, ok)
	y, ok := Of(strings.Join(b, " "))
	require.True(t, ok)
	return Jaccard(x, y)
}

// The table of ANTIABUSE section 4 as properties.
func TestEditedTextsStayAlikeAndOthersDoNot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := document(t, "words", rapid.IntRange(150, 600).Draw(t, "length"))
		require.InDelta(t, 1, likeness(t, words, words), 0)
		require.GreaterOrEqual(t, likeness(t, words, edited(t, words, 0.05)), Related)
		require.Greater(t, likeness(t, words, edited(t, words, 0.20)), 0.1)
		require.Less(t, likeness(t, words, edited(t, words, 0.5)), Related)
		require.Less(t, likeness(t, words, document(t, "others", 300)), Related)
		wrapped := slices.Concat(document(t, "before", len(words)*15/100), words, document(t, "behind", len(words)*15/100))
		require.GreaterOrEqual(t, likeness(t, words, wrapped), Related)
		half := len(words) / 2
		require.GreaterOrEqual(t, likeness(t, words, slices.Concat(words[half:], words[:half])), Duplicate)
	})
}

func TestCopiesMeetInABandAndOthersDoNot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := document(t, "words", 300)
		a, _ := Of(strings.Join(words, " "))
		b, _ := Of(strings.Join(edited(t, words, 0.04), " "))
		c, _ := Of(strings.Join(document(t, "others", 300), " "))
		require.Positive(t, shared(a, b))
		require.Zero(t, shared(a, c))
	})
}

func shared(a, b Signature) (n int) {
	x, y := a.Bands(), b.Bands()
	for i := range x {
		if x[i] == y[i] {
			n++
		}
	}
	return n
}

func TestTheEstimateIsNearTheTruth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := document(t, "words", 300)
		other := edited(t, words, rapid.Float64Range(0, 0.3).Draw(t, "share"))
		truth := Compare(strings.Join(words, " "), strings.Join(other, " "))
		require.Less(t, math.Abs(truth-likeness(t, words, other)), 0.32, "five standard errors")
	})
}

func TestShortTextsHaveNoSignature(t *testing.T) {
	t.Parallel()
	_, ok := Of(strings.Repeat("word ", MinWords-1))
	require.False(t, ok)
	_, ok = Of(strings.Repeat("word ", MinWords))
	require.True(t, ok)
	_, ok = Of("")
	require.False(t, ok)
	_, ok = Of(strings.Repeat("身", MinWords))
	require.True(t, ok, "scripts without blanks are read letter by letter")
}

func TestExactFoldsWhatDoesNotMatter(t *testing.T) {
	t.Parallel()
	require.Equal(t, Exact("It works, mostly!"), Exact("  IT WORKS\nmostly"))
	require.NotEqual(t, Exact("It works"), Exact("It work s"))
	require.Equal(t, 1.0, Compare("Good.", "good"))
	require.Zero(t, Compare("good", "bad"))
	require.Zero(t, Compare("good", "a b c d"))
	require.Equal(t, 1.0, Compare("a b c d", "A, b: c d!"))
	require.Equal(t, 0.5, Compare("a b c d", "a b c"))
}

func TestSignaturesAreStoredAsTheyAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, _ := Of(strings.Join(document(t, "words", 40), " "))
		read, err := Decode(s.Encode())
		require.NoError(t, err)
		require.Equal(t, s, read)
	})
	for _, bad := range [][]byte{nil, {1}, make([]byte, encodedBytes), make([]byte, encodedBytes+1)} {
		_, err := Decode(bad)
		require.ErrorIs(t, err, ErrSignature)
	}
}

// A signature that is stored must mean the same after every change of the code: a change here is a new version.
func TestVersionOneIsFrozen(t *testing.T) {
	t.Parallel()
	s, ok := Of(strings.Repeat("the worker acquires an advisory lock before it drains the queue ", 5))
	require.True(t, ok)
	bands := s.Bands()
	require.Equal(t, frozen, [4]int64(bands[:4]))
}

func TestWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3, Words("One, two; THREE!", 10))
	require.Equal(t, 2, Words("one two three", 2), "it stops")
	require.Equal(t, 4, Words("\u6f22\u5b57\u3067\u3059", 10), "letter by letter")
	require.Zero(t, Words(" .,; ", 10))
}

func FuzzDecode(f *testing.F) {
	s, _ := Of("a b c d")
	f.Add(s.Encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, stored []byte) {
		if s, err := Decode(stored); err == nil {
			require.Equal(t, stored, s.Encode())
		}
	})
}

func BenchmarkOf(b *testing.B) {
	body := strings.Repeat("The worker acquires an advisory lock before it drains the queue. ", 310)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Of(body)
	}
}

// frozen are the first bands of the text of TestVersionOneIsFrozen.
var frozen = [4]int64{-6536200651147352671, -604266613042332540, -5583242289951938794, -7316720491144983883}

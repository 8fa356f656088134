package searchbench

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/claimkey"
)

// neverMerge are the sets of pairs of which none may be linked.
var neverMerge = []string{"neg_scifact_natural.dev", "neg_scifact_synth.dev", "num_scifact_synth.dev", "tech_neg.dev"}

// claimSets are all sets of pairs with the language they are in.
var claimSets = []struct{ name, language string }{
	{"qqp.dev", "en"},
	{"mrpc.dev", "en"},
	{"paws_en.dev", "en"},
	{"paws_de.dev", "de"},
	{"paws_fr.dev", "fr"},
	{"paws_es.dev", "es"},
	{"neg_scifact_natural.dev", "en"},
	{"neg_scifact_synth.dev", "en"},
	{"num_scifact_synth.dev", "en"},
	{"pos_scifact_surface.dev", "en"},
	{"tech_neg.dev", "en"},
	{"tech_pos.dev", "en"},
}

// pair is two wordings, and whether they are the same claim.
type pair struct {
	Same bool
	A, B string
}

// loadPairs reads pairs/NAME.tsv.gz: label, wording, wording.
func loadPairs(tb testing.TB, name string) []pair {
	tb.Helper()
	var pairs []pair
	lines(tb, filepath.Join(dataDir(tb), "pairs", name+".tsv.gz"), func(line string) {
		fields := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if len(fields) != 3 || fields[0] != "0" && fields[0] != "1" {
			tb.Fatalf("%s: not label, wording, wording: %.60q", name, line)
		}
		pairs = append(pairs, pair{Same: fields[0] == "1", A: fields[1], B: fields[2]})
	})
	if len(pairs) == 0 {
		tb.Fatalf("%s is empty", name)
	}
	return pairs
}

// suggestAt is the similarity from which on a claim is suggested to who publishes another.
const suggestAt = .6

// claimScore is what the keys do on one set.
type claimScore struct {
	pairs, same      int
	byTier           [4]int // pairs linked, by tier
	right            int    // of those, pairs that are the same
	differs          int    // pairs of which a guard says that they differ
	opposite         int    // and that they may be opposite
	samePairDiffers  int    // the guard speaks although the pair is the same
	samePairOpposite int
	unlooked         int // linked pairs that no look-up by keys would have found
	wrong            []pair
	missed           []pair
	suggested        int // pairs that are similar enough to be suggested
}

func (s *claimScore) linked() int { return s.byTier[1] + s.byTier[2] + s.byTier[3] }

// measureClaims decides all pairs of a set.
func measureClaims(pairs []pair, language string) *claimScore {
	s := &claimScore{pairs: len(pairs)}
	for _, pair := range pairs {
		tier := claimkey.Equivalent(pair.A, pair.B, language)
		s.byTier[tier]++
		hint, differs := claimkey.Compare(pair.A, pair.B, language)
		opposite := hint == claimkey.PossiblyOpposite
		if differs {
			s.differs++
		}
		if opposite {
			s.opposite++
		}
		if pair.Same {
			s.same++
			if differs {
				s.samePairDiffers++
			}
			if opposite {
				s.samePairOpposite++
			}
		}
		if claimkey.Similarity(pair.A, pair.B, language, nil) >= suggestAt {
			s.suggested++
		}
		switch {
		case tier != claimkey.None && pair.Same:
			s.right++
		case tier != claimkey.None:
			s.wrong = append(s.wrong, pair)
		case pair.Same:
			s.missed = append(s.missed, pair)
		}
		if tier != claimkey.None && !meet(claimkey.Of(pair.A, language), claimkey.Of(pair.B, language)) {
			s.unlooked++
		}
	}
	return s
}

// meet reports whether a look-up by keys finds one claim from another.
func meet(a, b claimkey.Keys) bool {
	return a.Strict == b.Strict || a.HasSequence && b.HasSequence && a.Sequence == b.Sequence ||
		a.HasRotation && b.HasRotation && a.Rotation == b.Rotation
}

// claimTable is the table of all sets in Markdown.
func claimTable(tb testing.TB) string {
	tb.Helper()
	var b strings.Builder
	b.WriteString("| pairs | n | strict | sequence | rotation | merges | P | R | differs | opposite | of equals: differs / opposite | suggested |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, set := range claimSets {
		s := measureClaims(loadPairs(tb, set.name), set.language)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s | %s | %s | %s | %s / %s | %s |\n", set.name, s.pairs, s.byTier[1], s.byTier[2], s.byTier[3],
			s.linked(), ratio(s.right, s.linked()), ratio(s.right, s.same), ratio(s.differs, s.pairs), ratio(s.opposite, s.pairs),
			ratio(s.samePairDiffers, s.same), ratio(s.samePairOpposite, s.same), ratio(s.suggested, s.pairs))
	}
	return b.String()
}

func ratio(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(part)/float64(whole))
}

func TestClaimsOfOtherMeaningNeverMerge(t *testing.T) {
	for _, name := range neverMerge {
		s := measureClaims(loadPairs(t, name), "en")
		require.Empty(t, s.wrong, name)
		require.Zero(t, s.linked(), name)
	}
}

func TestSurfaceVariantsMerge(t *testing.T) {
	for name, least := range map[string]float64{"pos_scifact_surface.dev": .99, "tech_pos.dev": 1} {
		s := measureClaims(loadPairs(t, name), "en")
		require.GreaterOrEqual(t, float64(s.right)/float64(s.same), least, "%s misses %q", name, s.missed[:min(20, len(s.missed))])
		require.Zero(t, s.unlooked, name)
	}
}

// Three pairs of qqp.dev that are linked have the label "different": they are the same question with another article or
// plural. What is linked beside them must be the same.
func TestParaphrasesMergeOnlyWithPrecision(t *testing.T) {
	for name, least := range map[string]float64{"qqp.dev": .95, "mrpc.dev": 1, "paws_en.dev": 1} {
		s := measureClaims(loadPairs(t, name), "en")
		require.Positive(t, s.linked(), name)
		require.GreaterOrEqual(t, float64(s.right)/float64(s.linked()), least, "%s merges %q", name, s.wrong)
		require.Zero(t, s.unlooked, name)
	}
}

// BenchmarkClaims prints the table of claim keys.
func BenchmarkClaims(b *testing.B) {
	for b.Loop() {
		fmt.Println(claimTable(b))
	}
}

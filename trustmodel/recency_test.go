package trustmodel

import (
	"math"
	"testing"
)

func TestRecencyHalvesAndStopsAtTheFloor(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		table recency
		age   int64 // bins
		want  int64 // parts per million
	}{
		"new usage":                      {m.general.usage, 0, 1_000_000},
		"usage after a half-life":        {m.general.usage, 6, 500_000},
		"usage after two":                {m.general.usage, 12, 250_000},
		"usage just above the floor":     {m.general.usage, 25, 55_681},
		"usage at the floor":             {m.general.usage, 26, 50_000},
		"usage of another age":           {m.general.usage, 10_000, 50_000},
		"reviews after a year":           {m.general.review, 12, 504_770},
		"reviews of old":                 {m.general.review, math.MaxInt32, 50_000},
		"claim evidence after a year":    {m.claims.usage, 12, 842_895},
		"claim reviews age the same way": {m.claims.review, 12, 842_895},
	} {
		if got := c.table.factor(c.age); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestRecencyNeverRises(t *testing.T) {
	m := newModel(t)
	for _, table := range []recency{m.general.usage, m.general.review, m.claims.usage} {
		for age := range int64(len(table) + 10) {
			if table.factor(age+1) > table.factor(age) {
				t.Errorf("the factor rises at age %d", age)
			}
		}
	}
}

func TestEvidenceFromTheFutureIsNew(t *testing.T) {
	for name, c := range map[string]struct {
		index, asOf int32
		want        int64
	}{
		"the same bin":     {5, 5, 0},
		"three bins ago":   {2, 5, 3},
		"a later bin":      {9, 5, 0},
		"no overflow back": {math.MinInt32, math.MaxInt32, math.MaxUint32},
		"no overflow on":   {math.MaxInt32, math.MinInt32, 0},
	} {
		if got := ageOf(c.index, c.asOf); got != c.want {
			t.Errorf("%s: age %d, want %d", name, got, c.want)
		}
	}
}

// TestClassesByKind checks which half-life each kind of evidence gets: real use
// a half-life ago has strength 4.5, hence mass 4.5/5.5.
func TestClassesByKind(t *testing.T) {
	m := newModel(t)
	grounded := Record{Kind: RecordReview, Verdict: VerdictConfirmed, ConfidenceMilli: 1000, Grounded: true}
	for name, c := range map[string]struct {
		kind   TargetKind
		record Record
		age    int32
		want   int64 // nano-parties of G
	}{
		"usage of content, 180 days":  {KindContent, realSuccess, 6, 818_181_818},
		"usage of an entity likewise": {KindEntity, realSuccess, 6, 818_181_818},
		"usage of a claim, 4 years":   {KindClaim, realSuccess, 6, 892_041_723},
		"reviews of content, a year":  {KindContent, grounded, 12, 502_373_774},
		"reviews of a claim, 4 years": {KindClaim, grounded, 12, 627_670_043},
	} {
		got := m.Compute(Input{Kind: c.kind, AsOfBin: asOf, Parties: []Party{partyOf(m, proven, c.age, c.record)}})
		if d := got.Totals.GPlus - c.want; d < -300 || d > 300 {
			t.Errorf("%s: %d, want %d", name, got.Totals.GPlus, c.want)
		}
	}
}

package trustmodel

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestRecordStrengths(t *testing.T) {
	m := newModel(t)
	review := func(v Verdict, confidence int32, grounded bool) Record {
		return Record{Kind: RecordReview, Verdict: v, ConfidenceMilli: confidence, Grounded: grounded}
	}
	for name, c := range map[string]struct {
		record Record
		want   Sums
	}{
		"a real success":           {realSuccess, Sums{UsagePos: 9000, RealWorld: 1, Records: 1}},
		"a real partial":           {realPartial, Sums{UsagePos: 5400, UsageNeg: 3600, RealWorld: 1, Records: 1}},
		"a real failure":           {realFailure, Sums{UsageNeg: 9000, Records: 1}},
		"a real unknown":           {Record{Kind: RecordUsage, RealWorld: true}, Sums{Records: 1}},
		"a test success":           {testSuccess, Sums{UsagePos: 2000, Records: 1}},
		"a test partial":           {Record{Kind: RecordUsage, Result: ResultPartial}, Sums{UsagePos: 1200, UsageNeg: 800, Records: 1}},
		"a test failure":           {Record{Kind: RecordUsage, Result: ResultFailure}, Sums{UsageNeg: 2000, Records: 1}},
		"confirmed, grounded":      {review(VerdictConfirmed, 1000, true), Sums{ReviewPos: 2000, Records: 1}},
		"confirmed, ungrounded":    {review(VerdictConfirmed, 1000, false), Sums{UngroundedPos: 1000, Records: 1}},
		"confidence scales":        {review(VerdictConfirmed, 333, true), Sums{ReviewPos: 666, Records: 1}},
		"missing confidence is .7": {review(VerdictConfirmed, MissingConfidence, false), Sums{UngroundedPos: 700, Records: 1}},
		"no confidence is .05":     {review(VerdictConfirmed, 0, false), Sums{UngroundedPos: 50, Records: 1}},
		"confidence 50 is .05":     {review(VerdictConfirmed, 50, false), Sums{UngroundedPos: 50, Records: 1}},
		"confidence 51 is .051":    {review(VerdictConfirmed, 51, false), Sums{UngroundedPos: 51, Records: 1}},
		"confidence over 1 is 1":   {review(VerdictConfirmed, 5000, false), Sums{UngroundedPos: 1000, Records: 1}},
		"mostly correct":           {review(VerdictMostlyCorrect, 1000, false), Sums{UngroundedPos: 640, UngroundedNeg: 160, Records: 1}},
		"questionable":             {review(VerdictQuestionable, 1000, false), Sums{UngroundedPos: 175, UngroundedNeg: 325, Records: 1}},
		"misleading":               {review(VerdictMisleading, 1000, true), Sums{ReviewPos: 270, ReviewNeg: 1530, Records: 1}},
		"contradicted":             {review(VerdictContradicted, 1000, true), Sums{ReviewNeg: 2000, Records: 1}},
		"false":                    {review(VerdictFalse, 1000, false), Sums{UngroundedNeg: 1000, Records: 1}},
		"outdated":                 {review(VerdictOutdated, 1000, true), Sums{Outdated: 1, Records: 1}},
		"cannot verify":            {review(VerdictCannotVerify, 1000, true), Sums{Records: 1}},
		"an assertion":             {assertion, Sums{Asserted: 250, Records: 1}},
		"the zero record":          {Record{}, Sums{Records: 1}},
		"no kind of record":        {Record{Kind: 9, Result: ResultSuccess}, Sums{}},
		"a verdict on usage is no evidence": {
			Record{Kind: RecordUsage, Verdict: VerdictConfirmed, Grounded: true, ConfidenceMilli: 1000}, Sums{Records: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := m.Sums(c.record); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestRatingsAreNoEvidence: there is no kind of record for a rating, and what is
// no kind of record leaves nothing in the statistics, whatever its fields say. So
// ratings cannot reach a value, a counter, a status or a track.
func TestRatingsAreNoEvidence(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t)
		r.Kind = RecordKind(rapid.IntRange(int(RecordAssertion)+1, math.MaxUint8).Draw(t, "another kind"))
		if got := m.Sums(r); !got.IsZero() {
			t.Fatalf("%+v left %+v", r, got)
		}
	})
}

// TestRoundingLosesNothing checks that the two sides of a split are the whole
// strength, for every verdict and confidence.
func TestRoundingLosesNothing(t *testing.T) {
	m := newModel(t)
	for v := VerdictConfirmed; v <= VerdictFalse; v++ {
		j, _ := m.judgement(v)
		for c := range int32(1001) {
			s := m.Sums(Record{Kind: RecordReview, Verdict: v, ConfidenceMilli: c})
			want := milli(m.confidence(c) * j.Intensity)
			if s.UngroundedPos+s.UngroundedNeg != want || s.UngroundedPos < 0 || s.UngroundedNeg < 0 {
				t.Fatalf("%v at %d: %d + %d, want %d in all", v, c, s.UngroundedPos, s.UngroundedNeg, want)
			}
		}
	}
}

func TestMassOfOneRecord(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		record Record
		want   float64
	}{
		"real use":          {realSuccess, .9},
		"test use":          {testSuccess, 2. / 3},
		"grounded review":   {Record{Kind: RecordReview, Verdict: VerdictFalse, ConfidenceMilli: 1000, Grounded: true}, 2. / 3},
		"ungrounded review": {judged(VerdictFalse), .5},
		"assertion":         {assertion, .2},
	} {
		p := partyOf(m, proven, 0, c.record)
		s := p.strengthsOf(&m.general, asOf)
		o := s.opinion()
		if got := o.mass(); got < c.want-1e-12 || got > c.want+1e-12 {
			t.Errorf("%s: mass %v, want %v", name, got, c.want)
		}
	}
}

package trustmodel

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestCounters(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	grounded := Record{Kind: RecordReview, Verdict: VerdictConfirmed, ConfidenceMilli: 1000, Grounded: true}
	one := func(w Weights, records ...Record) []Party { return []Party{partyOf(m, w, 0, records...)} }
	author := func(records ...Record) []Party {
		p := partyOf(m, proven, 0, records...)
		p.Author = true
		return []Party{p}
	}
	stater := func(records ...Record) []Party {
		return one(proven, append(records, assertion)...)
	}
	type counts struct{ confirm, contradict, real, parties, fresh int }
	for name, c := range map[string]struct {
		parties []Party
		want    counts
	}{
		"nobody":                                      {nil, counts{}},
		"a domain that used it":                       {one(id["domain"], realSuccess), counts{1, 0, 1, 1, 0}},
		"a domain that tested it":                     {one(id["domain"], testSuccess), counts{1, 0, 0, 1, 0}},
		"a domain that failed in real use":            {one(id["domain"], realFailure), counts{0, 1, 0, 1, 0}},
		"partial success alone is mixed":              {one(proven, realPartial), counts{0, 0, 0, 1, 0}},
		"partial use beside a good review confirms":   {one(proven, realPartial, testSuccess, testSuccess), counts{1, 0, 1, 1, 0}},
		"two thirds support":                          {one(proven, testSuccess, testSuccess, Record{Kind: RecordUsage, Result: ResultFailure}), counts{1, 0, 0, 1, 0}},
		"one third contradicts":                       {one(proven, testSuccess, Record{Kind: RecordUsage, Result: ResultFailure}, Record{Kind: RecordUsage, Result: ResultFailure}), counts{0, 1, 0, 1, 0}},
		"just under two thirds is mixed":              {one(proven, groundedReview(VerdictConfirmed, 666), groundedReview(VerdictFalse, 334)), counts{0, 0, 0, 1, 0}},
		"just over one third is mixed":                {one(proven, groundedReview(VerdictConfirmed, 334), groundedReview(VerdictFalse, 666)), counts{0, 0, 0, 1, 0}},
		"an even split is neither":                    {one(proven, realSuccess, realFailure), counts{0, 0, 0, 1, 0}},
		"real use of a contradicting party":           {one(proven, realSuccess, realFailure, realFailure, realFailure), counts{0, 1, 0, 1, 0}},
		"an assertion is no confirmation":             {one(proven, assertion), counts{0, 0, 0, 1, 0}},
		"an assertion of a newcomer is none either":   {one(id["email"], assertion), counts{0, 0, 0, 1, 1}},
		"a claim stated in ten places is stated once": {one(proven, assertion, assertion, assertion, assertion, assertion, assertion, assertion, assertion, assertion, assertion), counts{0, 0, 0, 1, 0}},
		"who states a claim does not confirm it":      {stater(realSuccess, grounded), counts{0, 0, 0, 1, 0}},
		"who states a claim may admit its fault":      {stater(realSuccess, realFailure), counts{0, 1, 0, 1, 0}},
		"mass just under .3":                          {one(proven, review(428)), counts{0, 0, 0, 1, 0}},
		"mass just over .3":                           {one(proven, review(429)), counts{1, 0, 0, 1, 0}},
		"v just under established":                    {one(Weights{Identity: .79, V: .79, Plus: .79, Minus: .79}, realSuccess), counts{1, 0, 0, 1, 1}},
		"v of established":                            {one(Weights{Identity: .8, V: .8, Plus: .8, Minus: .8}, realSuccess), counts{1, 0, 1, 1, 0}},
		"weights just under .5":                       {one(Weights{Identity: 1, V: 1, Plus: .25, Minus: .2499}, realSuccess), counts{0, 0, 0, 1, 0}},
		"weights of .5":                               {one(Weights{Identity: 1, V: 1, Plus: .25, Minus: .25}, realSuccess), counts{1, 0, 1, 1, 0}},
		"a thousand newcomers confirm once":           {crowd(m, 1000, id["none"], realSuccess), counts{1, 0, 0, 1000, 1000}},
		"newcomers contradict once":                   {crowd(m, 20, id["email"], realFailure), counts{0, 1, 0, 20, 20}},
		"newcomers in balance count nothing":          {join(crowd(m, 5, id["email"], realSuccess), crowd(m, 5, id["email"], realFailure)), counts{0, 0, 0, 10, 10}},
		"newcomers tilt by weight, not by number":     {join(crowd(m, 3, id["none"], realSuccess), crowd(m, 2, id["email"], realFailure)), counts{0, 1, 0, 5, 5}},
		"newcomers come on top of the established":    {join(crowd(m, 3, id["domain"], grounded), crowd(m, 3, id["email"], realSuccess)), counts{4, 0, 0, 6, 3}},
		"the author's own success":                    {author(realSuccess, grounded), counts{}},
		"the author's admission":                      {author(realSuccess, realFailure), counts{0, 1, 0, 1, 0}},
		"the author's partial success is a fault":     {author(realPartial), counts{0, 1, 0, 1, 0}},
		"records without evidence":                    {one(proven, Record{Kind: RecordUsage, RealWorld: true}, judged(VerdictCannotVerify), judged(VerdictOutdated)), counts{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := content(m, c.parties...)
			got := counts{s.Confirmations, s.Contradictions, s.RealWorldConfirmations, s.Parties, s.FreshParties}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// review is an ungrounded confirming review of some confidence: .4286 of mass
// .3 is where a party begins to count.
func review(confidenceMilli int32) Record {
	return Record{Kind: RecordReview, Verdict: VerdictConfirmed, ConfidenceMilli: confidenceMilli}
}

func groundedReview(v Verdict, confidenceMilli int32) Record {
	return Record{Kind: RecordReview, Verdict: v, ConfidenceMilli: confidenceMilli, Grounded: true}
}

func TestIdentitySumsCoverTheCountedEstablished(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	nine := Weights{Identity: .9, V: .9, Plus: .9, Minus: .9}
	parties := join(
		crowd(m, 2, nine, realSuccess),                       // count for I+
		crowd(m, 1, id["domain"], realSuccess),               // counts for I+
		crowd(m, 3, nine, realFailure),                       // count for I-
		crowd(m, 4, id["domain"], assertion),                 // too little mass
		crowd(m, 5, id["email"], realSuccess),                // not established
		crowd(m, 1, id["domain"], realPartial),               // mixed
		crowd(m, 1, Weights{Identity: 1, V: 1}, realSuccess), // no weight
		crowd(m, 1, id["domain"], judged(VerdictOutdated)),   // no opinion on the value
	)
	s := content(m, parties...)
	if s.IdentityPlus != 2.8 || s.IdentityMinus != 2.7 {
		t.Errorf("I+ %v and I- %v, want 2.8 and 2.7", s.IdentityPlus, s.IdentityMinus)
	}
}

// TestUngroundedFillsOnlyWhatIsUncertain checks the nesting of the channels: a
// party that has used the target says nothing more by reviewing it unseen.
func TestUngroundedFillsOnlyWhatIsUncertain(t *testing.T) {
	m := newModel(t)
	used := content(m, partyOf(m, proven, 0, realSuccess))
	both := content(m, partyOf(m, proven, 0, realSuccess, judged(VerdictFalse)))
	if used.Totals.GPlus != both.Totals.GPlus {
		t.Errorf("grounded evidence was diluted: %d, %d", used.Totals.GPlus, both.Totals.GPlus)
	}
	if want := int64(50_000_000); both.Totals.RMinus != want {
		t.Errorf("ungrounded disbelief %d, want %d: a tenth of one half", both.Totals.RMinus, want)
	}
}

// TestCapsBoundTheCrowds checks the three caps at numbers that would be the
// whole posterior without them.
func TestCapsBoundTheCrowds(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	for name, c := range map[string]struct {
		parties []Party
		x, mass float64 // at least .9 of these, never more
	}{
		"newcomers are at most half a party":      {crowd(m, 5000, id["email"], realSuccess), .5, .5},
		"ungrounded reviews are at most five":     {crowd(m, 500, proven, judged(VerdictConfirmed)), 5, 4},
		"all evidence together is at most twenty": {crowd(m, 5000, proven, realSuccess), 5000, 20},
	} {
		s := content(m, c.parties...)
		mass := s.Alpha + s.Beta - 1
		if s.Totals.X > c.x || s.Totals.X < .89*c.x || mass > c.mass || mass < .89*c.mass {
			t.Errorf("%s: x %v, mass %v, want about %v, %v", name, s.Totals.X, mass, c.x, c.mass)
		}
	}
}

// TestPartsAreTheTalliesOfTheirAges holds each part of a tally against the
// whole tally of what is of its ages alone.
func TestPartsAreTheTalliesOfTheirAges(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		tally := tallyOf(m, &in)
		for name, c := range map[string]struct {
			got         Part
			least, most int32 // age in bins
		}{"window": {tally.Window, -9, 12}, "recent": {tally.Recent, -9, 3}, "older": {tally.Older, 4, 999}} {
			aged := in
			aged.Parties = nil
			for _, p := range in.Parties {
				bins, states := p.Bins, p.role().stater
				p.Bins = nil
				for _, b := range bins {
					if states { // whenever it does: of what one states, only failures count at any age
						b.Sums = Sums{UsageNeg: b.Sums.UsageNeg, Asserted: b.Sums.Asserted, Records: b.Sums.Records}
					}
					if age := asOf - b.Index; age >= c.least && age <= c.most {
						p.Bins = append(p.Bins, b)
					}
				}
				aged.Parties = append(aged.Parties, p)
			}
			if want := tallyOf(m, &aged).All; !reflect.DeepEqual(c.got, want) {
				t.Fatalf("%s: got %+v, want %+v", name, c.got, want)
			}
		}
	})
}

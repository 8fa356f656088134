package trustmodel

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// asOf is the moment of evaluation of the tests; records are as old as a test
// says, counted back from here.
const asOf int32 = 680

var (
	proven = Weights{Identity: 1, V: 1, Plus: 1, Minus: 1}

	realSuccess = Record{Kind: RecordUsage, Result: ResultSuccess, RealWorld: true}
	realPartial = Record{Kind: RecordUsage, Result: ResultPartial, RealWorld: true}
	realFailure = Record{Kind: RecordUsage, Result: ResultFailure, RealWorld: true}
	testSuccess = Record{Kind: RecordUsage, Result: ResultSuccess}
	assertion   = Record{Kind: RecordAssertion}
)

// judged is an ungrounded review at full confidence.
func judged(v Verdict) Record {
	return Record{Kind: RecordReview, Verdict: v, ConfidenceMilli: 1000}
}

func newModel(tb testing.TB) *Model {
	tb.Helper()
	m, err := NewModel(V1())
	if err != nil {
		tb.Fatalf("trust-v1 is refused: %v", err)
	}
	return m
}

// partyOf makes a party whose records are all of one bin, age bins ago.
func partyOf(m *Model, w Weights, age int32, records ...Record) Party {
	var s Sums
	for _, r := range records {
		s = s.Plus(m.Sums(r))
	}
	return Party{Weights: w, Bins: []Bin{{Index: asOf - age, Sums: s}}}
}

// crowd makes n parties that each hold the same records, made now.
func crowd(m *Model, n int, w Weights, records ...Record) []Party {
	parties := make([]Party, n)
	for i := range parties {
		parties[i] = partyOf(m, w, 0, records...)
	}
	return withKeys(parties)
}

// withKeys numbers parties, so that each is one of its own.
func withKeys(parties []Party) []Party {
	for i := range parties {
		binary.BigEndian.PutUint64(parties[i].Key[:], uint64(i)+1)
	}
	return parties
}

func join(groups ...[]Party) []Party {
	var all []Party
	for _, g := range groups {
		all = append(all, g...)
	}
	return withKeys(all)
}

// content evaluates parties on a content item.
func content(m *Model, parties ...Party) Snapshot {
	return m.Compute(Input{Kind: KindContent, AsOfBin: asOf, Parties: withKeys(parties)})
}

// identities are the weights that parties without a record have, and proven.
func identities(m *Model) map[string]Weights {
	return map[string]Weights{
		"none":   m.IdentityWeights(Identity{}),
		"email":  m.IdentityWeights(Identity{Email: true}),
		"domain": m.IdentityWeights(Identity{Domain: true}),
		"proven": proven,
	}
}

// genRecord draws any record a tool can make.
func genRecord(t *rapid.T) Record {
	return Record{
		Kind:            RecordKind(rapid.IntRange(0, 2).Draw(t, "kind")),
		Result:          Result(rapid.IntRange(0, 3).Draw(t, "result")),
		RealWorld:       rapid.Bool().Draw(t, "real"),
		Verdict:         Verdict(rapid.IntRange(0, 7).Draw(t, "verdict")),
		ConfidenceMilli: int32(rapid.IntRange(-1, 1000).Draw(t, "confidence")),
		Grounded:        rapid.Bool().Draw(t, "grounded"),
	}
}

// genWeights draws weights that identities or a track record could give.
func genWeights(t *rapid.T) Weights {
	v := rapid.SampledFrom([]float64{.3, .7, .79, .8, .9, 1}).Draw(t, "v")
	return Weights{
		Identity: rapid.SampledFrom([]float64{.3, .7, 1}).Draw(t, "v0"),
		V:        v,
		Plus:     v * rapid.Float64Range(.02, 1).Draw(t, "plus"),
		Minus:    v * rapid.Float64Range(.02, 1).Draw(t, "minus"),
	}
}

// genParty draws a party with up to maxRecords records over ten years.
func genParty(t *rapid.T, m *Model, maxRecords int) Party {
	p := Party{
		Weights: genWeights(t),
		Author:  rapid.IntRange(0, 9).Draw(t, "author") == 0,
	}
	for range rapid.IntRange(0, maxRecords).Draw(t, "records") {
		r := genRecord(t)
		b := Bin{Index: asOf - int32(rapid.IntRange(-1, 120).Draw(t, "age")), Sums: m.Sums(r)}
		if r.Kind == RecordReview && !r.Grounded {
			b.Family = rapid.SampledFrom([]string{"", "", "a.example", "b.example"}).Draw(t, "family")
		}
		p.Bins = append(p.Bins, b)
	}
	return p
}

// genInput draws a target with up to 8 parties.
func genInput(t *rapid.T, m *Model) Input {
	in := Input{
		Kind:       TargetKind(rapid.IntRange(0, 2).Draw(t, "target")),
		AsOfBin:    asOf,
		Superseded: rapid.IntRange(0, 19).Draw(t, "superseded") == 0,

		IncorrectClaim: rapid.IntRange(0, 19).Draw(t, "incorrect claim") == 0,
	}
	if rapid.IntRange(0, 3).Draw(t, "carried") == 0 {
		in.Carry = Carry{
			Plus:  rapid.Float64Range(0, 4).Draw(t, "carry+"),
			Minus: rapid.Float64Range(0, 4).Draw(t, "carry-"),

			Identity:  rapid.Float64Range(0, 4).Draw(t, "carried identity"),
			RealWorld: rapid.IntRange(0, 2).Draw(t, "carried real use"),
			Anchors:   rapid.IntRange(-2, 2).Draw(t, "carried anchors"),
		}
	}
	for range rapid.IntRange(0, 8).Draw(t, "parties") {
		in.Parties = append(in.Parties, genParty(t, m, 4))
	}
	withKeys(in.Parties)
	return in
}

// withRecord returns in with one more record, now, by the party at index i.
func withRecord(in Input, i int, s Sums) Input {
	parties := append([]Party(nil), in.Parties...)
	parties[i].Bins = append(append([]Bin(nil), parties[i].Bins...), Bin{Index: in.AsOfBin, Sums: s})
	in.Parties = parties
	return in
}

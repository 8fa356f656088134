package trustmodel

import (
	"testing"

	"pgregory.net/rapid"
)

// genCrowd draws a target of whole crowds that say the same, up to some hundred
// parties, so that every cap binds, those of source families too.
func genCrowd(t *rapid.T, m *Model) Input {
	in := genInput(t, m)
	for range rapid.IntRange(1, 5).Draw(t, "crowds") {
		p := genParty(t, m, 6)
		if rapid.Bool().Draw(t, "of one mind") {
			p = genOfOneMind(t, m)
		}
		for range rapid.SampledFrom([]int{1, 2, 4, 8, 60}).Draw(t, "size") {
			in.Parties = append(in.Parties, p)
		}
	}
	in.Parties = withKeys(append(in.Parties, genOfOneMind(t, m), Party{Weights: genWeights(t)}))
	return in
}

// genOfOneMind draws a party of full weight that has used the target, or whose
// agents have judged it unseen by one source, or by none.
func genOfOneMind(t *rapid.T, m *Model) Party {
	r := rapid.SampledFrom([]Record{realSuccess, realFailure, judged(VerdictConfirmed), judged(VerdictFalse), judged(VerdictConfirmed), judged(VerdictFalse)}).Draw(t, "mind")
	p := partyOf(m, proven, 0, repeat(r, rapid.SampledFrom([]int{1, 3, 9}).Draw(t, "agents"))...)
	if r.Kind == RecordReview {
		p.Bins[0].Family = rapid.SampledFrom([]string{"", "a.example"}).Draw(t, "source")
	}
	return p
}

// saysUnseen tells whether a party has judged a target without having used it.
func saysUnseen(p *Party) (plus, minus bool) {
	var s Sums
	for i := range p.Bins {
		s = s.Plus(p.Bins[i].Sums)
	}
	return s.UngroundedPos > 0 || s.Asserted > 0, s.UngroundedNeg > 0
}

// fallbacks are the most that a value, or a bound, was ever seen to go the wrong way, in
// an ascent over all figures at the constants of trust-v1. The way is this: who
// has used a target needs no longer be heard as one who judges it unseen. That
// makes room under the cap of all such judges, and of the one source that they
// rest on; and others, who may say the opposite, take it.
const (
	fallback        = .007 // at most .0065 where no source family is over its cap
	familyFallback  = .030 // at most .0295 where one is
	confidenceSlack = 1e-3 // a review by one source makes those by another weigh less, which leaves room under its cap
)

// TestOneMoreSuccessNeverHurtsInACrowd holds for any party that has not judged
// the target unseen, whatever caps bind: it is what a first report does. For the
// others it holds up to what their judgement leaves to the rest.
func TestOneMoreSuccessNeverHurtsInACrowd(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genCrowd(t, m)
		record := rapid.SampledFrom([]Record{realSuccess, testSuccess}).Draw(t, "success")
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		before, after := m.Compute(in), m.Compute(withRecord(in, i, m.Sums(record)))
		allowed := allowedFallback(&in.Parties[i], &before)
		if after.Value < before.Value-allowed || after.Lower < before.Lower-3*allowed {
			t.Fatalf("value %v to %v, lower %v to %v, allowed %v", before.Value, after.Value, before.Lower, after.Lower, allowed)
		}
	})
}

func TestOneMoreFailureNeverHelpsInACrowd(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genCrowd(t, m)
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		before, after := m.Compute(in), m.Compute(withRecord(in, i, m.Sums(realFailure)))
		allowed := allowedFallback(&in.Parties[i], &before)
		if after.Value > before.Value+allowed || after.Upper > before.Upper+3*allowed {
			t.Fatalf("value %v to %v, upper %v to %v, allowed %v", before.Value, after.Value, before.Upper, after.Upper, allowed)
		}
	})
}

func allowedFallback(p *Party, before *Snapshot) float64 {
	switch plus, minus := saysUnseen(p); {
	case !plus && !minus:
		return step
	case before.Totals.CappedFamilies == 0:
		return fallback
	default:
		return familyFallback
	}
}

// TestMoreConfidenceInAConfirmationNeverHurtsInACrowd is invariant 19 with many
// reviewers of few sources: exact, but for less than .001 where a source is over
// its cap.
func TestMoreConfidenceInAConfirmationNeverHurtsInACrowd(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genCrowd(t, m)
		r := judged(VerdictConfirmed)
		low, high := r, r
		low.ConfidenceMilli = int32(rapid.IntRange(0, 1000).Draw(t, "low"))
		high.ConfidenceMilli = int32(rapid.IntRange(int(low.ConfidenceMilli), 1000).Draw(t, "high"))
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		before, after := m.Compute(withRecord(in, i, m.Sums(low))), m.Compute(withRecord(in, i, m.Sums(high)))
		allowed := step
		if before.Totals.CappedFamilies > 0 {
			allowed = confidenceSlack
		}
		if after.Value < before.Value-allowed || after.Lower < before.Lower-3*allowed {
			t.Fatalf("value %v to %v, lower %v to %v", before.Value, after.Value, before.Lower, after.Lower)
		}
	})
}

// TestTheInfluenceOfOnePartyIsBounded gives a party any evidence, any record of
// its own, and as much as one party can weigh, on any target with whatever it
// carries: the value moves by less than one party's worth of what is there.
func TestTheInfluenceOfOnePartyIsBounded(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genCrowd(t, m)
		in.Carry.Plus = rapid.Float64Range(0, 9).Draw(t, "inherited")
		without := m.Compute(in)
		p := genParty(t, m, 6)
		track := Track{
			Credits:  rapid.Float64Range(0, 1e6).Draw(t, "credits"),
			LogPlus:  rapid.Float64Range(-9, 9).Draw(t, "log+"),
			LogMinus: rapid.Float64Range(-9, 9).Draw(t, "log-"),
		}
		p.Weights = m.Weights(rapid.SampledFrom([]float64{.3, .7, 1}).Draw(t, "v0"), track)
		s := m.Sums(genRecord(t))
		for range rapid.IntRange(0, 300).Draw(t, "repeats") {
			p.Bins = append(p.Bins, Bin{Index: asOf, Sums: s})
		}
		in.Parties = withKeys(append(in.Parties, p))
		with := m.Compute(in)
		limit := 1/(1+without.Alpha+without.Beta) + step
		if d := with.Value - without.Value; d > limit || d < -limit {
			t.Fatalf("one party moved the value by %v, limit %v", d, limit)
		}
		if with.Confirmations > without.Confirmations+1 || with.Contradictions > without.Contradictions+1 ||
			with.RealWorldConfirmations > without.RealWorldConfirmations+1 || with.Anchors > without.Anchors+1 ||
			with.IdentityPlus > without.IdentityPlus+1 || with.IdentityMinus > without.IdentityMinus+1 {
			t.Fatalf("%+v became %+v", without, with)
		}
	})
}

// TestASourceIsAtMostTwoParties: what established parties say by one source family
// is at most caps.family parties together, however many they are, and is less only
// if the sum of them is; likewise what newcomers say.
func TestASourceIsAtMostTwoParties(t *testing.T) {
	m := newModel(t)
	limit := m.params.Caps.Family
	rapid.Check(t, func(t *rapid.T) {
		in := genCrowd(t, m)
		tally := tallyOf(m, &in)
		for _, part := range []*Part{&tally.All, &tally.Window, &tally.Recent, &tally.Older} {
			all, capped := part.totals(limit), 0
			for i := range part.Families {
				f := &part.Families[i]
				established, newcomers := f.factors(limit)
				over := false
				for _, of := range []struct {
					plus, minus int64
					k           float64
				}{{f.RPlus, f.RMinus, established}, {f.UPlus, f.UMinus, newcomers}} {
					before := fromNano(of.plus + of.minus)
					after := fromNano(scaled(of.plus, of.k) + scaled(of.minus, of.k))
					// Both sums are rounded to 1e-9.
					if after > limit+1e-9 || after < min(before, limit)-1e-9 {
						t.Fatalf("%q: %v parties became %v", f.Family, before, after)
					}
					over = over || before > limit
				}
				if over {
					capped++
				}
				if i > 0 && part.Families[i-1].Family >= f.Family {
					t.Fatal("families are not sorted")
				}
			}
			if all.CappedFamilies != capped {
				t.Fatalf("%d families are said to be capped of %d", all.CappedFamilies, capped)
			}
		}
	})
}

// TestNewcomersTakeNothingFromTheEstablished: what any number of newcomers adds is
// less than half a party, and what others have said loses nothing by it.
func TestNewcomersTakeNothingFromTheEstablished(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genCrowd(t, m)
		before := m.Compute(in)
		for range rapid.IntRange(1, 3).Draw(t, "sorts") {
			p := genParty(t, m, 4)
			p.Weights = m.IdentityWeights(Identity{Email: rapid.Bool().Draw(t, "email")})
			for range rapid.SampledFrom([]int{1, 30, 300}).Draw(t, "newcomers") {
				in.Parties = append(in.Parties, p)
			}
		}
		withKeys(in.Parties)
		after := m.Compute(in)
		if before.Totals.RPlus != after.Totals.RPlus || before.Totals.RMinus != after.Totals.RMinus ||
			before.Totals.GPlus != after.Totals.GPlus || before.Totals.GMinus != after.Totals.GMinus {
			t.Fatalf("newcomers changed what the established say: %+v, %+v", before.Totals, after.Totals)
		}
		if d := after.Totals.X + after.Totals.Y - before.Totals.X - before.Totals.Y; d >= .5 {
			t.Fatalf("newcomers changed the evidence by %v", d)
		}
		if after.IdentityPlus != before.IdentityPlus || after.IdentityMinus != before.IdentityMinus || after.Anchors != before.Anchors {
			t.Fatal("newcomers changed an identity sum")
		}
	})
}

package trustmodel

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// step is one published unit: rounding may move a figure by so much against a
// change too small to show. The rest is for comparing two such figures, whose
// difference is itself rounded.
const step = 1e-6 + 1e-12

func TestOrderNeverShows(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		want := m.Compute(in)
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, seed))
		shuffled := in
		shuffled.Parties = append([]Party(nil), in.Parties...)
		r.Shuffle(len(shuffled.Parties), func(i, j int) {
			shuffled.Parties[i], shuffled.Parties[j] = shuffled.Parties[j], shuffled.Parties[i]
		})
		for i := range shuffled.Parties {
			bins := append([]Bin(nil), shuffled.Parties[i].Bins...)
			r.Shuffle(len(bins), func(i, j int) { bins[i], bins[j] = bins[j], bins[i] })
			shuffled.Parties[i].Bins = bins
		}
		if got := m.Compute(shuffled); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// TestBatchingNeverShows merges all bins of an index into one, and splits each
// bin into many.
func TestBatchingNeverShows(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		want := m.Compute(in)
		merged, split := in, in
		merged.Parties, split.Parties = nil, nil
		for _, p := range in.Parties {
			byBin := map[Bin]Sums{} // by index and family
			one, many := p, p
			one.Bins, many.Bins = nil, nil
			for _, b := range p.Bins {
				place := Bin{Index: b.Index, Family: b.Family}
				byBin[place] = byBin[place].Plus(b.Sums)
				half := Sums{
					UsagePos: b.Sums.UsagePos / 2, UsageNeg: b.Sums.UsageNeg / 3, ReviewPos: b.Sums.ReviewPos / 5,
					UngroundedPos: b.Sums.UngroundedPos / 7, Records: b.Sums.Records / 2,
				}
				many.Bins = append(many.Bins, Bin{Index: b.Index, Family: b.Family, Sums: half}, Bin{Index: b.Index, Family: b.Family, Sums: b.Sums.Minus(half)})
			}
			for place, s := range byBin {
				one.Bins = append(one.Bins, Bin{Index: place.Index, Family: place.Family, Sums: s})
			}
			merged.Parties, split.Parties = append(merged.Parties, one), append(split.Parties, many)
		}
		if got := m.Compute(merged); got != want {
			t.Fatalf("merged: got %+v, want %+v", got, want)
		}
		if got := m.Compute(split); got != want {
			t.Fatalf("split: got %+v, want %+v", got, want)
		}
	})
}

func TestValueLiesInsideItsInterval(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		s := m.Compute(genInput(t, m))
		if !(0 <= s.Lower && s.Lower <= s.Value && s.Value <= s.Upper && s.Upper <= 1) {
			t.Fatalf("%v, %v, %v", s.Lower, s.Value, s.Upper)
		}
	})
}

func TestOneMoreSuccessNeverHurts(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Parties = withKeys(append(in.Parties, Party{Weights: genWeights(t)}))
		record := rapid.SampledFrom([]Record{realSuccess, testSuccess}).Draw(t, "success")
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		before, after := m.Compute(in), m.Compute(withRecord(in, i, m.Sums(record)))
		if after.Value < before.Value-step || after.Lower < before.Lower-step {
			t.Fatalf("value %v to %v, lower %v to %v", before.Value, after.Value, before.Lower, after.Lower)
		}
	})
}

func TestOneMoreFailureNeverHelps(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Parties = withKeys(append(in.Parties, Party{Weights: genWeights(t)}))
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		before, after := m.Compute(in), m.Compute(withRecord(in, i, m.Sums(realFailure)))
		if after.Value > before.Value+step || after.Upper > before.Upper+step {
			t.Fatalf("value %v to %v, upper %v to %v", before.Value, after.Value, before.Upper, after.Upper)
		}
	})
}

// TestNumbersOfOnePartyNeverAddUp gives a party any number of further agents
// and records: its confirmation stays one, and the value moves no further than
// one party may move it.
func TestNumbersOfOnePartyNeverAddUp(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		without := m.Compute(in)
		p := genParty(t, m, 4)
		s := m.Sums(genRecord(t))
		for range rapid.IntRange(0, 500).Draw(t, "repeats") {
			p.Bins = append(p.Bins, Bin{Index: asOf, Sums: s})
		}
		in.Parties = withKeys(append(append([]Party(nil), in.Parties...), p))
		with := m.Compute(in)
		if with.Confirmations > without.Confirmations+1 || with.Contradictions > without.Contradictions+1 {
			t.Fatalf("%d, %d became %d, %d", without.Confirmations, without.Contradictions, with.Confirmations, with.Contradictions)
		}
		limit := 1/(1+without.Alpha+without.Beta) + step
		if d := with.Value - without.Value; d > limit || d < -limit {
			t.Fatalf("one party moved the value by %v, limit %v", d, limit)
		}
	})
}

func TestRetractionRestoresEverything(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Parties = withKeys(append(in.Parties, genParty(t, m, 3)))
		want := m.Compute(in)
		s := m.Sums(genRecord(t))
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		added := withRecord(in, i, s)
		bins := added.Parties[i].Bins
		if last := &bins[len(bins)-1]; rapid.Bool().Draw(t, "in place") {
			last.Sums = last.Sums.Minus(s)
		} else {
			added = withRecord(added, i, Sums{}.Minus(s))
		}
		if got := m.Compute(added); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestCountersStayBelowTheParties(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		s := m.Compute(in)
		if s.Confirmations+s.Contradictions > s.Parties || s.Parties > len(in.Parties) || s.FreshParties > s.Parties {
			t.Fatalf("%+v of %d", s, len(in.Parties))
		}
		if s.RealWorldConfirmations > s.Confirmations {
			t.Fatalf("%d real of %d", s.RealWorldConfirmations, s.Confirmations)
		}
	})
}

// TestNewcomersTogetherStayBelowHalfAParty is about newcomers who rest on no source.
// What those take away who share one with the established is bounded by
// TestNewcomersTakeNothingFromTheEstablished.
func TestNewcomersTogetherStayBelowHalfAParty(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		before := m.Compute(in)
		p := genParty(t, m, 2)
		p.Weights = rapid.SampledFrom([]Weights{
			m.IdentityWeights(Identity{}), m.IdentityWeights(Identity{Email: true}), {V: .79, Plus: .79, Minus: .79},
		}).Draw(t, "newcomer")
		// Without a source to share with the established, newcomers take nothing away from them.
		for i := range p.Bins {
			p.Bins[i].Family = ""
		}
		for range rapid.IntRange(1, 200).Draw(t, "newcomers") {
			in.Parties = append(in.Parties, p)
		}
		withKeys(in.Parties)
		after := m.Compute(in)
		if d := after.Totals.X + after.Totals.Y - before.Totals.X - before.Totals.Y; d < -1e-12 || d >= .5 {
			t.Fatalf("newcomers changed the evidence by %v", d)
		}
		if after.IdentityPlus != before.IdentityPlus || after.IdentityMinus != before.IdentityMinus {
			t.Fatal("newcomers changed an identity sum")
		}
	})
}

func TestNoEvidenceIsThePrior(t *testing.T) {
	m := newModel(t)
	want := m.Prior()
	if want.Value != .5 || want.RawStatus != Unverified || want.Lower != .006156 || want.Upper != .993844 {
		t.Fatalf("prior %+v", want)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Carry, in.Superseded, in.IncorrectClaim = Carry{}, false, false
		for i := range in.Parties {
			for b := range in.Parties[i].Bins {
				in.Parties[i].Bins[b].Sums = Sums{Records: 1}
			}
		}
		if got := m.Compute(in); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestOwnSupportChangesNothing(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		author := genParty(t, m, 3)
		author.Author = true
		in.Parties = withKeys(append(in.Parties, author))
		i := len(in.Parties) - 1
		praise := rapid.SampledFrom([]Record{realSuccess, testSuccess, assertion, judged(VerdictConfirmed)}).Draw(t, "praise")
		if got, want := m.Compute(withRecord(in, i, m.Sums(praise))), m.Compute(in); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestRecordsWithoutEvidenceChangeNothing(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Parties = withKeys(append(in.Parties, Party{Weights: genWeights(t)}))
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		empty := Record{
			Kind:            rapid.SampledFrom([]RecordKind{RecordUsage, RecordReview}).Draw(t, "kind"),
			RealWorld:       rapid.Bool().Draw(t, "real"),
			Grounded:        rapid.Bool().Draw(t, "grounded"),
			ConfidenceMilli: 1000,
		}
		if got, want := m.Compute(withRecord(in, i, m.Sums(empty))), m.Compute(in); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestCarriedMassIsCapped(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Carry = Carry{}
		own := m.Compute(in)
		in.Carry = Carry{
			Plus:  rapid.Float64().Draw(t, "plus"),
			Minus: rapid.Float64().Draw(t, "minus"),
		}
		s := m.Compute(in)
		plus, minus := s.Totals.CarryPlus, s.Totals.CarryMinus
		if !(plus >= 0 && minus >= 0 && plus+minus <= 2) {
			t.Fatalf("carried %v and %v of %+v", plus, minus, in.Carry)
		}
		if in.Carry.Plus >= 0 && in.Carry.Minus >= 0 && in.Carry.Plus+in.Carry.Minus <= 2 && (Carry{Plus: plus, Minus: minus}) != in.Carry {
			t.Fatalf("%+v was changed to %v and %v", in.Carry, plus, minus)
		}
		if s.Confirmations != own.Confirmations || s.IdentityPlus != own.IdentityPlus || s.Parties != own.Parties {
			t.Fatal("a carry was counted")
		}
	})
}

func TestMoreConfidenceInAConfirmationNeverHurts(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		in.Parties = withKeys(append(in.Parties, genParty(t, m, 2)))
		r := judged(VerdictConfirmed)
		r.Grounded = rapid.Bool().Draw(t, "grounded")
		low, high := r, r
		low.ConfidenceMilli = int32(rapid.IntRange(0, 1000).Draw(t, "low"))
		high.ConfidenceMilli = int32(rapid.IntRange(int(low.ConfidenceMilli), 1000).Draw(t, "high"))
		i := rapid.IntRange(0, len(in.Parties)-1).Draw(t, "party")
		before, after := m.Compute(withRecord(in, i, m.Sums(low))), m.Compute(withRecord(in, i, m.Sums(high)))
		if after.Value < before.Value-step {
			t.Fatalf("value %v to %v", before.Value, after.Value)
		}
	})
}

func TestTimeAloneNeverAddsMass(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		p := genParty(t, m, 5)
		c := m.classesOf(TargetKind(rapid.IntRange(0, 2).Draw(t, "target")))
		now := asOf + int32(rapid.IntRange(0, 200).Draw(t, "now"))
		later := now + int32(rapid.IntRange(0, 200).Draw(t, "later"))
		a, b := p.strengthsOf(c, now), p.strengthsOf(c, later)
		before, after := a.opinion(), b.opinion()
		if after.mass() > before.mass() {
			t.Fatalf("mass %v to %v", before.mass(), after.mass())
		}
	})
}

// TestStatusIsAFunctionOfPublishedFigures recomputes value and status from the
// JSON of a snapshot, as a reader of an explanation would.
func TestStatusIsAFunctionOfPublishedFigures(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		want := m.Compute(in)
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Snapshot
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("JSON changed %+v into %+v", want, got)
		}
		alpha, beta, value := m.Posterior(got.Totals)
		if alpha != want.Alpha || beta != want.Beta || value != want.Value {
			t.Fatalf("recomputed %v, %v, %v of %+v", alpha, beta, value, want)
		}
		if status := m.RawStatus(in.Kind, got); status != want.RawStatus {
			t.Fatalf("status %v, want %v", status, want.RawStatus)
		}
	})
}

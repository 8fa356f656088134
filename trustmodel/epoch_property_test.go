package trustmodel

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestOrderAndMergeNeverShowInAnEpoch reads the same targets in another order,
// into one accumulator or into several that are merged in any order, and wipes
// each target once it is read.
func TestOrderAndMergeNeverShowInAnEpoch(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genTargets(t, m)
		controllers := map[PartyKey]PartyKey{numbered(10_001): numbered(10_000), numbered(10_011): numbered(10_000)}
		whole := m.NewEpoch(asOf)
		for i := range targets {
			whole.Add(&targets[i])
		}
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, seed))
		parts := make([]*Epoch, rapid.IntRange(1, 3).Draw(t, "parts"))
		for i := range parts {
			parts[i] = m.NewEpoch(asOf)
		}
		for _, x := range shuffled(r, targets) {
			parts[r.IntN(len(parts))].Add(&x)
			wiped(&x)
		}
		merged := m.NewEpoch(asOf)
		for _, i := range r.Perm(len(parts)) {
			before := parts[i].Tracks()
			merged.Merge(parts[i])
			if !reflect.DeepEqual(parts[i].Tracks(), before) {
				t.Fatal("merging changed what was merged")
			}
		}
		if got, want := merged.Tracks(), whole.Tracks(); !reflect.DeepEqual(got, want) {
			t.Fatalf("tracks %+v, want %+v", got, want)
		}
		if got, want := merged.Reputations(controllers), whole.Reputations(controllers); !reflect.DeepEqual(got, want) {
			t.Fatalf("reputations %+v, want %+v", got, want)
		}
	})
}

// epochReference computes the cells the way the design prints them: floats all
// the way, everybody compared with everybody. The first map is by party, the
// second by actor; both are before the last rounding.
func epochReference(m *Model, targets []EpochTarget) (parties, actors map[PartyKey][4]float64) {
	type holder struct{ who, author PartyKey }
	byParty, byActor := map[holder][4]float64{}, map[holder][4]float64{}
	opinion := func(x *EpochTarget, p *EpochParty, actors ...EpochActor) (b, d, age float64) {
		as, said := p.role(), []Bin(nil)
		newest := int32(math.MinInt32)
		for _, a := range actors {
			said = append(said, a.Bins...)
			for _, bin := range a.Bins {
				if s := strengthsAs(as, []Bin{bin}, m.classesOf(x.Kind), asOf); !s.isEmpty() {
					newest = max(newest, bin.Index)
				}
			}
		}
		s := strengthsAs(as, said, m.classesOf(x.Kind), asOf)
		o := s.opinion()
		days := math.Max(float64(asOf)-float64(newest), 0) * 30
		return o.plus(), o.minus(), math.Pow(.5, math.Max(days-365, 0)/365)
	}
	give := func(to map[holder][4]float64, h holder, b, d, age, z float64) {
		if b+d == 0 {
			return
		}
		c, u, cells := math.Abs(2*z-1)*age, b/(b+d), to[h]
		for i, share := range []float64{u * z, u * (1 - z), (1 - u) * z, (1 - u) * (1 - z)} {
			cells[i] += c * share
		}
		to[h] = cells
	}
	for i := range targets {
		x := &targets[i]
		author := x.Author
		if x.Kind == KindEntity || author == (PartyKey{}) {
			author = PartyKey{0xff, byte(i)} // of its own
		}
		for j := range x.Parties {
			p := &x.Parties[j]
			odds := 0.
			for k := range x.Parties {
				if q := &x.Parties[k]; k != j && q.Weights.V >= .8 {
					b, d, _ := opinion(x, q, q.Actors...)
					clamp := func(l float64) float64 { return math.Min(math.Max(l, 0), math.Log(4)) }
					odds += q.Weights.V * (clamp(q.Track.LogPlus)*b - clamp(q.Track.LogMinus)*d) / .5
				}
			}
			z := 1 / (1 + math.Exp(-odds))
			b, d, age := opinion(x, p, p.Actors...)
			give(byParty, holder{p.Key, author}, b, d, age, z)
			for _, a := range p.Actors {
				b, d, age := opinion(x, p, a)
				give(byActor, holder{a.Key, author}, b, d, age, z)
			}
		}
	}
	capped := func(from map[holder][4]float64) map[PartyKey][4]float64 {
		out := map[PartyKey][4]float64{}
		for h, cells := range from {
			scale := math.Min(1, 2/(cells[0]+cells[1]+cells[2]+cells[3]+1e-300))
			sum := out[h.who]
			for i := range cells {
				sum[i] += cells[i] * scale
			}
			out[h.who] = sum
		}
		return out
	}
	return capped(byParty), capped(byActor)
}

// TestEpochEqualsTheReference allows what rounding to nano and to tables of
// parts per million may differ, and 1e-3 in the tracks.
func TestEpochEqualsTheReference(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genTargets(t, m)
		e := m.NewEpoch(asOf)
		for i := range targets {
			e.Add(&targets[i])
		}
		parties, actors := epochReference(m, targets)
		got := byParty(e.Tracks())
		for key, want := range parties {
			c := got[key]
			for i, cell := range [4]float64{c.TP, c.FP, c.FN, c.TN} {
				if d := cell - want[i]; math.Abs(d) > 1e-5 && c.Track.Credits+want[0]+want[1]+want[2]+want[3] > .0011 {
					t.Fatalf("party %x: cell %d is %v, want %v", key, i, cell, want[i])
				}
			}
			n := want[0] + want[1] + want[2] + want[3]
			if n < .001 {
				continue
			}
			acc := (want[0] + want[3] + 3.2) / (n + 4)
			sens, spec := (want[0]+4*acc)/(want[0]+want[2]+4), (want[3]+4*acc)/(want[3]+want[1]+4)
			track := Track{max(want[0]+want[3]-want[1]-want[2], 0), math.Log(sens / (1 - spec)), math.Log(spec / (1 - sens))}
			for i, pair := range [][2]float64{{c.Track.Credits, track.Credits}, {c.Track.LogPlus, track.LogPlus}, {c.Track.LogMinus, track.LogMinus}} {
				if math.Abs(pair[0]-pair[1]) > .00052 {
					t.Fatalf("party %x: figure %d of the track is %v, want %v", key, i, pair[0], pair[1])
				}
			}
		}
		shown := map[PartyKey]ActorReputation{}
		for _, r := range e.Reputations(nil) {
			shown[r.Key] = r
		}
		for key, want := range actors {
			r := shown[key]
			if math.Abs(r.Right-want[0]-want[3]) > 1e-5 || math.Abs(r.Wrong-want[1]-want[2]) > 1e-5 {
				t.Fatalf("actor %x: %v right and %v wrong, want %v", key, r.Right, r.Wrong, want)
			}
		}
	})
}

// TestBoundsOfATrack holds the bounds that everything later relies on, for any
// evidence under any snapshot.
func TestBoundsOfATrack(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genTargets(t, m)
		judged := map[PartyKey]map[PartyKey]bool{}
		free := map[PartyKey]float64{}
		for i := range targets {
			x := &targets[i]
			for _, p := range x.Parties {
				if author, written := x.author(); !written {
					free[p.Key]++
				} else if judged[p.Key] == nil {
					judged[p.Key] = map[PartyKey]bool{author: true}
				} else {
					judged[p.Key][author] = true
				}
			}
		}
		e := m.NewEpoch(asOf)
		for i := range targets {
			e.Add(&targets[i])
		}
		var last PartyKey
		for i, p := range e.Tracks() {
			if i > 0 && compareKeys(last, p.Key) >= 0 {
				t.Fatal("tracks are not sorted")
			}
			last = p.Key
			if limit := 2*float64(len(judged[p.Key])) + free[p.Key]; p.TP+p.FP+p.FN+p.TN > limit+1e-12 {
				t.Fatalf("%v credits, limit %v", p.Track.Credits, limit)
			}
			if net := p.TP + p.TN - p.FP - p.FN; !(math.Abs(p.Track.Credits-max(net, 0)) <= .00051 && p.TP >= 0 && p.FP >= 0 && p.FN >= 0 && p.TN >= 0) {
				t.Fatalf("%+v", p)
			}
			v0 := rapid.Float64Range(0, 1).Draw(t, "v0")
			w := m.Weights(v0, p.Track)
			floor := .02 * w.V
			if !(v0 <= w.V && w.V <= 1 && floor <= w.Plus && w.Plus <= w.V && floor <= w.Minus && w.Minus <= w.V) {
				t.Fatalf("%+v of %+v", w, p)
			}
		}
		for _, r := range e.Reputations(nil) {
			if !(r.Value >= 0 && r.Value <= 1) {
				t.Fatalf("%+v", r)
			}
		}
	})
}

// TestAClosedRingNeverEstablishesItself lets accounts that nobody established
// ever speaks with write, confirm and contradict as they like, beside a world of
// established parties, through many epochs: they never earn a credit.
func TestAClosedRingNeverEstablishesItself(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		v0 := map[PartyKey]float64{}
		ring := rapid.IntRange(2, 12).Draw(t, "ring")
		var targets []EpochTarget
		for i := range ring {
			v0[numbered(i)] = rapid.SampledFrom([]float64{.3, .7}).Draw(t, "v0")
		}
		for i := range rapid.IntRange(1, 12).Draw(t, "targets") {
			x := EpochTarget{Kind: TargetKind(rapid.IntRange(0, 2).Draw(t, "kind")), Author: numbered(i % ring), Value: 1}
			for n := range ring {
				p := opinionated(m, n, Weights{}, Track{}, genRecord(t))
				p.Author = x.Author == p.Key
				x.Parties = append(x.Parties, p)
			}
			targets = append(targets, x)
		}
		world := written(0, append(witnesses(m, 3, realSuccess), witnesses(m, 8, realFailure)[3:]...)...)
		for _, p := range world.Parties {
			v0[p.Key] = 1
		}
		targets = append(targets, world)
		tracks := map[PartyKey]PartyTrack{}
		for range 6 {
			tracks = tracksOf(m, under(m, targets, v0, tracks)...)
			for i := range ring {
				if got, ok := tracks[numbered(i)]; ok {
					t.Fatalf("a ring gave its member %d %+v", i, got)
				}
			}
		}
		if len(tracks) == 0 {
			t.Fatal("the world beside the ring earned nothing")
		}
	})
}

// TestAnEpochDependsOnTheOneBeforeAlone reaches one sealed epoch on two ways: the
// next one is the same.
func TestAnEpochDependsOnTheOneBeforeAlone(t *testing.T) {
	m, again := newModel(t), newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genTargets(t, m)
		v0 := map[PartyKey]float64{}
		for i := range 7 {
			v0[numbered(i)] = rapid.SampledFrom([]float64{.3, .7, 1}).Draw(t, "v0")
		}
		sealed := tracksOf(m, targets...)
		want := tracksOf(m, under(m, targets, v0, sealed)...)
		// Another model of the same parameters, an epoch with a history, other values, and twice.
		tracksOf(again, genTargets(t, again)...)
		for range 2 {
			next := under(again, targets, v0, sealed)
			for i := range next {
				next[i].Value = 1 - next[i].Value
			}
			if got := tracksOf(again, next...); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
	})
}

// TestWhatSaysNothingChangesNoTrack adds a record and its retraction, or records
// that are no opinion, to one actor: neither credits nor their age move.
func TestWhatSaysNothingChangesNoTrack(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genTargets(t, m)
		want := tracksOf(m, targets...)
		x := &targets[rapid.IntRange(0, len(targets)-1).Draw(t, "target")]
		if len(x.Parties) == 0 {
			return
		}
		p := &x.Parties[rapid.IntRange(0, len(x.Parties)-1).Draw(t, "party")]
		a := &p.Actors[0]
		s := m.Sums(genRecord(t))
		switch {
		case p.Author && rapid.Bool().Draw(t, "praise"):
			a.Bins = append(a.Bins, Bin{Index: asOf, Sums: m.Sums(realSuccess)}, Bin{Index: asOf, Sums: m.Sums(assertion)})
		case rapid.Bool().Draw(t, "empty"):
			a.Bins = append(a.Bins, Bin{Index: asOf, Sums: m.Sums(Record{Kind: RecordUsage, RealWorld: true})},
				Bin{Index: asOf, Sums: m.Sums(judged(VerdictCannotVerify))}, Bin{Index: asOf, Sums: m.Sums(judged(VerdictOutdated))})
		default:
			a.Bins = append(a.Bins, Bin{Index: asOf, Sums: s}, Bin{Index: asOf, Sums: Sums{}.Minus(s)})
		}
		if got := tracksOf(m, targets...); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// TestOwnEvidenceNeverDecidesOwnOutcome gives a party more to say of the same
// kind: what others say stays what it is judged by.
func TestOwnEvidenceNeverDecidesOwnOutcome(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		w, track := genStanding(t, m)
		record := rapid.SampledFrom([]Record{realSuccess, realFailure}).Draw(t, "record")
		others := genTargets(t, m)[0].Parties
		cells := func(records ...Record) [4]float64 {
			got := tracksOf(m, written(0, append([]EpochParty{opinionated(m, 500, w, track, records...)}, others...)...))[numbered(500)]
			return [4]float64{got.TP, got.FP, got.FN, got.TN}
		}
		var many []Record
		for range rapid.IntRange(2, 50).Draw(t, "records") {
			many = append(many, record)
		}
		if one, all := cells(record), cells(many...); one != all {
			t.Fatalf("%v became %v", one, all)
		}
	})
}

package trustmodel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// reviewers are claims of which half hold, each judged by 8 of 20 domain-verified
// parties: the first ten are right nine times of ten, the next five by chance,
// the last five confirm whatever they see.
func reviewers(m *Model) (targets []EpochTarget, v0 map[PartyKey]float64) {
	r := rand.New(rand.NewPCG(5, 5))
	v0 = map[PartyKey]float64{}
	for i := range 200 {
		holds := i%2 == 0
		x := EpochTarget{Kind: KindClaim, Author: numbered(1000 + i)}
		for _, n := range r.Perm(20)[:8] {
			says := true
			switch {
			case n < 10:
				says = holds == (r.IntN(10) > 0)
			case n < 15:
				says = r.IntN(2) == 0
			}
			record := judged(map[bool]Verdict{true: VerdictConfirmed, false: VerdictFalse}[says])
			x.Parties = append(x.Parties, opinionated(m, n, Weights{}, Track{}, record))
			v0[numbered(n)] = 1
		}
		targets = append(targets, x)
	}
	return targets, v0
}

// TestEpochsSettle runs epoch after epoch over the same evidence: after four the
// weights stand, and they tell who can be relied on.
func TestEpochsSettle(t *testing.T) {
	m := newModel(t)
	targets, v0 := reviewers(m)
	weights := func(tracks map[PartyKey]PartyTrack, n int) Weights { return m.Weights(1, tracks[numbered(n)].Track) }
	tracks := map[PartyKey]PartyTrack{}
	for epoch := range 10 {
		next := tracksOf(m, under(m, targets, v0, tracks)...)
		for n := range 20 {
			before, after := weights(tracks, n), weights(next, n)
			if d := math.Abs(before.Plus-after.Plus) + math.Abs(before.Minus-after.Minus); epoch > 4 && d > .01 {
				t.Errorf("epoch %d moves party %d by %v", epoch, n, d)
			}
		}
		tracks = next
	}
	for n := range 20 {
		w := weights(tracks, n)
		reliable := w.Plus > .7 && w.Minus > .7
		if reliable != (n < 10) {
			t.Errorf("party %d weighs %+v", n, w)
		}
		if n >= 10 && w.Plus > .25 {
			t.Errorf("the word of party %d is worth %v, its support should tell next to nothing", n, w.Plus)
		}
	}
}

// goldenEpochs is the hash of the tracks, reputations, groups and ratings of a
// world. It holds on every machine; a change of the formulas changes it, and is a
// new code identifier of the version.
const goldenEpochs = "25006d9cb78e2d20a14cfadd7228923e33823ec33b6d405ce8fd31b90d7df25f"

func TestEpochsKeepEveryBit(t *testing.T) {
	m := newModel(t)
	targets, v0 := reviewers(m)
	targets = under(m, targets, v0, nil)
	e, x := m.NewEpoch(asOf), m.NewIndependence()
	var raters []Rater
	for i := range targets {
		e.Add(&targets[i])
		var who []Supporter
		for _, p := range targets[i].Parties {
			said := Party{Bins: p.Actors[0].Bins}
			if m.Supports(&said, KindClaim, asOf) {
				// Eight pairs always act together.
				who = append(who, Supporter{Key: p.Key}, Supporter{Key: numbered(500 + i%8)}, Supporter{Key: numbered(600 + i%8)})
			}
		}
		x.Add(who)
		raters = append(raters, Rater{V: .7, Ratings: []Rating{{Score: float64(i % 101), Confidence: -1}}})
	}
	all := m.RateAll(raters, 50)
	figures := struct {
		Tracks      []Track
		Reputations []float64
		Groups      []Group
		Ratings     []RatingSnapshot
	}{Groups: x.Groups(), Ratings: []RatingSnapshot{all, m.RateExact(raters[:7], all)}}
	for _, p := range e.Tracks() {
		figures.Tracks = append(figures.Tracks, p.Track)
	}
	for _, r := range e.Reputations(map[PartyKey]PartyKey{numbered(10_001): numbered(10_000)}) {
		figures.Reputations = append(figures.Reputations, r.Value)
	}
	if len(figures.Tracks) != 20 || len(figures.Reputations) != 20 || len(figures.Groups) != 8 {
		t.Fatalf("a poor world: %+v", figures)
	}
	raw, err := json.Marshal(figures)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != goldenEpochs {
		t.Errorf("hash %s, want %s", got, goldenEpochs)
	}
}

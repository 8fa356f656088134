package trustmodel

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// numbered makes a key; the tests give each kind of holder its own hundreds.
func numbered(n int) PartyKey {
	var k PartyKey
	binary.BigEndian.PutUint64(k[:], uint64(n)+1)
	return k
}

// opinionated is a party of one actor whose records are all new.
func opinionated(m *Model, n int, w Weights, t Track, records ...Record) EpochParty {
	return EpochParty{
		Key: numbered(n), Weights: w, Track: t,
		Actors: []EpochActor{{Key: numbered(10_000 + n), Bins: partyOf(m, w, 0, records...).Bins}},
	}
}

// witnesses are n established parties of no record that all say the same.
func witnesses(m *Model, n int, record Record) []EpochParty {
	parties := make([]EpochParty, n)
	for i := range parties {
		parties[i] = opinionated(m, 100+i, m.IdentityWeights(Identity{Domain: true}), m.PriorTrack(), record)
	}
	return parties
}

// certain is the number of witnesses whose real use leaves no doubt: z is 0 or 1
// to the nano.
const certain = 30

// written is a target of its own author, about which all parties have spoken.
func written(author int, parties ...EpochParty) EpochTarget {
	return EpochTarget{
		Author: numbered(1000 + author), AuthorActor: numbered(11_000 + author), Value: .5, Parties: parties,
	}
}

func tracksOf(m *Model, targets ...EpochTarget) map[PartyKey]PartyTrack {
	e := m.NewEpoch(asOf)
	for i := range targets {
		e.Add(&targets[i])
	}
	return byParty(e.Tracks())
}

func byParty(tracks []PartyTrack) map[PartyKey]PartyTrack {
	out := map[PartyKey]PartyTrack{}
	for _, t := range tracks {
		out[t.Key] = t
	}
	return out
}

// genStanding draws what a sealed epoch may know of a party.
func genStanding(t *rapid.T, m *Model) (Weights, Track) {
	track := rapid.SampledFrom([]Track{
		m.PriorTrack(), {Credits: 3, LogPlus: .5, LogMinus: -.2}, {Credits: 20, LogPlus: 3, LogMinus: 2}, {Credits: 9, LogPlus: -1, LogMinus: 1},
	}).Draw(t, "track")
	v0 := rapid.SampledFrom([]float64{.3, .7, 1}).Draw(t, "v0")
	return m.Weights(v0, track), track
}

// genTargets draws targets about which up to 7 parties of up to 3 actors each
// speak; at most two of them write, so that caps on pairs come up.
func genTargets(t *rapid.T, m *Model) []EpochTarget {
	parties := make([]EpochParty, rapid.IntRange(1, 7).Draw(t, "parties"))
	for i := range parties {
		parties[i].Key = numbered(i)
		parties[i].Weights, parties[i].Track = genStanding(t, m)
	}
	targets := make([]EpochTarget, rapid.IntRange(1, 9).Draw(t, "targets"))
	writers := min(len(parties), 2)
	for i := range targets {
		x := &targets[i]
		x.Kind = TargetKind(rapid.IntRange(0, 2).Draw(t, "kind"))
		x.Value = rapid.Float64Range(0, 1).Draw(t, "value")
		if author := rapid.IntRange(-1, writers-1).Draw(t, "author"); author >= 0 {
			x.Author, x.AuthorActor = numbered(author), numbered(10_000+10*author)
		}
		for n, p := range parties {
			if rapid.IntRange(0, 2).Draw(t, "silent") == 0 {
				continue
			}
			p.Author = x.Author == p.Key
			for a := range rapid.IntRange(1, 3).Draw(t, "actors") {
				p.Actors = append(p.Actors, EpochActor{numbered(10_000 + 10*n + a), genParty(t, m, 2).Bins})
			}
			x.Parties = append(x.Parties, p)
		}
	}
	return targets
}

// shuffled returns targets in another order, at every level.
func shuffled(r *rand.Rand, targets []EpochTarget) []EpochTarget {
	out := slices.Clone(targets)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for i := range out {
		parties := slices.Clone(out[i].Parties)
		r.Shuffle(len(parties), func(i, j int) { parties[i], parties[j] = parties[j], parties[i] })
		for j := range parties {
			actors := slices.Clone(parties[j].Actors)
			r.Shuffle(len(actors), func(i, j int) { actors[i], actors[j] = actors[j], actors[i] })
			for k := range actors {
				actors[k].Bins = slices.Clone(actors[k].Bins)
				slices.Reverse(actors[k].Bins)
			}
			parties[j].Actors = actors
		}
		out[i].Parties = parties
	}
	return out
}

// wiped overwrites everything that a target points to.
func wiped(t *EpochTarget) {
	for i := range t.Parties {
		for j := range t.Parties[i].Actors {
			clear(t.Parties[i].Actors[j].Bins)
		}
		clear(t.Parties[i].Actors)
	}
	clear(t.Parties)
	*t = EpochTarget{}
}

// under returns targets as the next epoch reads them: with what the tracks of
// the last one make of every party. V0 has the parties that are verified.
func under(m *Model, targets []EpochTarget, v0 map[PartyKey]float64, tracks map[PartyKey]PartyTrack) []EpochTarget {
	out := shuffled(rand.New(rand.NewPCG(1, 1)), targets)
	for i := range out {
		for j := range out[i].Parties {
			p := &out[i].Parties[j]
			p.Track = m.PriorTrack()
			if t, ok := tracks[p.Key]; ok {
				p.Track = t.Track
			}
			p.Weights = m.Weights(v0[p.Key], p.Track)
		}
	}
	return out
}

func near(tb testing.TB, what string, got, want, tolerance float64) {
	tb.Helper()
	if !(got >= want-tolerance && got <= want+tolerance) {
		tb.Errorf("%s is %v, want %v within %v", what, got, want, tolerance)
	}
}

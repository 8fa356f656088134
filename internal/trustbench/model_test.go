package trustbench

import (
	"encoding/binary"
	"testing"

	"interai/trustmodel"
)

// asOf is the moment of evaluation where the data has no time.
const asOf int32 = 680

// epochs is how many epochs of reputation run before the model is asked.
const epochs = 4

func newModel(tb testing.TB, p trustmodel.Params) *trustmodel.Model {
	tb.Helper()
	m, err := trustmodel.NewModel(p)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// keyOf numbers parties.
func keyOf(party int) (key trustmodel.PartyKey) {
	binary.BigEndian.PutUint64(key[:], uint64(party)+1)
	return key
}

func indexOf(key trustmodel.PartyKey) int { return int(binary.BigEndian.Uint64(key[:])) - 1 }

// evidence is what the model is given: of each target the parties that have an
// opinion. Nobody wrote the targets.
type evidence struct {
	kind    trustmodel.TargetKind
	asOf    int32
	parties int
	targets [][]said
}

// said is all evidence of one party about one target.
type said struct {
	party int
	bins  []trustmodel.Bin
}

// weights runs n epochs in which every party begins as a domain-verified
// newcomer, and returns their weights.
func (e *evidence) weights(m *trustmodel.Model, n int) []trustmodel.Weights {
	v0 := m.Distinctness(trustmodel.Identity{Domain: true})
	tracks, weights := make([]trustmodel.Track, e.parties), make([]trustmodel.Weights, e.parties)
	for i := range tracks {
		tracks[i] = m.PriorTrack()
		weights[i] = m.Weights(v0, tracks[i])
	}
	for range n {
		epoch := m.NewEpoch(e.asOf)
		for _, target := range e.targets {
			t := trustmodel.EpochTarget{Kind: e.kind, Value: .5}
			for _, s := range target {
				t.Parties = append(t.Parties, trustmodel.EpochParty{
					Key: keyOf(s.party), Weights: weights[s.party], Track: tracks[s.party],
					Actors: []trustmodel.EpochActor{{Key: keyOf(s.party), Bins: s.bins}},
				})
			}
			epoch.Add(&t)
		}
		for i := range tracks {
			tracks[i] = m.PriorTrack()
		}
		for _, sealed := range epoch.Tracks() {
			tracks[indexOf(sealed.Key)] = sealed.Track
		}
		for i := range tracks {
			weights[i] = m.Weights(v0, tracks[i])
		}
	}
	return weights
}

// beliefs asks the model about every target.
func (e *evidence) beliefs(m *trustmodel.Model, weights []trustmodel.Weights) []belief {
	out := make([]belief, len(e.targets))
	for i, target := range e.targets {
		in := trustmodel.Input{Kind: e.kind, AsOfBin: e.asOf}
		for _, s := range target {
			in.Parties = append(in.Parties, trustmodel.Party{Key: keyOf(s.party), Weights: weights[s.party], Bins: s.bins})
		}
		s := m.Compute(in)
		out[i] = belief{p: s.Value, alpha: s.Alpha, beta: s.Beta}
	}
	return out
}

// proven are the weights of parties that have never been wrong.
func (e *evidence) proven() []trustmodel.Weights {
	weights := make([]trustmodel.Weights, e.parties)
	for i := range weights {
		weights[i] = trustmodel.Weights{Identity: 1, V: 1, Plus: 1, Minus: 1}
	}
	return weights
}

// reviewed is a claim set as the model sees it: each vote is one ungrounded
// review at full confidence.
func reviewed(m *trustmodel.Model, s *claimSet) *evidence {
	e := &evidence{kind: trustmodel.KindClaim, asOf: asOf, parties: s.workers}
	verdicts := map[bool]trustmodel.Verdict{true: trustmodel.VerdictConfirmed, false: trustmodel.VerdictContradicted}
	for i := range s.claims {
		var target []said
		at := map[int]int{}
		for _, v := range s.claims[i].votes {
			sums := m.Sums(trustmodel.Record{Kind: trustmodel.RecordReview, Verdict: verdicts[v.agrees], ConfidenceMilli: 1000})
			j, known := at[v.worker]
			if !known {
				j, at[v.worker] = len(target), len(target)
				target = append(target, said{party: v.worker})
			}
			target[j].bins = append(target[j].bins, trustmodel.Bin{Index: asOf, Sums: sums})
		}
		e.targets = append(e.targets, target)
	}
	return e
}

// trustMethod is the model as a method for claims.
func trustMethod(m *trustmodel.Model) method {
	return method{"trust", func(s *claimSet) []belief {
		e := reviewed(m, s)
		return e.beliefs(m, e.weights(m, epochs))
	}}
}

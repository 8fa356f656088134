package trustmodel

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// shownOf returns what is shown, by actor.
func shownOf(e *Epoch, controllers map[PartyKey]PartyKey) map[PartyKey]ActorReputation {
	out := map[PartyKey]ActorReputation{}
	for _, r := range e.Reputations(controllers) {
		out[r.Key] = r
	}
	return out
}

func epochOf(m *Model, targets ...EpochTarget) *Epoch {
	e := m.NewEpoch(asOf)
	for i := range targets {
		e.Add(&targets[i])
	}
	return e
}

// rightAndWrong are targets of many authors on which the actor of party 0 is
// right so often and wrong so often, beyond doubt.
func rightAndWrong(m *Model, right, wrong int) []EpochTarget {
	var targets []EpochTarget
	for i := range right + wrong {
		record := map[bool]Record{true: realSuccess, false: realFailure}[i < right]
		targets = append(targets, written(i, append(witnesses(m, certain, realSuccess), opinionated(m, 0, Weights{}, Track{}, record))...))
	}
	return targets
}

func TestShownReputation(t *testing.T) {
	m := newModel(t)
	subject := numbered(10_000)
	// A work of value .9 that 30 real uses of others have judged: q = 27/28.
	own := written(500, witnesses(m, certain, realSuccess)...)
	own.AuthorActor, own.Value = subject, .9
	selfUsed := own
	selfUsed.Parties = []EpochParty{opinionated(m, 500, Weights{V: 1}, m.PriorTrack(), realFailure)}
	selfUsed.Parties[0].Key = own.Author // without the flag
	entity := own
	entity.Kind = KindEntity
	for _, c := range []struct {
		name    string
		targets []EpochTarget
		want    ActorReputation
	}{
		{"3 right and 1 wrong", rightAndWrong(m, 3, 1), ActorReputation{Value: .625, Right: 3, Wrong: 1}},
		{"12 right", rightAndWrong(m, 12, 0), ActorReputation{Value: .875, Right: 12}},
		{"12 wrong", rightAndWrong(m, 0, 12), ActorReputation{Value: .125, Wrong: 12}},
		{"a good work", []EpochTarget{own}, ActorReputation{Value: .5777, AuthoredPlus: .9 * 27 / 28, AuthoredMinus: .1 * 27 / 28}},
		{"an author's own use is no judgement of its work", []EpochTarget{selfUsed}, ActorReputation{}},
		{"an entity is nobody's work", []EpochTarget{entity}, ActorReputation{}},
		{"opinions and works add up", append(rightAndWrong(m, 3, 1), own), ActorReputation{
			Value: (2 + 3 + .9*27/28) / (4 + 4 + 27./28), Right: 3, Wrong: 1, AuthoredPlus: .9 * 27 / 28, AuthoredMinus: .1 * 27 / 28,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := shownOf(epochOf(m, c.targets...), nil)[subject]
			near(t, "value", got.Value, c.want.Value, .00006)
			near(t, "right", got.Right, c.want.Right, 1e-6)
			near(t, "wrong", got.Wrong, c.want.Wrong, 1e-6)
			near(t, "authored+", got.AuthoredPlus, c.want.AuthoredPlus, 1e-6)
			near(t, "authored-", got.AuthoredMinus, c.want.AuthoredMinus, 1e-6)
		})
	}
}

// TestAnActorAnswersForItself has one actor of a party be right and another one
// wrong on each of four targets.
func TestAnActorAnswersForItself(t *testing.T) {
	m := newModel(t)
	var targets []EpochTarget
	for i := range 4 {
		p := opinionated(m, 0, Weights{}, Track{}, realSuccess)
		p.Actors = append(p.Actors, EpochActor{numbered(10_001), partyOf(m, Weights{}, 0, realFailure).Bins})
		targets = append(targets, written(i, append(witnesses(m, certain, realSuccess), p)...))
	}
	shown := shownOf(epochOf(m, targets...), nil)
	if a, b := shown[numbered(10_000)].Value, shown[numbered(10_001)].Value; a != .75 || b != .25 {
		t.Errorf("%v and %v, want .75 and .25", a, b)
	}
}

func TestAnAgentStartsAtItsControllersMean(t *testing.T) {
	m := newModel(t)
	human, agent, fresh, other := numbered(1), numbered(10_000), numbered(2), numbered(3)
	e := epochOf(m, rightAndWrong(m, 12, 0)...)
	for _, c := range []struct {
		name        string
		controllers map[PartyKey]PartyKey
		want        map[PartyKey]float64
	}{
		{"an agent without a controller starts at .5", nil, map[PartyKey]float64{agent: 14. / 16}},
		{
			"a fresh agent shows the mean of the pool",
			map[PartyKey]PartyKey{agent: human, fresh: human},
			// The pool is 12 right of 12: 14/16; the agent's own 12 come on top.
			map[PartyKey]float64{agent: (4*14./16 + 12) / 16, fresh: 14. / 16},
		},
		{"a controller's own record is in the pool", map[PartyKey]PartyKey{fresh: agent}, map[PartyKey]float64{agent: 14. / 16, fresh: 14. / 16}},
		{"an agent of a controller without a record is unknown", map[PartyKey]PartyKey{fresh: other}, map[PartyKey]float64{agent: 14. / 16}},
		{"who answers for itself is led by nobody", map[PartyKey]PartyKey{agent: agent}, map[PartyKey]float64{agent: 14. / 16}},
		{"and counts once in its pool", map[PartyKey]PartyKey{agent: agent, fresh: agent}, map[PartyKey]float64{agent: 14. / 16, fresh: 14. / 16}},
	} {
		t.Run(c.name, func(t *testing.T) {
			shown := shownOf(e, c.controllers)
			for _, key := range []PartyKey{human, agent, fresh, other} {
				got, ok := shown[key]
				want, known := c.want[key]
				if ok != known {
					t.Errorf("%x: shown %v, want %v", key, ok, known)
				}
				near(t, "value", got.Value, want, .00005)
			}
		})
	}
}

// TestReputationIsNoWeight changes nothing but who wrote what, and the values:
// no track moves.
func TestReputationIsNoWeight(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genTargets(t, m)
		want := epochOf(m, targets...).Tracks()
		for i := range targets {
			targets[i].AuthorActor = numbered(rapid.IntRange(0, 3).Draw(t, "author"))
			targets[i].Value = rapid.Float64().Draw(t, "value")
		}
		e := epochOf(m, targets...)
		if got := e.Tracks(); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		for i, r := range e.Reputations(nil) {
			if all := e.Reputations(nil); i > 0 && compareKeys(all[i-1].Key, r.Key) >= 0 {
				t.Fatal("reputations are not sorted")
			}
			if !(r.Value >= 0 && r.Value <= 1 && r.AuthoredPlus >= 0 && r.AuthoredMinus >= 0) {
				t.Fatalf("%+v", r)
			}
		}
	})
}

package trustmodel

import (
	"maps"
	"math"
	"slices"
)

// ActorReputation is what is shown of an actor. It is never a weight: weights
// come of the track of the actor's whole party.
type ActorReputation struct {
	Key   PartyKey
	Value float64 // share in [0, 1], rounded to 1e-4; a newcomer's is .5

	Right, Wrong                float64 // credits of its own opinions
	AuthoredPlus, AuthoredMinus float64 // credits of its own works, as others judge them
}

// actorCredits is what is known of an actor, in nano-credits.
type actorCredits struct{ right, wrong, authoredPlus, authoredMinus int64 }

func (s actorCredits) plus(o actorCredits) actorCredits {
	s.right += o.right
	s.wrong += o.wrong
	s.authoredPlus += o.authoredPlus
	s.authoredMinus += o.authoredMinus
	return s
}

// mean is the mean of Beta(strength·prior + good, strength·(1-prior) + bad).
func (s actorCredits) mean(strength, prior float64) float64 {
	good, bad := fromNano(s.right+s.authoredPlus), fromNano(s.wrong+s.authoredMinus)
	return (float64(strength*prior) + good) / (strength + good + bad)
}

// Reputations returns the shown reputation of every actor of which something is
// known, sorted by key; of all others nothing is known, and they show .5.
// Something is known of an actor that has credits or judged works of its own, or
// whose controller's pool has. With d = display_strength, it is the mean of
//
//	Beta(d/2 + right + authored+, d/2 + wrong + authored-)
//
// where right = TP+TN and wrong = FP+FN of the actor's own opinions, by the
// formula of [Epoch] with its evidence alone, against everybody outside its party.
//
// Controllers maps an AI actor to the actor that answers for it. The prior mean of
// such an actor is the mean of the pool, which is the controller and all actors
// mapped to it, by the same formula, with the strength controller_strength.
func (e *Epoch) Reputations(controllers map[PartyKey]PartyKey) []ActorReputation {
	known := e.credited()
	pools := pooled(known, controllers)
	actors := maps.Clone(known)
	for key, controller := range controllers {
		if _, found := pools[controller]; found {
			actors[key] = known[key]
		}
	}
	p := &e.model.params.Reputation
	out := make([]ActorReputation, 0, len(actors))
	for key, s := range actors {
		strength, prior := p.DisplayStrength, .5
		if controller, led := controllers[key]; led && controller != key {
			strength, prior = p.ControllerStrength, pools[controller].mean(p.DisplayStrength, .5)
		}
		out = append(out, ActorReputation{
			Key: key, Value: math.Round(float64(s.mean(strength, prior)*1e4)) / 1e4,
			Right: fromNano(s.right), Wrong: fromNano(s.wrong),
			AuthoredPlus: fromNano(s.authoredPlus), AuthoredMinus: fromNano(s.authoredMinus),
		})
	}
	slices.SortFunc(out, func(a, b ActorReputation) int { return compareKeys(a.Key, b.Key) })
	return out
}

// credited joins credits and works by actor, leaving out those who have none.
func (e *Epoch) credited() map[PartyKey]actorCredits {
	out := map[PartyKey]actorCredits{}
	for n, c := range e.actors.totals(e.pairLimit()) {
		if c.sum() > 0 {
			out[e.actors.holders.keys[n]] = actorCredits{right: c.right(), wrong: c.wrong()}
		}
	}
	for n, key := range e.works.authors.keys {
		if plus, minus := e.works.plus[n], e.works.minus[n]; plus+minus > 0 {
			out[key] = out[key].plus(actorCredits{authoredPlus: plus, authoredMinus: minus})
		}
	}
	return out
}

// pooled adds up each controller with the actors that it answers for, leaving
// out pools of which nothing is known.
func pooled(known map[PartyKey]actorCredits, controllers map[PartyKey]PartyKey) map[PartyKey]actorCredits {
	pools := map[PartyKey]actorCredits{}
	for _, controller := range controllers {
		if s, found := known[controller]; found {
			pools[controller] = s
		}
	}
	for actor, controller := range controllers {
		if s, found := known[actor]; found && actor != controller {
			pools[controller] = pools[controller].plus(s)
		}
	}
	return pools
}

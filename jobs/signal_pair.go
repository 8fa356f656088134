package jobs

import (
	"cmp"
	"slices"
	"time"

	"interai/antiabuse/collusion"
	"interai/store"
)

// Bounds of the pairs of parties that are compared. Rare targets say most about a pair, and come first.
const (
	pairRoots      = 2_000
	pairTargets    = 5_000
	pairSteps      = 1_000_000
	pairCandidates = 20_000
)

// opinion is the last verdict of a party on a target.
type opinion struct {
	at   time.Time
	good bool
}

// verdicts are the last verdicts of all parties on all targets.
type verdicts struct {
	byRoot   map[store.ID]map[store.ID]opinion
	byTarget map[store.ID][]store.ID
	author   map[store.ID]store.ID
}

// newVerdicts takes records, the newest first.
func newVerdicts(records []store.SignalRecord) *verdicts {
	v := &verdicts{
		byRoot: map[store.ID]map[store.ID]opinion{}, byTarget: map[store.ID][]store.ID{}, author: map[store.ID]store.ID{},
	}
	for i := range records {
		r := &records[i]
		if v.byRoot[r.Root] == nil {
			v.byRoot[r.Root] = map[store.ID]opinion{}
		}
		if _, later := v.byRoot[r.Root][r.Target]; later {
			continue
		}
		v.byRoot[r.Root][r.Target] = opinion{r.At, r.Good}
		v.byTarget[r.Target] = append(v.byTarget[r.Target], r.Root)
		v.author[r.Target] = r.Author
	}
	return v
}

// roots are the parties that judge most, bounded.
func (v *verdicts) roots() []store.ID {
	roots := sortedIDs(v.byRoot)
	slices.SortStableFunc(roots, func(a, b store.ID) int { return cmp.Compare(len(v.byRoot[b]), len(v.byRoot[a])) })
	return roots[:min(len(roots), pairRoots)]
}

// targets are those that most parties judge, bounded, the rarest first.
func (v *verdicts) targets() []store.ID {
	targets := sortedIDs(v.byTarget)
	slices.SortStableFunc(targets, func(a, b store.ID) int { return cmp.Compare(len(v.byTarget[b]), len(v.byTarget[a])) })
	targets = targets[:min(len(targets), pairTargets)]
	slices.Reverse(targets)
	return targets
}

// pair names two parties, a before b.
type pair struct{ a, b store.ID }

// collusion are the signals of pairs that chance does not explain.
func (v *verdicts) collusion(t collusion.Thresholds) ([]store.Signal, error) {
	targets := v.targets()
	shared := v.shared(targets, t.MinShared)
	judged := make([]int, len(targets))
	for i, target := range targets {
		judged[i] = len(v.byTarget[target])
	}
	agree := v.agreement(targets)
	pairs := make([]collusion.Pair, 0, len(shared))
	parties := make(map[string]pair, len(shared))
	for _, p := range shared {
		one := v.compare(p)
		one.Expected = collusion.Chance(judged, one.AAll, one.BAll, agree)
		parties[one.A+one.B] = p
		pairs = append(pairs, one)
	}
	found := collusion.Pairs(pairs, t)
	out := make([]store.Signal, min(len(found), signalMost))
	for i := range out {
		var err error
		if out[i], err = pairSignal(&found[i], parties[found[i].A+found[i].B]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shared are the pairs with enough targets in common, those with the most first.
func (v *verdicts) shared(targets []store.ID, least int) []pair {
	counts, steps := map[pair]int{}, 0
	active := map[store.ID]bool{}
	for _, root := range v.roots() {
		active[root] = len(v.byRoot[root]) >= least
	}
	for _, target := range targets {
		roots := slices.DeleteFunc(slices.Clone(v.byTarget[target]), func(root store.ID) bool { return !active[root] })
		slices.SortFunc(roots, compareIDs)
		if steps += len(roots) * (len(roots) - 1) / 2; steps > pairSteps {
			break
		}
		for i, a := range roots {
			for _, b := range roots[i+1:] {
				counts[pair{a, b}]++
			}
		}
	}
	var out []pair
	for p, n := range counts {
		if n >= least {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(x, y pair) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), compareIDs(x.a, y.a), compareIDs(x.b, y.b))
	})
	return out[:min(len(out), pairCandidates)]
}

// agreement is the share of pairs of verdicts on one target that are the same.
func (v *verdicts) agreement(targets []store.ID) float64 {
	var same, all float64
	for _, target := range targets {
		good := 0
		for _, root := range v.byTarget[target] {
			if v.byRoot[root][target].good {
				good++
			}
		}
		g, b := float64(good), float64(len(v.byTarget[target])-good)
		same += g*(g-1)/2 + b*(b-1)/2
		all += (g + b) * (g + b - 1) / 2
	}
	if all == 0 {
		return 0
	}
	return same / all
}

// compare gathers what two parties did.
func (v *verdicts) compare(p pair) collusion.Pair {
	a, b := v.byRoot[p.a], v.byRoot[p.b]
	out := collusion.Pair{A: p.a.String(), B: p.b.String(), AAll: len(a), BAll: len(b), AForB: v.favours(a, p.b), BForA: v.favours(b, p.a)}
	for target, mine := range a {
		theirs, both := b[target]
		if !both {
			continue
		}
		out.Shared++
		out.Gaps = append(out.Gaps, mine.at.Sub(theirs.at))
		if mine.good == theirs.good {
			out.Agreed++
		}
	}
	return out
}

// favours counts the favourable verdicts on what a party wrote.
func (v *verdicts) favours(opinions map[store.ID]opinion, author store.ID) int {
	n := 0
	for target, o := range opinions {
		if o.good && v.author[target] == author {
			n++
		}
	}
	return n
}

func pairSignal(s *collusion.PairSignal, p pair) (store.Signal, error) {
	root := p.a
	if s.ShareOfB > s.ShareOfA {
		root = p.b
	}
	facts := map[string]any{
		"sentence": s.Sentence, "shared": s.Shared, "agreed": s.Agreed, "expected": s.Expected, "likelihood_ratio": s.LLR,
		"probability": s.P, "reciprocal": s.Reciprocal, "share_of": map[string]float64{s.A: s.ShareOfA, s.B: s.ShareOfB},
	}
	if s.HasGap {
		facts["median_gap_seconds"] = s.MedianGap.Seconds()
	}
	return signal(SignalCollusion, root, []store.ID{p.a, p.b}, float64(s.Agreed), []string{s.A, s.B}, facts)
}

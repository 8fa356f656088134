package simulate

import (
	"fmt"

	"interai/trustmodel"
)

// operators: one controller lets any number of agents confirm its targets.
func operators() attack {
	a := attack{name: "operator", about: "one e-mail-verified controller with N agents confirms bad targets"}
	for _, agents := range []int{1, 10, 100, 1000} {
		for _, honest := range []int{0, 3, 10} {
			a.variants = append(a.variants, variant{
				label: fmt.Sprintf("%d agents", agents), honest: honest, plant: junk(focusTargets),
				strike: func(_ draw, w *world, targets []int) Cost {
					p := w.addAttackers(1, mailed)[0]
					records := 0
					for _, t := range targets {
						records += w.say(p, t, trustmodel.ResultSuccess, agents, asOf)
					}
					return Cost{Accounts: agents, Verified: 1, Records: records}
				},
			})
		}
	}
	return a
}

// sybils: any number of new controllers confirm the same targets.
func sybils() attack {
	a := attack{name: "sybil", about: "N new controllers without record confirm bad targets"}
	for _, id := range []trustmodel.Identity{unverified, mailed} {
		for _, n := range []int{10, 100, 1000, 10000} {
			for _, honest := range []int{0, 5} {
				a.variants = append(a.variants, variant{
					label: fmt.Sprintf("%d %s", n, identityName(id)), honest: honest, plant: junk(focusTargets),
					strike: func(_ draw, w *world, targets []int) Cost {
						records := w.promote(w.addAttackers(n, id), targets)
						return Cost{Accounts: n, Verified: verified(n, id), Records: records}
					},
				})
			}
		}
	}
	return a
}

const (
	ringSize  = 40
	ringJunk  = 400
	ringFocus = 40 // of the junk, those that are looked at
	ringBins  = 12 // months over which a slow ring spreads its confirmations
)

// rings: a closed circle publishes junk and confirms it, slowly, and does
// nothing else. A dense ring confirms nearly all of its items, a sparse one each
// with ten of its members.
func rings() attack {
	a := attack{name: "ring", about: "a closed ring of 40 e-mail-verified controllers publishes 400 junk items and confirms them over a year"}
	for _, sparse := range []bool{false, true} {
		label, share := "dense, 9 of 10 members each", .9
		if sparse {
			label, share = "sparse, 10 members each", 10.0/ringSize
		}
		for _, honest := range []int{0, 1, 3} {
			a.variants = append(a.variants, variant{
				label: label, honest: honest, plant: junk(ringFocus),
				strike: func(d draw, w *world, targets []int) Cost {
					members := w.addAttackers(ringSize, mailed)
					for range ringJunk - len(targets) {
						targets = append(targets, w.addTarget(d, badTruth, honest))
					}
					return Cost{Accounts: ringSize, Verified: ringSize, Records: w.pushSlowly(d, members, targets, share)}
				},
			})
		}
	}
	return a
}

// pushSlowly makes members of a ring the authors of targets and confirm each
// other's with the given chance.
func (w *world) pushSlowly(d draw, members, targets []int, share float64) (records int) {
	for _, t := range targets {
		w.targets[t].author = members[d.IntN(len(members))]
		for _, p := range members {
			if p != w.targets[t].author && d.chance(share) {
				records += w.say(p, t, trustmodel.ResultSuccess, 1, asOf-int32(d.IntN(ringBins)))
			}
		}
	}
	return records
}

// honestJobs is how many honest jobs a laundering party does first.
const honestJobs = 30

// launderers: controllers earn a record by honest work, then confirm bad targets.
// Rings of ten that do less work show how little is enough.
func launderers() attack {
	a := attack{name: "laundering", about: "k e-mail-verified controllers do 30 honest jobs each, or fewer, then confirm 5 bad targets"}
	add := func(label string, k, jobs, honest int) {
		a.variants = append(a.variants, variant{
			label: label, honest: honest, plant: junk(focusTargets),
			strike: func(d draw, w *world, targets []int) Cost { return w.launder(d, k, jobs, targets) },
		})
	}
	for _, k := range []int{5, 10, 20} {
		for _, honest := range []int{0, 5, 10} {
			add(fmt.Sprintf("k = %d", k), k, honestJobs, honest)
		}
	}
	for _, jobs := range []int{3, 10} {
		for _, honest := range []int{0, 5} {
			add(fmt.Sprintf("k = 10, %d jobs", jobs), 10, jobs, honest)
		}
	}
	return a
}

func (w *world) launder(d draw, k, jobs int, targets []int) Cost {
	cost := Cost{Accounts: k, Verified: k, Jobs: k * jobs}
	members := w.addAttackers(k, mailed)
	for _, p := range members {
		cost.Records += w.work(d, p, jobs)
	}
	cost.Records += w.promote(members, targets)
	return cost
}

// bestTargets is how many of the best targets a smear goes against.
const bestTargets = 10

// smears: new controllers report failures of the targets that are trusted most.
func smears() attack {
	a := attack{name: "smear", about: "new controllers report failures of the 10 best targets"}
	for _, id := range []trustmodel.Identity{unverified, mailed} {
		for _, n := range []int{10, 100} {
			a.variants = append(a.variants, variant{
				label: fmt.Sprintf("%d %s", n, identityName(id)), smears: true,
				strike: func(_ draw, w *world, targets []int) Cost {
					cost := Cost{Accounts: n, Verified: verified(n, id)}
					for _, p := range w.addAttackers(n, id) {
						for _, t := range targets {
							cost.Records += w.say(p, t, trustmodel.ResultFailure, 1, asOf)
						}
					}
					return cost
				},
			})
		}
	}
	return a
}

const (
	badRecord      = 15 // bad targets that a party has confirmed before it is known
	badRecordTries = 5  // honest parties that tried each of them
)

// whitewashes: a party with a bad record confirms more bad targets, as itself or
// under a new identity.
func whitewashes() attack {
	a := attack{name: "whitewash", about: "a controller known for confirming 15 bad targets goes on, as itself or under a new identity"}
	back := func(label string, id trustmodel.Identity, anew bool) {
		for _, honest := range []int{0, 3} {
			a.variants = append(a.variants, variant{
				label: label, honest: honest, plant: junk(focusTargets),
				strike: func(d draw, w *world, targets []int) Cost {
					p := w.addAttackers(1, mailed)[0]
					cost := Cost{Accounts: 1, Verified: 1}
					for range badRecord {
						known := w.addTarget(d, badTruth, badRecordTries)
						cost.Records += w.say(p, known, trustmodel.ResultSuccess, 1, asOf)
					}
					if anew {
						p = w.addAttackers(1, id)[0]
						cost.Accounts, cost.Verified = 2, 1+verified(1, id)
					}
					cost.Records += w.promote([]int{p}, targets)
					return cost
				},
			})
		}
	}
	back("as itself", mailed, false)
	for _, id := range []trustmodel.Identity{unverified, mailed, domained} {
		back("new, "+identityName(id), id, true)
	}
	return a
}

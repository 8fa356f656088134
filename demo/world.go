package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// The built-in world: honest operators, most with one agent and a few with many, and promoters, each with a crowd
// of agents that praises bad instructions. Its figures are chosen so that a run takes seconds and counting reports
// goes wrong where counting parties does not.
const (
	worldHonest     = 57
	worldPromoters  = 3
	promoterAgents  = 20
	worldMaxAgents  = 12
	worldPromoted   = 4   // bad items that each promoter praises
	worldExposure   = .22 // share of items that an honest party tries
	worldRealUse    = .7  // share of uses that are real, not tests
	worldPartial    = .1  // share of failures that are partial successes
	worldClaimUses  = .6  // how often who tries an item tests its claim too
	worldTailWeight = 1.3 // exponent of the number of agents: the larger, the fewer have many
	worldReviews    = .3  // how often who has tried something reviews it
	worldRatings    = .5  // how often who has tried an instruction says how useful it was
	worldTaste      = 12  // standard deviation of scores around what the instruction is worth
	worldPraise     = 3   // agents of a promoter that review what it praises
)

// world makes the built-in data set. The same seed makes the same world, names and keys.
func world(seed int64) *dataset {
	w := &builder{
		rand: rand.New(rand.NewPCG(uint64(seed), 0x696e746572616921)), //nolint:gosec // a reproducible world, not a secret
		mind: rand.New(rand.NewPCG(uint64(seed), 0x6a7564676d656e74)), //nolint:gosec // likewise
		d:    &dataset{kind: kindWorld, name: "world-" + strconv.FormatInt(seed, 10)},
		same: counter{},
	}
	for i, h := range good() {
		w.publish(i, h, .62+.36*w.rand.Float64())
	}
	firstBad := len(w.d.items)
	for i, h := range bad() {
		w.publish(len(good())+i, h, .04+.3*w.rand.Float64())
	}
	for p := range worldHonest {
		w.honest(p)
	}
	for p := range worldPromoters {
		w.promoter(p, firstBad)
	}
	w.d.actors = w.people.list
	w.d.limitTo(len(w.d.reports))
	return w.d
}

type builder struct {
	rand   *rand.Rand
	mind   *rand.Rand // of judgments: the uses of a world do not depend on what is thought of them
	d      *dataset
	people roster
	same   counter
}

// worldAuthors share the instructions among them.
const worldAuthors = 6

func (w *builder) publish(no int, h howto, theta float64) {
	author := w.people.party(fmt.Sprintf("Demo %s author %d", w.d.name, no%worldAuthors+1))
	title := fmt.Sprintf("%s: %s", h.software, h.task)
	args := publishArgs{
		ContentType: "procedure", Title: title,
		Summary:      fmt.Sprintf("How to %s with %s.", h.task, h.software),
		BodyMarkdown: fmt.Sprintf("## %s\n\n1. %s\n2. %s\n", title, h.step, h.check),
		NewSubjects:  []subjectArg{{Type: "software", Name: h.software}},
		Tags:         []string{"demo", "operation"}, Language: "en",
	}
	pub := len(w.d.publications)
	w.d.items = append(w.d.items, item{title: title, pub: pub, claim: -1, truth: theta, known: true})
	if h.claim != "" {
		args.Claims = []claimArg{{Text: h.claim}}
		w.d.items = append(w.d.items, item{title: h.claim, pub: pub, claim: 0, truth: theta, known: true})
	}
	w.d.publications = append(w.d.publications, publication{
		author: author, key: idempotencyKey(w.d.name, "item", 0, title), args: args,
	})
}

// honest lets one party and its agents try some instructions and say what happened.
func (w *builder) honest(no int) {
	party := w.people.party(fmt.Sprintf("Demo %s operator %d", w.d.name, no+1))
	// Inverse of a Pareto distribution: most have one agent, a few have many.
	agents := min(int(math.Pow(1-w.rand.Float64(), -1/worldTailWeight)), worldMaxAgents)
	system := []string{"debian 12", "ubuntu 24.04", "fedora 41", "macos 15"}[w.rand.IntN(4)]
	scale := []string{"laptop", "single server", "cluster"}[w.rand.IntN(3)]
	facets := map[string]string{"system": system, "scale": scale}
	for at, it := range w.d.items {
		if it.claim >= 0 || w.rand.Float64() >= worldExposure {
			continue
		}
		for a := range agents {
			w.use(w.agent(party, no, a), at, facets)
		}
		if at+1 < len(w.d.items) && w.d.items[at+1].claim >= 0 && w.rand.Float64() < worldClaimUses {
			w.use(party, at+1, facets)
		}
	}
}

// agent is the party itself for the first, an agent under its control for the others.
func (w *builder) agent(party, no, a int) int {
	if a == 0 {
		return party
	}
	return w.people.add(fmt.Sprintf("Demo %s operator %d agent %d", w.d.name, no+1, a), party)
}

func (w *builder) use(actor, at int, facets map[string]string) {
	result := failure
	if w.rand.Float64() < w.d.items[at].truth {
		result = success
	} else if w.rand.Float64() < worldPartial {
		result = partial
	}
	w.report(actor, at, usageArgs{
		UsageType: "configuration", Result: result, RealWorldUse: w.rand.Float64() < worldRealUse, Context: facets,
	})
	w.judge(actor, at, facets)
}

// judge lets who has used something say, now and then, whether it is correct and how useful it was.
func (w *builder) judge(actor, at int, facets map[string]string) {
	it := w.d.items[at]
	if w.mind.Float64() < worldReviews {
		verdict := wrong
		if w.mind.Float64() < it.truth {
			verdict = confirmed
		}
		w.report(actor, at, reviewArgs{Verdict: verdict})
	}
	if it.claim < 0 && w.mind.Float64() < worldRatings {
		score := min(max(maxScore*it.truth+worldTaste*w.mind.NormFloat64(), 0), maxScore)
		w.report(actor, at, rateArgs{Dimension: "usefulness", Score: math.Round(score), Context: facets})
	}
}

// maxScore is the best score of a rating.
const maxScore = 100

// promoter lets all agents of one party praise some bad instructions, whatever happens.
func (w *builder) promoter(no, firstBad int) {
	party := w.people.party(fmt.Sprintf("Demo %s promoter %d", w.d.name, no+1))
	var targets []int
	for at := firstBad; at < len(w.d.items); at++ {
		if w.d.items[at].claim < 0 {
			targets = append(targets, at)
		}
	}
	w.rand.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	for _, at := range targets[:worldPromoted] {
		for a := range promoterAgents {
			agent := w.people.add(fmt.Sprintf("Demo %s promoter %d agent %d", w.d.name, no+1, a+1), party)
			w.report(agent, at, usageArgs{UsageType: "configuration", Result: success, RealWorldUse: true})
			if a < worldPraise {
				w.report(agent, at, reviewArgs{Verdict: confirmed})
			}
		}
	}
}

func (w *builder) report(actor, at int, args statement) {
	fields := []string{w.people.list[actor].name, w.d.items[at].title}
	what := "use"
	if _, isUse := args.(usageArgs); !isUse {
		what = args.tool()
	}
	w.d.reports = append(w.d.reports, report{
		actor: actor, item: at, args: args,
		key: idempotencyKey(w.d.name, what, w.same.next(append(fields, what)...), fields...),
	})
}

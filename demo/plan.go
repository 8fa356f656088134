package demo

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// kind says where a data set comes from, and with it how its truth is known.
type kind string

const (
	kindWorld  kind = "world"  // built in: the success rate that results are drawn from
	kindUsage  kind = "usage"  // files: the later reports, which are not sent
	kindLabels kind = "labels" // files: gold labels
)

// dataset is one world, ready to be played: who publishes what, who reports what, and what is true.
type dataset struct {
	kind kind
	name string
	// actors lists everybody by name, controllers before those they control.
	actors       []actor
	publications []publication
	items        []item
	reports      []report
}

// actor is one party, or an agent of one.
type actor struct {
	name string
	// controller is the index of the agent's party, -1 for a party.
	controller int
}

// publication is one content item with the claims that it states.
type publication struct {
	author int // index of actors
	key    string
	args   publishArgs
}

// item is one thing to be found true or not: a content item, or one of its claims.
type item struct {
	title string
	pub   int // index of publications
	claim int // index of the publication's claims, -1 for the content itself
	// truth is the true success rate, from 0 to 1; it means something only when known is set.
	truth float64
	known bool
}

// report is what an actor says about an item: a use, a review or a rating.
type report struct {
	actor int // index of actors
	item  int // index of items
	key   string
	args  statement
}

// Results of a use, as report_usage takes them.
const (
	success = "success"
	partial = "partial"
	failure = "failure"
)

// partialOutcome is what a partial success counts when outcomes are averaged: the share that trust-v1 gives it
// (parameter strength.partial_outcome).
const partialOutcome = .6

// outcome is a result as a number: the share of a success.
func outcome(result string) float64 {
	switch result {
	case success:
		return 1
	case partial:
		return partialOutcome
	}
	return 0
}

// idempotencyKey names one row of one data set: the same row has the same key in every run, whatever else is sent
// with it. n tells apart rows that are equal in every field.
func idempotencyKey(name, what string, n int, fields ...string) string {
	sum := digest(fields)
	return fmt.Sprintf("demo %s %s %s %d", name, what, hex.EncodeToString(sum[:6]), n)
}

// hash is a number that follows from fields alone.
func hash(fields ...string) uint64 {
	sum := digest(fields)
	return binary.BigEndian.Uint64(sum[:8])
}

func digest(fields []string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(fields, "\x1f")))
}

// counter numbers equal rows from 0.
type counter map[string]int

func (c counter) next(fields ...string) int {
	key := strings.Join(fields, "\x1f")
	n := c[key]
	c[key] = n + 1
	return n
}

// roster numbers actors by name as they appear.
type roster struct {
	index map[string]int
	list  []actor
}

// party answers the index of the party of that name, which it adds when it is new.
func (r *roster) party(name string) int { return r.add(name, -1) }

func (r *roster) add(name string, controller int) int {
	if i, ok := r.index[name]; ok {
		return i
	}
	if r.index == nil {
		r.index = map[string]int{}
	}
	r.index[name] = len(r.list)
	r.list = append(r.list, actor{name: name, controller: controller})
	return len(r.list) - 1
}

// limitTo keeps the reports of the first items, at most n of them; items without a report are not published. What
// a publication says stays as it is, so that its key stays true.
func (d *dataset) limitTo(n int) {
	slices.SortStableFunc(d.reports, func(a, b report) int { return a.item - b.item })
	if n < len(d.reports) {
		d.reports = d.reports[:n]
	}
}

// used tells which items have reports, which publications have used items, and which actors act.
func (d *dataset) used() (items, publications, actors []bool) {
	items, publications = make([]bool, len(d.items)), make([]bool, len(d.publications))
	actors = make([]bool, len(d.actors))
	act := func(i int) {
		for ; i >= 0; i = d.actors[i].controller {
			actors[i] = true
		}
	}
	for _, r := range d.reports {
		items[r.item] = true
		act(r.actor)
	}
	for i, it := range d.items {
		if items[i] {
			publications[it.pub] = true
			act(d.publications[it.pub].author)
		}
	}
	return items, publications, actors
}

// share divides a limit among data sets as evenly as their sizes allow: what a small one leaves goes to the others.
func share(limit int, sizes []int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	out := make([]int, len(sizes))
	for at, i := range order {
		out[i] = min(sizes[i], limit/(len(order)-at))
		limit -= out[i]
	}
	return out
}

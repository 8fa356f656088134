package evidence

import (
	"fmt"
	"slices"
	"strings"

	"interai/store"
)

// supersedes is the one type of relation that has an effect on trust.
const supersedes = "supersedes"

// The directions of a relation, seen from the object that is read.
const (
	directionOut = "out"
	directionIn  = "in"
)

// checkRings refuses relations with which an item would come to supersede itself through others: which of them stands in
// for which could then not be said. Every publication is checked, so each chain has an end.
func (d *draft) checkRings(rings store.Rings) error {
	var p problems
	next := 0
	for _, relation := range d.Relations {
		if relation.Type != supersedes {
			continue
		}
		path := fmt.Sprintf("/relations/%d/target", relation.at)
		switch {
		case slices.Contains(rings.Closing, next):
			p.addf(path, "no_ring", "supersedes this very item, by itself or through others")
		case rings.TooLong:
			p.addf(path, "chain", "is followed by a chain of superseded items that is too long to be checked")
		}
		next++
	}
	return p.err()
}

func relations(outgoing, incoming []store.RelationLine) []RelationRef {
	out := make([]RelationRef, 0, len(outgoing)+len(incoming))
	for _, r := range outgoing {
		out = append(out, RelationRef{
			Type: r.Type, Direction: directionOut, Reason: r.Reason, Target: r.Other.String(), Title: r.Title, InEffect: r.InEffect,
		})
	}
	for _, r := range incoming {
		out = append(out, RelationRef{
			Type: r.Type, Direction: directionIn, Reason: r.Reason, Source: r.Other.String(), Title: r.Title, InEffect: r.InEffect,
		})
	}
	return out
}

func (r *RelationRef) write(b *strings.Builder) {
	if r.Direction == directionOut {
		fmt.Fprintf(b, "Relation: this %s %s %s", r.Type, r.Target, r.Title)
	} else {
		fmt.Fprintf(b, "Relation: %s (%s) %s this", r.Source, r.Title, r.Type)
	}
	if r.Reason != "" {
		fmt.Fprintf(b, ", reason %s", r.Reason)
	}
	if r.InEffect != nil && !*r.InEffect {
		b.WriteString(" (not in effect)")
	}
	b.WriteByte('\n')
}

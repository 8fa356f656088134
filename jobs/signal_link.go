package jobs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"interai/antiabuse"
	"interai/antiabuse/personal"
	"interai/store"
)

// linkSpan is within which time the keys of parties on one network must be made.
const linkSpan = 24 * time.Hour

// softLinks are the signals of parties that share a domain of mail or a network.
func softLinks(ctx context.Context, v *store.Snapshot, roots []store.ID, since time.Time) ([]store.Signal, error) {
	domains, networks, err := v.PartyLinks(ctx, roots, since)
	if err != nil {
		return nil, err
	}
	byDomain, byNetwork := map[string][]store.PartyLink{}, map[string][]store.PartyLink{}
	for _, l := range domains {
		if domain := antiabuse.RegisteredDomain(l.Domain); domain != "" && !personal.FreeMail(l.Domain) && !personal.FreeMail(domain) {
			byDomain[domain] = append(byDomain[domain], l)
		}
	}
	for _, l := range networks {
		// Behind a loopback or a private network there may be anybody: a proxy, a container, an office.
		if at := l.Network.Addr(); at.IsGlobalUnicast() && !at.IsPrivate() {
			byNetwork[l.Network.String()] = append(byNetwork[l.Network.String()], l)
		}
	}
	var out []store.Signal
	for _, domain := range slices.Sorted(maps.Keys(byDomain)) {
		parties := partiesOf(byDomain[domain])
		made, err := linkSignal(parties, "domain", domain, fmt.Sprintf("%d parties have proved addresses at %s.", len(parties), domain))
		if out, err = appendLink(out, parties, made, err); err != nil {
			return nil, err
		}
	}
	for _, network := range slices.Sorted(maps.Keys(byNetwork)) {
		parties := partiesOf(together(byNetwork[network]))
		made, err := linkSignal(parties, "network", network,
			fmt.Sprintf("%d parties use keys that were made within 24 hours from %s.", len(parties), network))
		if out, err = appendLink(out, parties, made, err); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b store.Signal) int { return cmp.Compare(b.Size, a.Size) })
	return out[:min(len(out), signalMost)], nil
}

func appendLink(out []store.Signal, parties []store.ID, made store.Signal, err error) ([]store.Signal, error) {
	if err != nil || len(parties) < 2 {
		return out, err
	}
	return append(out, made), nil
}

// partiesOf are the parties of links, the earliest first, each once.
func partiesOf(links []store.PartyLink) []store.ID {
	slices.SortStableFunc(links, func(a, b store.PartyLink) int { return cmp.Or(a.At.Compare(b.At), compareIDs(a.Root, b.Root)) })
	var out []store.ID
	seen := map[store.ID]bool{}
	for _, l := range links {
		if !seen[l.Root] && len(out) < store.MaxSignalNotes {
			out = append(out, l.Root)
		}
		seen[l.Root] = true
	}
	return out
}

// together is the largest run of links that began within linkSpan of each other.
func together(links []store.PartyLink) []store.PartyLink {
	slices.SortStableFunc(links, func(a, b store.PartyLink) int { return a.At.Compare(b.At) })
	first, from, to := 0, 0, 0
	for last := range links {
		for links[last].At.Sub(links[first].At) >= linkSpan {
			first++
		}
		if last+1-first > to-from {
			from, to = first, last+1
		}
	}
	return links[from:to]
}

func linkSignal(parties []store.ID, what, shared, sentence string) (store.Signal, error) {
	if len(parties) < 2 {
		return store.Signal{}, nil
	}
	return signal(SignalSoftLink, parties[0], parties, float64(len(parties)), []string{what + ":" + shared}, map[string]any{
		"sentence": sentence, what: shared,
	})
}

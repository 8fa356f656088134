package console

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"

	"interai/store"
)

// pageSize is how many cases a page of the queue has.
const pageSize = 25

// filter is what the queue is narrowed to, as the address has it.
type filter struct{ State, Origin, Reason, Rule, Party, Actor string }

// identifier is the form of reasons and rules.
var identifier = regexp.MustCompile(`^[a-z0-9_]{1,80}$`)

// states are those by which cases are listed, in the order of the queue's navigation.
func states() []string {
	return []string{store.CasesOpen, store.CasesAppealed, store.CasesDecided, store.CasesAll}
}

// filterOf reads a filter. Its error says which field is wrong, and the filter is then that of the whole queue.
func filterOf(values url.Values) (filter, store.CaseQuery, error) {
	f := filter{
		State: values.Get("state"), Origin: values.Get("origin"), Reason: values.Get("reason"), Rule: values.Get("rule"),
		Party: values.Get("party"), Actor: values.Get("actor"),
	}
	if f.State == "" {
		f.State = store.CasesOpen
	}
	query, err := f.query()
	if err != nil {
		return filter{State: store.CasesOpen}, store.CaseQuery{State: store.CasesOpen, Limit: pageSize}, err
	}
	return f, query, nil
}

func (f filter) query() (store.CaseQuery, error) {
	q := store.CaseQuery{State: f.State, Origin: store.CaseOrigin(f.Origin), Reason: f.Reason, Rule: f.Rule, Limit: pageSize}
	if !slices.Contains(states(), f.State) {
		return q, fmt.Errorf("the state must be one of %v", states())
	}
	if f.Origin != "" && !slices.Contains(store.CaseOrigins(), q.Origin) {
		return q, fmt.Errorf("the origin must be one of %v", store.CaseOrigins())
	}
	if f.Reason != "" && !identifier.MatchString(f.Reason) || f.Rule != "" && !identifier.MatchString(f.Rule) {
		return q, errors.New("reason and rule are names such as secret or github_token")
	}
	for _, id := range []struct {
		text string
		to   *store.ID
	}{{f.Party, &q.Party}, {f.Actor, &q.Actor}} {
		if id.text == "" {
			continue
		}
		parsed, err := store.ParseID(id.text)
		if err != nil || !parsed.Kind.IsActor() {
			return q, errors.New("party and actor are IDs of actors, such as usr_… or ai_…")
		}
		*id.to = parsed
	}
	return q, nil
}

// values is the filter as an address has it, without what is as ever.
func (f filter) values() url.Values {
	out := url.Values{}
	for key, value := range map[string]string{
		"state": f.State, "origin": f.Origin, "reason": f.Reason, "rule": f.Rule, "party": f.Party, "actor": f.Actor,
	} {
		if value != "" && (key != "state" || value != store.CasesOpen) {
			out.Set(key, value)
		}
	}
	return out
}

// address is a path with the filter, and more values in pairs.
func (f filter) address(path string, more ...string) string {
	values := f.values()
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

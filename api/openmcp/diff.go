package openmcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Class says what a change means to those who use the older document.
type Class string

// The classes of changes, the worst first.
const (
	// Breaking: a call that was valid is not any more, or an answer may be what it could not be before.
	Breaking Class = "breaking"
	// Compatible: what worked works, though it may mean something else, such as another default.
	Compatible Class = "compatible"
	// Wording: only people read it.
	Wording Class = "wording"
)

// Change is one difference between two documents.
type Change struct {
	Class Class `json:"class"`
	// Kind names the change, such as "intent-removed".
	Kind string `json:"kind"`
	// Old and New are its JSON pointers in the older and in the newer document, "" where it is not there at all.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Message says in a sentence what has changed.
	Message string `json:"message"`
}

// Comparison is how two documents differ.
type Comparison struct {
	Breaking   int `json:"breaking"`
	Compatible int `json:"compatible"`
	Wording    int `json:"wording"`
	// Changes are sorted by class, then by place.
	Changes []Change `json:"changes"`
}

// Diff compares an older document with a newer one. Both must be valid.
func Diff(older, newer []byte) (Comparison, error) {
	a, err := validRoot(older)
	if err != nil {
		return Comparison{}, fmt.Errorf("the older document: %w", err)
	}
	b, err := validRoot(newer)
	if err != nil {
		return Comparison{}, fmt.Errorf("the newer document: %w", err)
	}
	d := &differ{old: a, new: b}
	d.server()
	d.envelopes()
	d.intents()
	d.failures()
	for _, name := range names(a, b) {
		if !slices.Contains([]string{"server", "envelope", "intents", "x_interai_errors", "definitions"}, name) {
			d.wording(both{{name}, {name}}, a[name], b[name])
		}
	}
	return d.conclude(), nil
}

// both is a place in the older and in the newer document; a path may be nil where it is not there.
type both [2][]string

// at is a place below another.
func (p both) at(names ...string) both {
	var out both
	for i := range p {
		if p[i] != nil {
			out[i] = append(slices.Clone(p[i]), names...)
		}
	}
	return out
}

func (p both) onlyOld() both { return both{p[0], nil} }
func (p both) onlyNew() both { return both{nil, p[1]} }

// differ collects changes.
type differ struct {
	old, new map[string]any
	changes  []Change
	// pairs are the schemas that were compared; cut says that there were too many.
	pairs int
	cut   bool
}

func (d *differ) add(class Class, kind string, p both, message string) {
	c := Change{Class: class, Kind: kind, Message: message}
	if p[0] != nil {
		c.Old = pointer(p[0])
	}
	if p[1] != nil {
		c.New = pointer(p[1])
	}
	d.changes = append(d.changes, c)
}

func (d *differ) conclude() Comparison {
	rank := func(c Class) int { return slices.Index([]Class{Breaking, Compatible, Wording}, c) }
	slices.SortStableFunc(d.changes, func(a, b Change) int {
		return cmp.Or(rank(a.Class)-rank(b.Class), strings.Compare(a.Old, b.Old), strings.Compare(a.New, b.New), strings.Compare(a.Kind, b.Kind))
	})
	c := Comparison{Changes: d.changes}
	if c.Changes == nil {
		c.Changes = []Change{}
	}
	for _, change := range d.changes {
		switch change.Class {
		case Breaking:
			c.Breaking++
		case Compatible:
			c.Compatible++
		case Wording:
			c.Wording++
		}
	}
	return c
}

// wording notes that something has changed which only people read.
func (d *differ) wording(p both, a, b any) {
	if same(a, b) {
		return
	}
	d.add(Wording, "words", p, "the text or the example is another one")
}

// server compares where the server is and how one authenticates.
func (d *differ) server() {
	p := both{{"server"}, {"server"}}
	a, b := object(d.old["server"]), object(d.new["server"])
	for _, name := range names(a, b) {
		switch name {
		case "hostname", "port", "protocol", "base_path":
			if !same(a[name], b[name]) {
				d.add(Breaking, "server-moved", p.at(name), "clients reach the server elsewhere")
			}
		case "endpoints":
			d.lists(p.at(name), "endpoint", a[name], b[name], Breaking, Compatible)
		case "auth":
			d.auth(p.at(name), object(a[name]), object(b[name]))
		default:
			d.wording(p.at(name), a[name], b[name])
		}
	}
}

func (d *differ) auth(p both, a, b map[string]any) {
	added := Compatible
	if len(list(a["methods"]))+len(list(a["x_interai_auth"])) == 0 {
		added = Breaking // nobody had to authenticate
	}
	for _, name := range names(a, b) {
		switch name {
		case "methods", "x_interai_auth":
			d.lists(p.at(name), "auth-method", a[name], b[name], Breaking, added)
		case "token_scopes":
			d.lists(p.at(name), "token-scope", a[name], b[name], Compatible, Breaking)
		case "audience", "jwks_uri", "x_issuer":
			if !same(a[name], b[name]) {
				d.add(Breaking, "auth-changed", p.at(name), "tokens that were accepted are not, or cannot be had where they were")
			}
		default:
			d.wording(p.at(name), a[name], b[name])
		}
	}
}

// lists compares two sets of words.
func (d *differ) lists(p both, what string, a, b any, removed, added Class) {
	old, now := texts(a), texts(b)
	for i, word := range old {
		if !slices.Contains(now, word) {
			d.add(removed, what+"-removed", p.at(strconv.Itoa(i)).onlyOld(), "it is not there any more")
		}
	}
	for i, word := range now {
		if !slices.Contains(old, word) {
			d.add(added, what+"-added", p.at(strconv.Itoa(i)).onlyNew(), "it was not there before")
		}
	}
}

// envelopes compares what is read and answered around calls; the examples are words.
func (d *differ) envelopes() {
	p := both{{"envelope"}, {"envelope"}}
	a, b := object(d.old["envelope"]), object(d.new["envelope"])
	for _, name := range names(a, b) {
		if name != "x_schemas" {
			d.wording(p.at(name), a[name], b[name])
			continue
		}
		old, now := object(a[name]), object(b[name])
		d.schemas(p.at(name, "request"), old["request"], now["request"], input)
		d.schemas(p.at(name, "response"), old["response"], now["response"], output)
	}
}

// failures compares our own table of errors, by code.
func (d *differ) failures() {
	find := func(root map[string]any) map[string]int {
		out := map[string]int{}
		for i, f := range list(root["x_interai_errors"]) {
			out[text(object(f)["x_interai_code"])] = i
		}
		return out
	}
	old, now := find(d.old), find(d.new)
	for _, code := range names(old, now) {
		i, inOld := old[code]
		j, inNew := now[code]
		p := both{{"x_interai_errors", strconv.Itoa(i)}, {"x_interai_errors", strconv.Itoa(j)}}
		switch {
		case !inNew:
			d.add(Compatible, "error-code-removed", p.onlyOld(), "the code is not sent any more")
		case !inOld:
			d.add(Breaking, "error-code-added", p.onlyNew(), "clients that tell codes apart do not know the code")
		default:
			d.failure(p, object(list(d.old["x_interai_errors"])[i]), object(list(d.new["x_interai_errors"])[j]))
		}
	}
}

// failure compares what errors are like.
func (d *differ) failure(p both, a, b map[string]any) {
	for _, name := range names(a, b) {
		switch name {
		case "code", "x_interai_code":
			if !same(a[name], b[name]) {
				d.add(Breaking, "error-code-changed", p.at(name), "clients that tell codes apart see another one")
			}
		case "retryable", "x_retryable_by_details":
			if !same(a[name], b[name]) {
				d.add(Compatible, "retryable-changed", p.at(name), "whether a call is worth repeating is told otherwise")
			}
		case "payload_schema":
			d.schemas(p.at(name), a[name], b[name], output)
		case "x_interai_codes":
			d.lists(p.at(name), "error-code", a[name], b[name], Compatible, Breaking)
		default:
			d.wording(p.at(name), a[name], b[name])
		}
	}
}

// names are the members of two maps, sorted.
func names[V any](a, b map[string]V) []string {
	var out []string
	for name := range a {
		out = append(out, name)
	}
	for name := range b {
		if _, twice := a[name]; !twice {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// same compares decoded values; numbers by their value.
func same(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		m, n := number(a), number(b)
		return m != nil && n != nil && m.Cmp(n) == 0
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, member := range x {
			other, ok := y[name]
			if !ok || !same(member, other) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(a, b)
	}
}

// Package secret owns the recognition of credentials in texts: passwords, keys and tokens that somebody could use. It
// looks at every text as it is, without what is invisible in it, and decoded. It stores and logs nothing, and what it
// reports never holds the text itself.
//
// Its rules are of three tiers. Structural rules know a credential by its form. Contextual rules know it by the word
// before it ("password", "api_key", a vendor's name) and by a value that looks drawn by chance. Weak rules only flag.
//
// Start reading at [Engine.Scan].
package secret

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"interai/antiabuse/finding"
)

// Version names the rules: what was scanned with an older version is scanned again.
const Version = "secrets-2026-11"

// Tier says how a rule knows what it finds, and with that what follows.
type Tier int

// Tiers of rules.
const (
	Structural Tier = iota + 1 // by its form; refused
	Contextual                 // by its context; refused
	Weak                       // by little; flagged
)

// RuleInfo describes a rule to operators and moderators.
type RuleInfo struct {
	Name, Description string
	Tier              Tier
}

// Engine scans texts. It is immutable and safe for concurrent use.
type Engine struct {
	automaton *automaton
	handlers  [][]handler // by literal
}

// handler is what a literal sets off.
type handler struct {
	kind handlerKind
	rule *rule                 // of a form
	form *pattern              // of a form
	look func(*scan, int, int) // of a place
	id   int                   // of a word
}

type handlerKind int

const (
	byForm   handlerKind = iota // a literal of a family's pattern
	byPlace                     // a construct that holds a credential at a known place
	byWord                      // a word that announces a credential
	byVendor                    // the name of a vendor
)

// New compiles the rules.
func New() (*Engine, error) {
	literals := map[string][]handler{}
	for _, f := range allFamilies() {
		r := &rule{name: f.name, placeholder: f.placeholder, tier: f.tier, check: f.check}
		for _, source := range f.patterns {
			p, err := compilePattern(source)
			if err != nil {
				return nil, fmt.Errorf("compile rule %s: %w", f.name, err)
			}
			key := strings.ToLower(p.anchor)
			literals[key] = append(literals[key], handler{kind: byForm, rule: r, form: &p})
		}
	}
	addWords(literals)
	names := make([]string, 0, len(literals))
	for name := range literals {
		names = append(names, name)
	}
	slices.Sort(names)
	e := &Engine{}
	for _, name := range names {
		e.handlers = append(e.handlers, literals[name])
	}
	var err error
	if e.automaton, err = newAutomaton(names); err != nil {
		return nil, fmt.Errorf("compile rules: %w", err)
	}
	return e, nil
}

// addWords adds the literals of places, words and vendors.
func addWords(literals map[string][]handler) {
	for _, p := range places {
		for _, literal := range p.literals {
			literals[literal] = append(literals[literal], handler{kind: byPlace, look: p.look})
		}
	}
	for i, w := range stems {
		spelled := spellings[w.text]
		if spelled == nil {
			spelled = []string{w.text}
		}
		for _, literal := range spelled {
			literals[literal] = append(literals[literal], handler{kind: byWord, id: i})
		}
	}
	for i, v := range vendors {
		for _, word := range v.words {
			literals[word] = append(literals[word], handler{kind: byVendor, id: i})
		}
	}
}

// rule is what a finding is reported under.
type rule struct {
	name, placeholder string
	tier              Tier
	check             func(string) bool
}

// Rules lists all rules by name.
func Rules() []RuleInfo {
	var out []RuleInfo
	for _, f := range allFamilies() {
		out = append(out, RuleInfo{Name: f.name, Tier: f.tier, Description: "a credential by its form: " + strings.ReplaceAll(f.name, "_", " ")})
	}
	for _, r := range namedRules {
		out = append(out, RuleInfo{Name: r.name, Tier: r.tier, Description: r.description})
	}
	slices.SortFunc(out, func(a, b RuleInfo) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Scan looks for credentials in text and returns at most what the budget allows, ordered by place. Offsets are those
// of the text as given. When the budget is exceeded the text must be refused: something was not looked at.
func (e *Engine) Scan(b *finding.Budget, text string) []finding.Finding {
	var found []finding.Finding
	e.views(b, text, &found)
	return tidy(found)
}

// ScanPair scans a value of structured data under its key, as if it read "key: value". Offsets are those of value.
func (e *Engine) ScanPair(b *finding.Budget, key, value string) []finding.Finding {
	if key == "" || value == "" {
		return e.Scan(b, value)
	}
	prefix := key + ": "
	found := e.Scan(b, prefix+value)
	out := found[:0]
	for _, f := range found {
		if f.Start, f.End = f.Start-len(prefix), f.End-len(prefix); f.End > 0 {
			f.Start = max(f.Start, 0)
			out = append(out, f)
		}
	}
	return out
}

// tidy orders findings and drops those inside others of at least their weight.
func tidy(found []finding.Finding) []finding.Finding {
	slices.SortFunc(found, finding.Order)
	out := found[:0]
	for _, f := range found {
		covered := slices.ContainsFunc(out, func(other finding.Finding) bool {
			return other.Start <= f.Start && f.End <= other.End && other.Action >= f.Action
		})
		if !covered {
			out = append(out, f)
		}
	}
	return out
}

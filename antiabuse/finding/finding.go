// Package finding owns what every pass over a text reports: where something stands that must not be stored, shown or
// believed as it is, and what to do about it. It also owns the budget that bounds all passes of one call together.
//
// Start reading at [Finding].
package finding

import "cmp"

// Kind is the reason for which a finding matters; it is the `reason` of a rejection.
type Kind string

// Kinds of findings.
const (
	Secret     Kind = "secret"
	Personal   Kind = "personal_data"
	Disallowed Kind = "disallowed"
)

// Action is what follows from a finding, in rising severity.
type Action int

// Actions on findings.
const (
	// Label: accepted, and the text carries Rule as a label.
	Label Action = iota + 1
	// Flag: accepted, and a moderator looks at it.
	Flag
	// Redact: refused, but Replacement makes the text acceptable.
	Redact
	// Reject: refused.
	Reject
)

// Blocks reports whether the text must not be stored.
func (a Action) Blocks() bool { return a >= Redact }

// Finding is one place of a text. It never holds the text itself.
type Finding struct {
	// Rule names what was found, in lower_snake_case.
	Rule   string
	Kind   Kind
	Action Action
	// Start and End are byte offsets into the text as it was given to the pass, half open: those of the sensitive value
	// alone, or of the encoded run in which it was found.
	Start, End int
	// Replacement is what to write instead for Redact, such as "[email]".
	Replacement string
	// Hint says in a sentence what to do; it never repeats the text.
	Hint string
}

// Order sorts findings by place, the severest first at one place.
func Order(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.Action, a.Action), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
}

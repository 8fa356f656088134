package ops

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Details accompany every error; ErrorKinds says which members come with which code. retryable and correlation_id are always sent,
// the others only when they say something.
type Details struct {
	// Retryable reports whether the same call may succeed when sent again.
	Retryable bool `json:"retryable" doc:"Whether the same call may succeed when it is sent again."`
	// CorrelationID is the ID of the call's audit row; the executor sets it.
	CorrelationID string `json:"correlation_id" doc:"The ID of the call's audit row, or of the HTTP request when there is none."`
	// RecoveryHints are sentences that say what to do next.
	RecoveryHints []string `json:"recovery_hints,omitempty" doc:"What to do next, in sentences."`
	// RetryAfter is the waiting time in seconds; 0 = not given.
	RetryAfter int `json:"retry_after,omitempty" validate:"min=1" doc:"Seconds to wait before the next attempt."`
	// Reason is a snake_case word that refines the code.
	Reason string `json:"reason,omitempty" validate:"snake_case" doc:"A word that refines the code."`
	// Problems list every violated rule, at most 50.
	Problems []Problem `json:"problems,omitempty" validate:"min=1,max=50" doc:"Every violated rule, by place."`
	// Outcome is "unknown" when the server cannot tell whether a write happened,
	// "committed" when it did although its answer could not be delivered.
	Outcome string `json:"outcome,omitempty" validate:"oneof=unknown committed" doc:"What is known of a write whose answer is an error."`
	// Existing are the public IDs that stand in the way (reason already_exists).
	Existing []string `json:"existing,omitempty" doc:"IDs that stand in the way."`
	// Use names what to use instead.
	Use string `json:"use,omitempty" doc:"What to use instead."`
	// Extra members are sent beside the others, sorted by name; a name of a
	// member above is ignored.
	Extra map[string]json.RawMessage `json:"-"`
}

// plainDetails has Details' fields without its methods, to marshal the fixed part.
type plainDetails Details

// detailNames are the members that Extra may not replace.
func detailNames() []string {
	return []string{
		"retryable", "correlation_id", "recovery_hints", "retry_after", "reason",
		"problems", "outcome", "existing", "use",
	}
}

// MarshalJSON writes the fixed members in their order, then Extra sorted by name.
func (d Details) MarshalJSON() ([]byte, error) {
	fixed, err := marshalPlain(plainDetails(d))
	if err != nil {
		return nil, fmt.Errorf("encode details: %w", err)
	}
	out := bytes.NewBuffer(bytes.TrimSuffix(fixed, []byte("}")))
	names := make([]string, 0, len(d.Extra))
	for name := range d.Extra {
		if !slices.Contains(detailNames(), name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		out.WriteByte(',')
		out.Write(appendString(nil, name))
		out.WriteByte(':')
		out.Write(d.Extra[name])
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnmarshalJSON reads the fixed members and keeps all others in Extra, so that a
// client of ours loses nothing of what a newer server says.
func (d *Details) UnmarshalJSON(data []byte) error {
	var plain plainDetails
	if err := json.Unmarshal(data, &plain); err != nil {
		return fmt.Errorf("decode details: %w", err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("decode details: %w", err)
	}
	for _, name := range detailNames() {
		delete(all, name)
	}
	*d = Details(plain)
	d.Extra = nil
	if len(all) > 0 {
		d.Extra = all
	}
	return nil
}

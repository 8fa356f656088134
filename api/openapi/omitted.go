package openapi

import "interai/api/ops"

// TooLarge is the reason of an answer that was left out, or could not be cut.
const TooLarge = "response_too_large"

// Omitted stands for the answer of a write that has happened, when the answer is too large to be sent.
type Omitted struct {
	// Omitted is always true.
	Omitted bool `json:"omitted"`
	// Reason is TooLarge.
	Reason string `json:"reason"`
	// Operation is the operation that has succeeded.
	Operation string `json:"operation"`
	// ID is what it stored, "" when that is not known any more.
	ID string `json:"id,omitempty"`
	// Hint says how to see what was stored.
	Hint string `json:"hint"`
}

// NewOmitted is the marker of an operation's answer.
func NewOmitted(operation, id string) Omitted {
	hint := "It is stored. Do not send it again; search finds it."
	if id != "" {
		hint = "It is stored. Do not send it again; get shows it by this id."
	}
	return Omitted{Omitted: true, Reason: TooLarge, Operation: operation, ID: id, Hint: hint}
}

// omittedProperties describe the marker among the members of an ordinary answer.
func omittedProperties() []ops.Property {
	text := func(description string) *ops.Schema { return &ops.Schema{Type: "string", Description: description} }
	reason := text("With omitted: why.")
	reason.Enum = []string{TooLarge}
	return []ops.Property{
		{Name: "omitted", Schema: &ops.Schema{Type: "boolean", Description: "True: it is stored, and the answer was left out."}},
		{Name: "reason", Schema: reason},
		{Name: "operation", Schema: text("With omitted: what has succeeded.")},
		{Name: "id", Schema: text("With omitted: what was stored.")},
		{Name: "hint", Schema: text("With omitted: how to see it.")},
	}
}

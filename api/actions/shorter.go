package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"interai/api/openapi"
	"interai/api/ops"
)

const (
	// limitField is the argument that bounds a page, wherever an operation has pages.
	limitField = "limit"
	// maxTries is how often a read is asked again for a shorter page. Each halves the limit at least.
	maxTries = 4
	// room is the share of the bound, in percent, that a page is made for: its items are not all of one size.
	room = 80
)

// shorter asks a read again for a page that fits, which says by its next_cursor how to go on. Reads change nothing, so
// they may run again. A read without pages, or with one item that is too large, is told what to ask less of.
func (h *Handler) shorter(ctx context.Context, op ops.Operation, call ops.Call, first ops.Result) ops.Result {
	arguments := map[string]json.RawMessage{}
	paged := op.InputSchema().Property(limitField) != nil && (len(call.Arguments) == 0 || json.Unmarshal(call.Arguments, &arguments) == nil)
	limit, result := longestList(first.Structured), first
	var given int
	if json.Unmarshal(arguments[limitField], &given) == nil && given > 0 {
		limit = min(limit, given)
	}
	for range maxTries {
		if !paged || limit <= 1 {
			break
		}
		limit = max(1, min(limit/2, limit*h.cfg.MaxAnswerChars*room/100/utf8.RuneCount(result.Structured)))
		arguments[limitField] = json.RawMessage(strconv.Itoa(limit))
		var err error
		if call.Arguments, err = json.Marshal(arguments); err != nil { // what was read as JSON encodes again
			break
		}
		result = h.cfg.Executor.Execute(ctx, call)
		if result.Err != nil || h.fits(result.Structured) {
			return result
		}
	}
	return ops.Result{Err: h.tooLarge(op, result.CorrelationID), CorrelationID: result.CorrelationID}
}

// longestList is the length of the longest list among an answer's members.
func longestList(structured []byte) int {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(structured, &members) != nil {
		return 0
	}
	longest := 0
	for _, value := range members {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) == nil {
			longest = max(longest, len(list))
		}
	}
	return longest
}

// tooLarge says which argument to make smaller.
func (h *Handler) tooLarge(op ops.Operation, correlationID string) *ops.Error {
	path := ""
	for _, name := range []string{"ids", "include", limitField} {
		if op.InputSchema().Property(name) != nil {
			path = "/" + name
			break
		}
	}
	e := ops.InvalidField(path, "answer_size", fmt.Sprintf("must ask for less: the answer has more than %d characters", h.cfg.MaxAnswerChars)).
		WithReason(openapi.TooLarge).
		WithHints("Make the argument that details.problems names shorter, or limit smaller.",
			"What is too large alone, such as a file, is not for this interface; MCP and the object's page have it.")
	e.Details.CorrelationID = correlationID
	return e
}

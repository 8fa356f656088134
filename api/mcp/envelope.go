package mcp

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"interai/api/ops"
)

// Bounds of an OpenMCPSpec request envelope.
const (
	// maxEnvelopeBytes bounds id and trace_id in bytes.
	maxEnvelopeBytes = 256
	// maxDeadline bounds deadline_ms; the executor takes the smaller of it and its own.
	maxDeadline = time.Hour
)

// envelopePath is the JSON pointer of the envelope in a request.
const envelopePath = "/_meta/openmcpspec~1envelope"

// readEnvelope reads the OpenMCPSpec envelope of a request into m. What is wrong in it is a problem of the call, since a
// deadline or a key that is silently not honoured would be worse than none. Members that it does not name are dropped.
func readEnvelope(m *ops.Meta, value any) {
	if value == nil {
		return
	}
	e := envelope{meta: m}
	members, ok := value.(map[string]any)
	if !ok {
		e.problem("", "type", "must be an object")
		return
	}
	m.Enveloped = true
	m.EnvelopeID = e.text(members, "id")
	m.EnvelopeTrace = e.text(members, "trace_id")
	m.Deadline = e.deadline(members["deadline_ms"])
	m.EnvelopeKey = e.key(members["idempotency_key"])
	if m.TraceParent == "" {
		m.TraceParent = firstTraceParent(m.EnvelopeTrace)
	}
}

// envelope collects what is wrong in one envelope.
type envelope struct{ meta *ops.Meta }

func (e *envelope) problem(member, rule, message string) {
	path := envelopePath
	if member != "" {
		path += "/" + member
	}
	e.meta.Problems = append(e.meta.Problems, ops.Problem{Path: path, Rule: rule, Message: message})
}

// text reads a short string that is stored and repeated.
func (e *envelope) text(members map[string]any, name string) string {
	value := members[name]
	if value == nil {
		return ""
	}
	s, ok := value.(string)
	switch {
	case !ok:
		e.problem(name, "type", "must be a string")
	case s == "":
		e.problem(name, "min", "must have at least 1 character")
	case len(s) > maxEnvelopeBytes:
		e.problem(name, "maxbytes", fmt.Sprintf("must have at most %d bytes of UTF-8", maxEnvelopeBytes))
	case strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }):
		e.problem(name, "printable", "must have printable characters only")
	default:
		return s
	}
	return ""
}

// deadline reads milliseconds.
func (e *envelope) deadline(value any) time.Duration {
	if value == nil {
		return 0
	}
	ms, ok := value.(float64)
	switch {
	case !ok || ms != math.Trunc(ms):
		e.problem("deadline_ms", "type", "must be an integer")
	case ms < 1:
		e.problem("deadline_ms", "min", "must be at least 1")
	case ms > float64(maxDeadline/time.Millisecond):
		e.problem("deadline_ms", "max", fmt.Sprintf("must be at most %d", maxDeadline/time.Millisecond))
	default:
		return time.Duration(ms) * time.Millisecond
	}
	return 0
}

// key reads the idempotency key, whose rules are those of the argument: the executor holds it against them.
func (e *envelope) key(value any) string {
	if value == nil {
		return ""
	}
	s, ok := value.(string)
	switch {
	case !ok:
		e.problem("idempotency_key", "type", "must be a string")
	case s == "":
		e.problem("idempotency_key", "min", "must have at least 1 character")
	}
	return s
}

package ops

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// MaxWait bounds Meta.Wait (_meta["interai/wait_ms"]).
const MaxWait = 10 * time.Second

// Run says which model produced a call, as its client claims in
// _meta["interai/run"]. It is recorded, never trusted.
type Run struct {
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	RunID    string `json:"run_id,omitempty"`
}

// Meta is what an adapter knows about a call besides its arguments. Fields of
// the wire that have no place here are dropped, never stored.
type Meta struct {
	// Adapter is the way in: "mcp-http", "mcp-stdio", "actions", ….
	Adapter string
	// Client is the name and version that the client gave, such as "inspector/2.12.0".
	Client string
	// UserAgent is the HTTP header, bounded to 256 bytes by the adapter.
	UserAgent string
	// Run is the model run behind the call.
	Run Run
	// TraceParent is a W3C traceparent, "" when absent or malformed.
	TraceParent string
	// Wait is how long the caller is willing to wait for its evidence to be
	// computed; 0 to MaxWait.
	Wait time.Duration
	// Enveloped says that an OpenMCPSpec envelope came with the call; the answer repeats what it says.
	Enveloped bool
	// EnvelopeID is the request ID of an OpenMCPSpec envelope.
	EnvelopeID string
	// EnvelopeTrace is the trace ID of an OpenMCPSpec envelope, whatever its form.
	EnvelopeTrace string
	// EnvelopeKey is the idempotency key of an OpenMCPSpec envelope.
	EnvelopeKey string
	// Deadline shortens the operation's own deadline; 0 = not given.
	Deadline time.Duration
	// Problems are what is wrong in what came with the call beside its arguments; with one the call is refused.
	Problems []Problem
}

// Call is one request to one operation.
type Call struct {
	// Operation is the registered name.
	Operation string
	// Arguments are the raw bytes of the arguments object; empty means {}.
	Arguments json.RawMessage
	// Caller is nil for an unauthenticated call.
	Caller *Caller
	// Meta is the adapter's knowledge.
	Meta Meta
	// CorrelationID is a UUIDv7 and the key of the audit row; the executor sets it.
	CorrelationID uuid.UUID
	// StartedAt is the server's time of arrival; the executor sets it.
	StartedAt time.Time
	// IdempotencyKey is the effective key, from the arguments or the envelope, ""
	// when there is none; the executor sets it before the handler runs.
	IdempotencyKey string

	// ReplayOnly says that the call was neither charged nor scanned: its handler may only repeat what is stored under the
	// idempotency key, and answers ErrNotReplayed when there is nothing; the executor sets it.
	ReplayOnly bool

	audited  bool
	replayed bool
	withheld bool                   // nothing of the arguments may be stored
	mask     func() json.RawMessage // made by the executor
	request  json.RawMessage        // cache of mask's answer
	meta     map[string]json.RawMessage
}

// MarkAudited says that the handler wrote the call's audit row inside its own
// transaction, so the executor must not audit it again. Call it from the
// handler's goroutine, once the transaction has committed.
func (c *Call) MarkAudited() { c.audited = true }

// MarkReplayed says that the answer is that of an earlier call with the same key, so that this one costs nothing.
func (c *Call) MarkReplayed() { c.replayed = true }

// Withheld reports whether nothing of the arguments may be kept, not even in a list of questions.
func (c *Call) Withheld() bool { return c.withheld }

// Audited reports whether MarkAudited was called.
func (c *Call) Audited() bool { return c.audited }

// AuditRequest returns the masked and bounded form of the arguments that may be
// stored. It is always valid JSON. It is computed at the first use.
func (c *Call) AuditRequest() json.RawMessage {
	if c.request == nil && c.mask != nil {
		c.request = c.mask()
	}
	if c.request == nil {
		return json.RawMessage("{}")
	}
	return c.request
}

// SetMeta adds a member to the result's _meta, such as "interai/computed". A
// value that cannot be encoded is left out.
func (c *Call) SetMeta(name string, value any) {
	raw, err := marshalPlain(value)
	if err != nil {
		return
	}
	if c.meta == nil {
		c.meta = map[string]json.RawMessage{}
	}
	c.meta[name] = raw
}

// Result is the answer to one call, ready for any adapter.
type Result struct {
	// Structured is the JSON object of the answer: the operation's output, or
	// {"error": {…}}.
	Structured json.RawMessage
	// Text is a readable rendering that is sufficient alone, at most 32 KB.
	Text string
	// Links name resources that belong to the answer.
	Links []Link
	// Err is nil on success.
	Err *Error
	// CorrelationID is the call's correlation ID as a string.
	CorrelationID string
	// Meta goes to the result's _meta, where the adapter has one.
	Meta map[string]json.RawMessage
	// Envelope answers the call's OpenMCPSpec envelope, nil when none came.
	Envelope *Envelope
}

package ops

// EnvelopeMember is the member of a request's _meta that holds an OpenMCPSpec request envelope, and of a result's _meta
// that answers it.
const EnvelopeMember = "openmcpspec/envelope"

// Statuses of an answered envelope (OpenMCPSpec 0.4.1, section 4).
const (
	// StatusSuccess: the answer is whole.
	StatusSuccess = "success"
	// StatusError: the answer is an error.
	StatusError = "error"
	// StatusPartial: a part of what was asked for was left out because of its size, and the answer says how to read on.
	StatusPartial = "partial"
)

// Envelope answers the OpenMCPSpec envelope of a call.
type Envelope struct {
	// ID is the request's, as it may be repeated: a secret in it is masked.
	ID string `json:"id,omitempty"`
	// Status is success, error or partial.
	Status string `json:"status"`
	// TraceID is the envelope's, else that of the call's traceparent.
	TraceID string `json:"trace_id,omitempty"`
}

// answered is the answer to the envelope of a call, nil when none came.
func (m *Meta) answered(failed, partial bool) *Envelope {
	if !m.Enveloped {
		return nil
	}
	e := &Envelope{ID: m.EnvelopeID, Status: StatusSuccess, TraceID: m.EnvelopeTrace}
	if e.TraceID == "" {
		e.TraceID = m.TraceParent
	}
	switch {
	case failed:
		e.Status = StatusError
	case partial:
		e.Status = StatusPartial
	}
	return e
}

// Refused is the answer to the envelope of a call that was refused before it reached an executor, nil when none came.
func (m *Meta) Refused() *Envelope { return m.answered(true, false) }

package openmcp

import (
	"interai/api/ops"
)

// Definitions that the document refers to.
const (
	envelopeRef = "#/definitions/errorEnvelope"
	detailsRef  = "#/definitions/errorDetails"
)

// reference is a JSON reference.
type reference struct {
	Ref string `json:"$ref"`
}

// failures describe our eleven codes as error envelopes, each with the schema of its details.
func failures(kinds []ops.ErrorKind) []Failure {
	out := make([]Failure, len(kinds))
	for i, kind := range kinds {
		out[i] = Failure{
			Code: CodeOf(kind.Code), Ours: string(kind.Code), Message: kind.Meaning, Retryable: kind.Retryable,
			RecoveryHints: kind.Hints, PayloadSchema: kind.Details, RetryableByDetails: kind.Sometimes,
		}
	}
	return out
}

// intentFailure is the error of each intent: any of the codes. An unauthenticated call over HTTP is refused with status 401
// and the same body.
func intentFailure() *Failure {
	f := &Failure{
		Code: codeInvalid, Message: "Failed calls answer {\"error\": {code, message, details}}; x_interai_errors describes each code.",
		PayloadSchema: reference{detailsRef},
	}
	for _, code := range ops.Codes() {
		f.Codes = append(f.Codes, string(code))
	}
	return f
}

// definitionsOf are what errors are like on the wire: the error itself, and its details with the members of all codes.
func definitionsOf(failure *ops.Schema) definitions {
	e := failure.Property("error")
	return definitions{Envelope: e, Details: e.Property("details")}
}

type definitions struct {
	Envelope *ops.Schema `json:"errorEnvelope"` //nolint:tagliatelle // the specification names it
	Details  *ops.Schema `json:"errorDetails"`  //nolint:tagliatelle // like its neighbour
}

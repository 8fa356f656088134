// Package openmcp owns OpenMCPSpec 0.4.1: the document that describes a server of ours, made of its registry of
// operations, and the tools for documents of anybody: validation, comparison, checking a call before it is sent, and
// making a document of what a live MCP server tells.
//
// It speaks no protocol and reads no file or network address: whoever calls it brings the bytes, and references in
// schemas are followed inside them only. Start reading at [Build] and [Validate].
package openmcp

// Version is the version of OpenMCPSpec that documents made here follow.
const Version = "v0.4.1"

// Path is where a server of ours serves its document, below its address.
const Path = "/openmcpspec.json"

// Severity says how bad a finding is.
type Severity string

// The two severities.
const (
	// Error: the document is not valid.
	Error Severity = "error"
	// Warning: the document is valid and worse than it could be.
	Warning Severity = "warning"
)

// Finding is one thing that is wrong at one place of a document or a call.
type Finding struct {
	// Pointer is the JSON pointer (RFC 6901) of the place.
	Pointer string `json:"pointer"`
	// Severity is error or warning.
	Severity Severity `json:"severity"`
	// Rule is "schema" or the ID of a rule of Rules.
	Rule string `json:"rule"`
	// Keyword is the violated keyword of the schema, and SchemaPointer its place there; both only for rule "schema".
	Keyword       string `json:"keyword,omitempty"`
	SchemaPointer string `json:"schema_pointer,omitempty"`
	// Message says in a sentence what is wrong. It repeats no value of the document.
	Message string `json:"message"`
}

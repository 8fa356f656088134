package ops

import "slices"

// Caller is the authenticated identity behind a call. It comes from the
// credential alone, never from arguments.
type Caller struct {
	// Actor is the public ID of the acting identity, such as "ai_…".
	Actor string
	// Kind is "usr", "org" or "ai".
	Kind string
	// Root is the public ID of the root controller: the party that limits and
	// independence count.
	Root string
	// Controller is the public ID of the direct controller, "" when the actor has none.
	Controller string
	// DisplayName is what whoami shows.
	DisplayName string
	// Scopes are the rights of the credential used: read, publish, usage, review,
	// rate, moderate.
	Scopes []string
	// KeyID is the public part of the credential, "" for the local agent of stdio.
	KeyID string
}

// Has reports whether the caller holds scope. The empty scope is held by every
// authenticated caller; a nil caller holds nothing.
func (c *Caller) Has(scope string) bool {
	if c == nil {
		return false
	}
	return scope == "" || slices.Contains(c.Scopes, scope)
}

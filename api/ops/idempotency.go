package ops

import (
	"strings"
	"unicode/utf8"
)

// keyField is the member that carries the idempotency key in every keyed input.
const keyField = "idempotency_key"

// mergeKey sets the effective idempotency key: the argument's, else the
// envelope's; two different ones are a mistake of the client (DECISIONS 10).
func mergeKey(op Operation, in any, c *Call) *Error {
	keyed, ok := in.(Keyed)
	if !ok {
		return nil
	}
	key, envelope := keyed.GetIdempotencyKey(), c.Meta.EnvelopeKey
	if key != "" && envelope != "" && key != envelope {
		return InvalidField("/"+keyField, "envelope", "differs from the idempotency key of the envelope")
	}
	if key == "" && envelope != "" {
		if p := op.checkEnvelopeKey(envelope); len(p.list) > 0 {
			return Invalid(p.list...)
		}
		key = envelope
		keyed.SetIdempotencyKey(key)
	}
	c.IdempotencyKey = key
	return nil
}

// checkEnvelopeKey holds the envelope's key against the rules of the argument
// whose place it takes, and names the place where it stands.
func (op Operation) checkEnvelopeKey(key string) *problems {
	p := &problems{path: []string{"_meta", EnvelopeMember, keyField}}
	if !utf8.ValidString(key) {
		p.add("utf8", "is not valid UTF-8")
	}
	if strings.ContainsRune(key, 0) {
		p.add("nul", "must not contain the NUL character")
	}
	if i := op.input.fieldIndex(keyField); i >= 0 && op.input.fields[i].node.kind == kindString {
		op.input.fields[i].node.checkString(p, key)
	}
	return p
}

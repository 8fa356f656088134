package ops

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// maxAuditRequestBytes bounds the request that an audit row keeps.
const maxAuditRequestBytes = 8 << 10

// Masker returns the form of valid arguments that may be stored: secrets and
// personal data replaced. It must return valid JSON.
type Masker func(operation string, arguments json.RawMessage) json.RawMessage

// shape describes arguments without any of their content: the known members with
// their type and size, and how many others there were. It is what the audit keeps
// of arguments that were refused, too big, or not even JSON.
func shape(n *node, raw json.RawMessage) json.RawMessage {
	w := members{dst: []byte{'{'}}
	w.key("_bytes")
	w.dst = strconv.AppendInt(w.dst, int64(len(raw)), 10)
	all := map[string]json.RawMessage{}
	if n != nil && json.Unmarshal(raw, &all) == nil {
		others := len(all)
		for _, f := range n.fields {
			value, ok := all[f.name]
			if !ok {
				continue
			}
			others--
			w.text(f.name, describe(value))
		}
		if others > 0 {
			w.key("_unknown_members")
			w.dst = strconv.AppendInt(w.dst, int64(others), 10)
		}
	}
	return append(w.dst, '}')
}

// describe names the type and size of a value.
func describe(value json.RawMessage) string {
	kinds := map[byte]string{'{': "object", '[': "array", '"': "string", 't': "boolean", 'f': "boolean", 'n': "null"}
	kind, ok := kinds[value[0]]
	if !ok {
		kind = "number"
	}
	return kind + ", " + plural(len(value), "byte")
}

// auditRequest returns the storable form of arguments. Content is kept only of
// arguments that fit the schema and were not rejected for what they contain.
func (x *Executor) auditRequest(op Operation, call *Call, valid bool) (stored json.RawMessage) {
	defer func() {
		if p := recover(); p != nil { // a broken masker must neither leak nor lose the row
			x.log.Error("audit masker panicked", "operation", call.Operation, "panic", fmt.Sprint(p))
			stored = shape(op.input, call.Arguments)
		}
	}()
	if !valid {
		return shape(op.input, call.Arguments)
	}
	raw := call.Arguments
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if x.mask != nil {
		raw = x.mask(call.Operation, slices.Clone(raw))
	}
	if len(raw) > maxAuditRequestBytes || !json.Valid(raw) {
		return shape(op.input, raw)
	}
	return raw
}

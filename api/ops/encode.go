package ops

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

var errNotFinite = errors.New("a number is not finite")

// encode appends v by its plan: members in the struct's order, no HTML escaping,
// lists never null, absent pointers left out, keys of maps sorted.
func (n *node) encode(dst []byte, v reflect.Value) ([]byte, error) {
	if n.ptr {
		v = v.Elem()
	}
	switch n.kind {
	case kindString:
		return appendString(dst, v.String()), nil
	case kindInt:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case kindUint:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case kindBool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case kindFloat:
		return appendFloat(dst, v)
	case kindText:
		return appendText(dst, v)
	case kindRaw:
		return appendRaw(dst, v.Bytes())
	case kindStruct:
		return n.encodeStruct(dst, v)
	case kindMap:
		return n.encodeMap(dst, v)
	default:
		return n.encodeList(dst, v)
	}
}

func appendFloat(dst []byte, v reflect.Value) ([]byte, error) {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, errNotFinite
	}
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, fmt.Errorf("encode number: %w", err)
	}
	return append(dst, raw...), nil
}

func appendText(dst []byte, v reflect.Value) ([]byte, error) {
	m, ok := reflect.TypeAssert[encoding.TextMarshaler](v)
	if !ok {
		p := reflect.New(v.Type()) // the methods have pointer receivers
		p.Elem().Set(v)
		if m, ok = reflect.TypeAssert[encoding.TextMarshaler](p); !ok {
			return nil, fmt.Errorf("encode %s: it has no text form", v.Type())
		}
	}
	text, err := m.MarshalText()
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", v.Type(), err)
	}
	return appendString(dst, string(text)), nil
}

// appendRaw appends a stored object without white space; an absent one is {}.
func appendRaw(dst, raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return append(dst, "{}"...), nil
	}
	out := bytes.NewBuffer(dst)
	if err := json.Compact(out, raw); err != nil {
		return nil, fmt.Errorf("encode free object: %w", err)
	}
	return out.Bytes(), nil
}

func (n *node) encodeStruct(dst []byte, v reflect.Value) ([]byte, error) {
	w := members{dst: append(dst, '{')}
	for i := range n.fields {
		f := &n.fields[i]
		member := v.FieldByIndex(f.index)
		if f.omits(member) {
			continue
		}
		w.key(f.name)
		var err error
		if w.dst, err = f.node.encode(w.dst, member); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return append(w.dst, '}'), nil
}

// omits reports whether a member is left out of the answer.
func (f *field) omits(v reflect.Value) bool {
	switch {
	case f.node.ptr && v.IsNil():
		return true
	case f.omitZero && v.IsZero():
		return true
	case !f.omitEmpty:
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

func (n *node) encodeMap(dst []byte, v reflect.Value) ([]byte, error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	w := members{dst: append(dst, '{')}
	for _, key := range keys {
		elem := v.MapIndex(key)
		if n.elem.ptr && elem.IsNil() {
			continue
		}
		w.key(key.String())
		var err error
		if w.dst, err = n.elem.encode(w.dst, elem); err != nil {
			return nil, fmt.Errorf("%s: %w", key.String(), err)
		}
	}
	return append(w.dst, '}'), nil
}

func (n *node) encodeList(dst []byte, v reflect.Value) ([]byte, error) {
	dst = append(dst, '[')
	some := false
	for i := range v.Len() {
		elem := v.Index(i)
		if n.elem.ptr && elem.IsNil() {
			continue
		}
		if some {
			dst = append(dst, ',')
		}
		some = true
		var err error
		if dst, err = n.elem.encode(dst, elem); err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
	}
	return append(dst, ']'), nil
}

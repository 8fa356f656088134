package ops

import (
	"bytes"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// decoder fills Go values from raw JSON by a compiled plan. It goes from bytes to
// typed fields in one step, so an int64 stays exact, and it goes on after a
// problem, so the caller learns all of them at once.
type decoder struct {
	scanner
}

// document decodes the whole text into v and refuses anything behind it.
func (d *decoder) document(n *node, v reflect.Value) {
	if d.value(n, v) && d.peek() != 0 || d.pos < len(d.data) && !d.stopped {
		d.broken()
	}
}

// value decodes one value; false stops the reading.
func (d *decoder) value(n *node, v reflect.Value) bool {
	if d.problems.full() {
		d.stopped = true
		return false
	}
	c := d.peek()
	if !n.starts(c) {
		if c == 0 || !strings.ContainsRune(`{["-0123456789tfn`, rune(c)) {
			return d.broken()
		}
		d.problems.add("type", "must be "+article(n.schema.Type))
		return d.skip()
	}
	if n.ptr {
		v.Set(reflect.New(n.typ))
		v = v.Elem()
	}
	switch n.kind {
	case kindString:
		return d.string(n, v)
	case kindText:
		return d.textual(v)
	case kindInt, kindUint, kindFloat:
		return d.numeric(n, v)
	case kindBool:
		v.SetBool(c == 't')
		return d.skip()
	case kindRaw:
		return d.raw(n, v)
	case kindStruct:
		return d.object(n, v)
	case kindMap:
		return d.mapping(n, v)
	default:
		return d.list(n, v)
	}
}

// starts reports whether a value of the node's type may start with c.
func (n *node) starts(c byte) bool {
	switch n.schema.Type {
	case "string":
		return c == '"'
	case "integer", "number":
		return c == '-' || c >= '0' && c <= '9'
	case "boolean":
		return c == 't' || c == 'f'
	case "array":
		return c == '['
	default:
		return c == '{'
	}
}

func article(typ string) string {
	switch typ {
	case "object", "array", "integer":
		return "an " + typ
	default:
		return "a " + typ
	}
}

func (d *decoder) string(n *node, v reflect.Value) bool {
	before := len(d.problems.list)
	text, ok := d.text()
	if !ok {
		return false
	}
	v.SetString(text)
	if len(d.problems.list) == before {
		n.checkString(&d.problems, text)
	}
	return true
}

func (d *decoder) textual(v reflect.Value) bool {
	text, ok := d.text()
	if !ok {
		return false
	}
	u := v.Addr().Interface().(encoding.TextUnmarshaler) //nolint:forcetypeassert // only such types are planned as text
	if err := u.UnmarshalText([]byte(text)); err != nil {
		d.problems.add("format", "has not the expected form")
	}
	return true
}

func (d *decoder) numeric(n *node, v reflect.Value) bool {
	text, ok := d.number()
	if !ok {
		return false
	}
	value, ok := inRange(text)
	if !ok {
		d.problems.add("range", "is a number out of range")
		return true
	}
	switch n.kind {
	case kindInt:
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil && integral(value) {
			i, err = int64(value), nil // 1e3 and 10.0 are integers in JSON Schema
		}
		if err != nil || v.OverflowInt(i) {
			d.badInteger(value)
			return true
		}
		v.SetInt(i)
	case kindUint:
		u, err := strconv.ParseUint(text, 10, 64)
		if err != nil && integral(value) && value >= 0 {
			u, err = uint64(value), nil
		}
		if err != nil || v.OverflowUint(u) {
			d.badInteger(value)
			return true
		}
		v.SetUint(u)
	default:
		v.SetFloat(value)
	}
	n.checkNumber(&d.problems, value)
	return true
}

// integral reports whether value is an integer that a double holds exactly.
func integral(value float64) bool {
	const exact = 1 << 53
	return value == math.Trunc(value) && math.Abs(value) < exact
}

func (d *decoder) badInteger(value float64) {
	if value != math.Trunc(value) {
		d.problems.add("type", "must be an integer")
		return
	}
	d.problems.add("range", "is an integer out of range")
}

func (d *decoder) raw(n *node, v reflect.Value) bool {
	start := d.pos
	if !d.skip() {
		return false
	}
	text := d.data[start:d.pos]
	v.SetBytes(bytes.Clone(text))
	if n.schema.MaxBytes > 0 && len(text) > n.schema.MaxBytes {
		d.problems.add("maxbytes", fmt.Sprintf("must have at most %d bytes", n.schema.MaxBytes))
	}
	return true
}

func (d *decoder) list(n *node, v reflect.Value) bool {
	if !d.enter() {
		return false
	}
	v.Set(reflect.MakeSlice(n.typ, 0, 0))
	for i := 0; ; i++ {
		item, ok := d.more(i == 0, ']')
		if !item {
			if ok {
				n.checkList(&d.problems, v.Len())
			}
			return ok
		}
		elem := reflect.New(n.typ.Elem()).Elem()
		d.problems.pushIndex(i)
		ok = d.value(n.elem, elem)
		d.problems.pop()
		if !ok {
			return false
		}
		v.Set(reflect.Append(v, elem))
	}
}

func (d *decoder) mapping(n *node, v reflect.Value) bool {
	if !d.enter() {
		return false
	}
	v.Set(reflect.MakeMap(n.typ))
	for first := true; ; first = false {
		item, ok := d.more(first, '}')
		if !item {
			return ok
		}
		name, ok := d.text()
		if !ok || !d.take(':') {
			return false
		}
		key := reflect.ValueOf(name).Convert(n.typ.Key())
		elem := reflect.New(n.typ.Elem()).Elem()
		d.problems.push(name)
		if v.MapIndex(key).IsValid() {
			d.problems.add("duplicate", "is given twice")
		}
		ok = d.value(n.elem, elem)
		d.problems.pop()
		if !ok {
			return false
		}
		v.SetMapIndex(key, elem)
	}
}

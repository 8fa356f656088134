package ops

import (
	"fmt"
	"reflect"
)

// object decodes a struct: unknown names and names given twice are refused, null
// for an optional field means that it is absent, and absent fields take their
// default or are missed when required.
func (d *decoder) object(n *node, v reflect.Value) bool {
	if !d.enter() {
		return false
	}
	state := make([]presence, len(n.fields))
	for first := true; ; first = false {
		item, ok := d.more(first, '}')
		if !item {
			if ok {
				d.complete(n, v, state)
			}
			return ok
		}
		name, ok := d.text()
		if !ok || !d.take(':') {
			return false
		}
		d.problems.push(name)
		ok = d.member(n, v, name, state)
		d.problems.pop()
		if !ok {
			return false
		}
	}
}

// presence says what the text had for a field.
type presence struct {
	seen  bool // the name occurred
	value bool // with a value that is not null
}

// member decodes the value behind one name.
func (d *decoder) member(n *node, v reflect.Value, name string, state []presence) bool {
	i := n.fieldIndex(name)
	if i < 0 {
		d.problems.add("unknown", n.unknownMessage(name))
		return d.skip()
	}
	f := &n.fields[i]
	if state[i].seen {
		d.problems.add("duplicate", "is given twice")
		return d.skip()
	}
	state[i].seen = true
	if d.peek() == 'n' {
		if f.required {
			d.problems.add("required", "must not be null")
			state[i].value = true // said already
		}
		return d.literal("null")
	}
	state[i].value = true
	return d.value(f.node, v.FieldByIndex(f.index))
}

// complete handles the fields that had no value.
func (d *decoder) complete(n *node, v reflect.Value, state []presence) {
	for i := range n.fields {
		f := &n.fields[i]
		if state[i].value {
			continue
		}
		if f.required {
			d.problems.push(f.name)
			d.problems.add("required", "is required")
			d.problems.pop()
			continue
		}
		if f.node.schema.Default != nil {
			def := decoder{scanner: scanner{data: f.node.schema.Default}}
			def.document(f.node, v.FieldByIndex(f.index))
		}
	}
}

func (n *node) fieldIndex(name string) int {
	for i := range n.fields {
		if n.fields[i].name == name {
			return i
		}
	}
	return -1
}

// unknownMessage suggests the field that was probably meant.
func (n *node) unknownMessage(name string) string {
	const near = 2 // two slips of the pen
	best, distance := "", near+1
	if len(name) <= maxSegmentBytes {
		for _, f := range n.fields {
			if d := editDistance(name, f.name); d < distance {
				best, distance = f.name, d
			}
		}
	}
	if best == "" {
		return "is not a field here"
	}
	return fmt.Sprintf("is not a field here; did you mean %q?", best)
}

// editDistance is Levenshtein's distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

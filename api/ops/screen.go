package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Text is one string that a call carries.
type Text struct {
	// Path is the JSON pointer of the string in the arguments (RFC 6901), or of the member whose name it is.
	Path string
	// Name is the name of the member that holds the string; items of a list have their list's.
	Name string
	// Value is the string.
	Value string
	// IsName says that Value is the name of a member of a free object.
	IsName bool
	// Free says that the string stands in a free object, whose names are the caller's.
	Free bool
	// Format is the field's `scan` tag, such as "base64"; "object" for a whole free object, behind its parts.
	Format string
}

// Clearance is what became of the strings of a call.
type Clearance struct {
	// Withhold says that nothing of the call's arguments may be kept, although it may run.
	Withhold bool
	// Done is told what the handler answered, nil when it failed; Done is nil when nobody asks.
	Done func(ctx context.Context, output any)
}

// Screen looks at every string that a call carries before its handler runs. Its error answers the call.
type Screen func(ctx context.Context, call *Call, effect Effect, texts []Text) (Clearance, error)

// WithScreen sets what looks at the strings of calls.
func WithScreen(screen Screen) Option { return func(x *Executor) { x.screen = screen } }

// WithCleaner sets what masks short strings about a call, such as the name of its client, before they are stored.
func WithCleaner(clean func(string) string) Option { return func(x *Executor) { x.clean = clean } }

// Clean is a text of the caller as it may be logged, stored or repeated.
func (x *Executor) Clean(text string) string {
	if x.clean == nil {
		return text
	}
	return x.clean(text)
}

// screened runs the handler if the screen lets the call pass.
func (x *Executor) screened(ctx context.Context, op Operation, c *Call, in any) (any, error) {
	if x.screen == nil {
		return op.run(ctx, c, in)
	}
	c.withheld = true // until it is known to be harmless
	cleared, err := x.screen(ctx, c, op.spec.Effect, op.texts(in))
	if err != nil {
		return nil, err
	}
	c.withheld, c.request = cleared.Withhold, nil // whoever asked before was shown nothing of it
	out, err := op.run(ctx, c, in)
	if cleared.Done != nil {
		if err != nil {
			out = nil
		}
		cleared.Done(context.WithoutCancel(ctx), out)
	}
	return out, err
}

// cleanCall masks what the caller made up about its call.
func (x *Executor) cleanCall(c *Call, known bool) {
	if x.clean == nil {
		return
	}
	if !known {
		c.Operation = x.clean(boundName(c.Operation))
	}
	m := &c.Meta
	for _, text := range []*string{&m.Client, &m.UserAgent, &m.Run.Model, &m.Run.Provider, &m.Run.RunID, &m.EnvelopeID, &m.EnvelopeTrace} {
		*text = x.clean(*text)
	}
}

// texts lists the strings of a decoded input in the order of its fields.
func (op Operation) texts(in any) []Text {
	w := textWalk{}
	w.value(op.input, reflect.ValueOf(in).Elem(), "", "", "")
	return w.texts
}

type textWalk struct{ texts []Text }

func (w *textWalk) value(n *node, v reflect.Value, path, name, format string) {
	if n.ptr {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	switch n.kind {
	case kindString:
		if v.Len() > 0 {
			w.texts = append(w.texts, Text{Path: path, Name: name, Value: v.String(), Format: format})
		}
	case kindRaw:
		w.free(path, v.Bytes())
	case kindStruct:
		for _, f := range n.fields {
			tag := n.typ.FieldByIndex(f.index).Tag.Get("scan")
			w.value(f.node, v.FieldByIndex(f.index), path+"/"+f.name, f.name, tag)
		}
	case kindSlice:
		for i := range v.Len() {
			w.value(n.elem, v.Index(i), path+"/"+strconv.Itoa(i), name, format)
		}
	case kindMap:
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			at := path + "/" + escapeSegment(key.String())
			w.texts = append(w.texts, Text{Path: at, Name: name, Value: key.String(), IsName: true, Free: true})
			w.value(n.elem, v.MapIndex(key), at, key.String(), format)
		}
	}
}

// free walks a free object, which the decoder has found to be JSON of bounded depth. Numbers are strings too: a card's
// number needs no quotes.
func (w *textWalk) free(path string, raw []byte) {
	if len(raw) == 0 {
		return
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var root any
	if d.Decode(&root) != nil {
		return
	}
	w.freeValue(path, "", root)
	var whole bytes.Buffer
	if json.Compact(&whole, raw) == nil && whole.Len() > len("{}") {
		w.texts = append(w.texts, Text{Path: path, Value: whole.String(), Format: "object"})
	}
}

func (w *textWalk) freeValue(path, name string, value any) {
	switch v := value.(type) {
	case string:
		w.texts = append(w.texts, Text{Path: path, Name: name, Value: v, Free: true})
	case json.Number:
		w.texts = append(w.texts, Text{Path: path, Name: name, Value: v.String(), Free: true})
	case []any:
		for i, item := range v {
			w.freeValue(path+"/"+strconv.Itoa(i), name, item)
		}
		if words := joined(v); words != "" {
			w.texts = append(w.texts, Text{Path: path, Name: name, Value: words, Format: "object"})
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			item, at := v[key], path+"/"+escapeSegment(key)
			w.texts = append(w.texts, Text{Path: at, Name: name, Value: key, IsName: true, Free: true})
			w.freeValue(at, key, item)
		}
	}
}

// joined is a list of strings as one line, as of the words of a command; "" for any other list.
func joined(list []any) string {
	words := make([]string, len(list))
	for i, item := range list {
		word, ok := item.(string)
		if !ok {
			return ""
		}
		words[i] = word
	}
	if len(words) < 2 {
		return ""
	}
	return strings.Join(words, " ")
}

// Package boundary makes calls whose arguments are just inside or just outside of what an operation's schema allows, one
// bound at a time. It is for tests only: whoever judges calls (the executor, a validator, a live server) must judge these
// alike.
package boundary

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"interai/api/ops"
)

// Each visits calls of an operation: what says which field is tried and, as its last word, by which bound.
func Each(t testing.TB, op ops.Operation, visit func(what string, arguments map[string]any)) {
	t.Helper()
	filled := func() map[string]any {
		all, ok := sample(t, op.InputSchema(), 0).(map[string]any)
		if !ok {
			t.Fatal("the input is no object")
		}
		delete(all, "retract") // excludes the rest
		return all
	}
	visit("everything filled", filled())
	for field := range filled() {
		without := filled()
		delete(without, field)
		visit(field+" absent", without)
	}
	places(op.InputSchema(), "", nil, func(root map[string]any) any { return root }, func(path string, s *ops.Schema, put func(map[string]any, any)) {
		for _, b := range boundaries(t, s) {
			arguments := filled()
			if path == "/retract" {
				arguments = map[string]any{}
			}
			put(arguments, b.value)
			visit(path+" "+b.bound, arguments)
		}
	})
	extra := filled()
	extra["surprise"] = 1
	visit("one more unknown", extra)
	if op.InputSchema().Property("retract") != nil {
		visit("only retract", map[string]any{"retract": "a"})
		both := filled()
		both["retract"] = "a"
		visit("with retract", both)
	}
}

// sample is a valid value of a schema. Every member of an object is filled, so that every place can be tried.
func sample(t testing.TB, s *ops.Schema, distinct int) any {
	t.Helper()
	switch s.Type {
	case "string":
		if len(s.Enum) > 0 {
			return s.Enum[distinct%len(s.Enum)]
		}
		for _, candidate := range []string{fmt.Sprintf("a%d", distinct), "en", "text/csv", "https://a.example/"} {
			if s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(candidate) {
				return candidate
			}
		}
		t.Fatalf("no sample matches %s", s.Pattern)
	case "integer", "number":
		if s.Minimum != nil {
			return *s.Minimum
		}
		return 1
	case "array":
		n := 1
		if s.MinItems != nil {
			n = max(n, *s.MinItems)
		}
		return items(t, s, n)
	case "object":
		out := map[string]any{}
		for _, p := range s.Properties {
			out[p.Name] = sample(t, p.Schema, distinct)
		}
		return out
	}
	return true
}

func items(t testing.TB, s *ops.Schema, n int) []any {
	t.Helper()
	out := make([]any, n)
	for i := range out {
		out[i] = sample(t, s.Items, i)
	}
	return out
}

// boundary is a value just inside or just outside of a bound.
type boundary struct {
	bound string
	value any
}

func boundaries(t testing.TB, s *ops.Schema) []boundary {
	t.Helper()
	var out []boundary
	length := func(name string, n int) {
		out = append(out, boundary{name, strings.Repeat("a", max(n, 0))}, boundary{name, strings.Repeat("a", n+1)}, boundary{name, strings.Repeat("a", max(n-1, 0))},
			boundary{name, strings.Repeat("é", n)})
	}
	if s.MinLength != nil {
		length("minLength", *s.MinLength)
	}
	if s.MaxLength != nil {
		length("maxLength", *s.MaxLength)
	}
	if s.MaxBytes > 0 && s.Type == "string" {
		length("maxBytes", s.MaxBytes)
		out = append(out, boundary{"maxBytes", strings.Repeat("é", s.MaxBytes/2)}, boundary{"maxBytes", strings.Repeat("é", s.MaxBytes/2+1)})
	}
	for name, n := range map[string]*float64{"minimum": s.Minimum, "maximum": s.Maximum} {
		if n != nil {
			out = append(out, boundary{name, *n}, boundary{name, *n - 1}, boundary{name, *n + 1}, boundary{name, *n - 0.001}, boundary{name, *n + 0.001})
		}
	}
	for name, n := range map[string]*int{"minItems": s.MinItems, "maxItems": s.MaxItems} {
		if n != nil {
			for _, count := range []int{*n - 1, *n, *n + 1} {
				out = append(out, boundary{name, items(t, s, max(count, 0))})
			}
		}
	}
	if s.UniqueItems {
		one := sample(t, s.Items, 0)
		out = append(out, boundary{"unique", []any{one, one}})
	}
	if len(s.Enum) > 0 {
		out = append(out, boundary{"enum", s.Enum[len(s.Enum)-1]}, boundary{"enum", s.Enum[0] + "x"}, boundary{"enum", strings.ToUpper(s.Enum[0])})
	}
	if s.Pattern != "" {
		out = append(out, boundary{"pattern", " "}, boundary{"pattern", "A B"})
	}
	return append(out, boundary{"type", wrong(s)}, boundary{"null", nil})
}

// wrong is a value of another type.
func wrong(s *ops.Schema) any {
	if s.Type == "string" {
		return 7
	}
	return "text"
}

// places lists each place of a schema with a function that puts a value there.
func places(s *ops.Schema, path string, put func(root map[string]any, v any), get func(root map[string]any) any, visit func(string, *ops.Schema, func(map[string]any, any))) {
	if put != nil {
		visit(path, s, put)
	}
	for _, p := range s.Properties {
		name := p.Name
		places(p.Schema, path+"/"+name,
			func(root map[string]any, v any) { get(root).(map[string]any)[name] = v },        //nolint:forcetypeassert // as its schema says
			func(root map[string]any) any { return get(root).(map[string]any)[name] }, visit) //nolint:forcetypeassert // the same
	}
	if s.Items != nil {
		places(s.Items, path+"/0",
			func(root map[string]any, v any) { get(root).([]any)[0] = v },        //nolint:forcetypeassert // as its schema says
			func(root map[string]any) any { return get(root).([]any)[0] }, visit) //nolint:forcetypeassert // the same
	}
}

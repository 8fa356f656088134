package trustmodel

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Constant is one number of a parameter set under its JSON path.
type Constant struct {
	Path  string  `json:"path"`  // such as "status.high_lower"
	Value float64 `json:"value"` // counts are whole
}

// Constants lists every number of p in the order of its fields.
func (p Params) Constants() []Constant {
	var out []Constant
	eachConstant(reflect.ValueOf(p), "", func(path string, v reflect.Value) {
		var value float64
		if v.CanInt() {
			value = float64(v.Int())
		} else {
			value = v.Float()
		}
		out = append(out, Constant{Path: path, Value: value})
	})
	return out
}

// Set changes the one constant with the given JSON path. It refuses an unknown
// path, and a value that is no finite number, or not whole where a count is
// meant; p is then unchanged. Whether the set as a whole is still meaningful is
// for [Params.Validate] to say: constants that depend on each other are set one
// after the other.
func (p *Params) Set(path, value string) error {
	var field reflect.Value
	eachConstant(reflect.ValueOf(p).Elem(), "", func(at string, v reflect.Value) {
		if at == path {
			field = v
		}
	})
	if !field.IsValid() {
		return fmt.Errorf("%s: no such parameter", path)
	}
	value = strings.TrimSpace(value)
	if field.CanInt() {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return fmt.Errorf("%s: %q is no whole number", path, value)
		}
		field.SetInt(n)
		return nil
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return fmt.Errorf("%s: %q is no number", path, value)
	}
	field.SetFloat(number)
	return nil
}

// Apply makes a list of changes, each written "path=value", and checks the set
// that comes out. The error joins every problem, each named by its JSON path;
// p is changed only if there is none.
func (p *Params) Apply(assignments ...string) error {
	changed := *p
	var problems []error
	for _, assignment := range assignments {
		path, value, ok := strings.Cut(assignment, "=")
		if !ok {
			problems = append(problems, fmt.Errorf("%q: want PATH=VALUE", assignment))
			continue
		}
		if err := changed.Set(strings.TrimSpace(path), value); err != nil {
			problems = append(problems, err)
		}
	}
	problems = append(problems, changed.Validate())
	if err := errors.Join(problems...); err != nil {
		return err
	}
	*p = changed
	return nil
}

// eachConstant visits each number of a parameter set, or part of one, with its
// JSON path.
func eachConstant(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	if v.Kind() != reflect.Struct {
		visit(path, v)
		return
	}
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		if path != "" {
			name = path + "." + name
		}
		eachConstant(v.Field(i), name, visit)
	}
}

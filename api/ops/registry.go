package ops

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Limits of what clients accept in a list of tools. GPT Actions takes the least: 300 characters for a description
// (OpenAI, production notes on GPT Actions).
const (
	maxTitleRunes       = 60
	maxDescriptionRunes = 300
)

var operationName = regexp.MustCompile(`^[a-z_]{1,40}$`)

// Registry is an immutable, ordered set of operations.
type Registry struct {
	ops    []Operation
	byName map[string]int
}

// NewRegistry checks every operation and keeps them in the given order. It
// returns all mistakes at once: a program with a wrong table must not start.
func NewRegistry(operations ...Operation) (*Registry, error) {
	r := &Registry{ops: slices.Clone(operations), byName: map[string]int{}}
	var errs []error
	for i, op := range r.ops {
		name := op.spec.Name
		if _, twice := r.byName[name]; twice {
			errs = append(errs, fmt.Errorf("operation %q: defined twice", name))
		}
		r.byName[name] = i
		if err := op.verify(); err != nil {
			errs = append(errs, fmt.Errorf("operation %q: %w", name, err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return r, nil
}

// verify checks what the spec promises.
func (op Operation) verify() error {
	if op.fresh == nil {
		return errors.New("not made by Define")
	}
	s, errs := op.spec, []error{}
	require := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	if op.err != nil {
		errs = append(errs, op.err)
	}
	require(operationName.MatchString(s.Name), "name does not match %s", operationName)
	require(s.Title != "" && utf8.RuneCountInString(s.Title) <= maxTitleRunes, "title needs 1 to %d characters", maxTitleRunes)
	require(s.Description != "" && utf8.RuneCountInString(s.Description) <= maxDescriptionRunes, "description needs 1 to %d characters", maxDescriptionRunes)
	require(s.Effect == Read || s.Effect == Write, "effect is neither read nor write")
	require(s.MaxInputBytes >= 0 && s.MaxOutputBytes >= 0, "a bound is negative")
	require(s.Effect != Read || !s.Hints.Destructive, "a read cannot be destructive")
	require(s.Effect != Write || !s.Hints.Idempotent || op.Keyed(), "an idempotent write needs an idempotency key in its input")
	if op.err == nil {
		errs = append(errs, longDescriptions("input", op.input.schema), longDescriptions("output", op.output.schema))
	}
	return errors.Join(errs...)
}

// longDescriptions names the fields whose description clients would cut or refuse.
func longDescriptions(part string, schema *Schema) error {
	var errs []error
	schema.Walk(func(path string, s *Schema) {
		if utf8.RuneCountInString(s.Description) > maxDescriptionRunes {
			errs = append(errs, fmt.Errorf("%s%s: description has more than %d characters", part, path, maxDescriptionRunes))
		}
	})
	return errors.Join(errs...)
}

// Operations returns the operations in the registry's order.
func (r *Registry) Operations() []Operation { return slices.Clone(r.ops) }

// Lookup returns the operation with that name.
func (r *Registry) Lookup(name string) (Operation, bool) {
	i, ok := r.byName[name]
	if !ok {
		return Operation{}, false
	}
	return r.ops[i], true
}

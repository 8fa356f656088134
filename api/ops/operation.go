package ops

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Operation is one entry of a registry: a spec, the schemas of its input and
// output, and the function behind it. It is immutable.
type Operation struct {
	spec   Spec
	input  *node
	output *node
	check  *checker
	run    func(ctx context.Context, call *Call, in any) (any, error)
	fresh  func() any // a new *In
	err    error      // of the definition; NewRegistry reports it
}

// Define binds run to spec. In and Out are structs with the tags json, validate,
// doc, default, schema and pii; their schemas are derived here, once. A mistake
// in them is reported by [NewRegistry], so that a table of operations can be
// written as a list of expressions.
func Define[In, Out any](spec Spec, run func(ctx context.Context, call *Call, in *In) (*Out, error)) Operation {
	spec.Rules = slices.Clone(spec.Rules)
	op := Operation{
		spec:  spec,
		fresh: func() any { return new(In) },
		run: func(ctx context.Context, call *Call, in any) (any, error) {
			typed, ok := in.(*In)
			if !ok {
				return nil, fmt.Errorf("run %s: input is a %T", spec.Name, in)
			}
			out, err := run(ctx, call, typed)
			if err != nil {
				return nil, err
			}
			if out == nil {
				return nil, fmt.Errorf("run %s: no answer and no error", spec.Name)
			}
			return out, nil
		},
	}
	return op.compiled(reflect.TypeFor[In](), reflect.TypeFor[Out](), run == nil)
}

// compiled is op with both plans and the validator, or with the error that says why it has none.
func (op Operation) compiled(in, out reflect.Type, missing bool) Operation {
	var errs []error
	if missing {
		errs = append(errs, errors.New("handler is missing"))
	}
	var err error
	if op.input, err = compile(in, op.spec.Rules, false); err != nil {
		errs = append(errs, fmt.Errorf("input: %w", err))
	} else if op.check, err = newChecker(op.input, op.spec.Rules); err != nil {
		errs = append(errs, fmt.Errorf("input: %w", err))
	}
	if op.output, err = compile(out, op.spec.Rules, true); err != nil {
		errs = append(errs, fmt.Errorf("output: %w", err))
	} else if op.output.schema.Property("error") != nil {
		errs = append(errs, errors.New(`output: the member "error" is reserved`))
	}
	op.err = errors.Join(errs...)
	return op
}

// Spec returns the operation's spec.
func (op Operation) Spec() Spec {
	spec := op.spec
	spec.Rules = slices.Clone(spec.Rules)
	return spec
}

// InputSchema returns the schema of the arguments. Do not change it.
func (op Operation) InputSchema() *Schema { return op.input.schema }

// OutputSchema returns the schema of the structured answer: an object without
// required members that admits "error" as well. Do not change it.
func (op Operation) OutputSchema() *Schema { return op.output.schema.withError() }

// FieldRule is a rule of one field of the arguments that looks at other fields, which a schema cannot say.
type FieldRule struct {
	// Field is the JSON name of the field.
	Field string
	// Rule is a tag of validator/v10: "required_without", "excluded_with", "required_with", ….
	Rule string
	// Others are the JSON names of the fields that the rule looks at.
	Others []string
}

// FieldRules lists the rules between the fields of the arguments, in the order of the fields.
func (op Operation) FieldRules() []FieldRule {
	var out []FieldRule
	for _, f := range op.input.fields {
		for tag := range strings.SplitSeq(op.input.typ.FieldByIndex(f.index).Tag.Get("validate"), ",") {
			name, param, _ := strings.Cut(tag, "=")
			if !crossField(name) {
				continue
			}
			rule := FieldRule{Field: f.name, Rule: name}
			for word := range strings.FieldsSeq(param) {
				if other, ok := op.check.names[word]; ok {
					rule.Others = append(rule.Others, other)
				}
			}
			out = append(out, rule)
		}
	}
	return out
}

// MaxInputBytes returns the bound of the raw arguments in bytes.
func (op Operation) MaxInputBytes() int { return op.maxInput() }

// Keyed reports whether the input carries an idempotency key.
func (op Operation) Keyed() bool {
	_, ok := op.fresh().(Keyed)
	return ok
}

// maxInput returns the bound of the raw arguments in bytes.
func (op Operation) maxInput() int {
	if op.spec.MaxInputBytes > 0 {
		return op.spec.MaxInputBytes
	}
	return DefaultMaxInputBytes
}

// maxOutput returns the bound of the structured answer in bytes.
func (op Operation) maxOutput() int {
	if op.spec.MaxOutputBytes > 0 {
		return op.spec.MaxOutputBytes
	}
	return DefaultMaxOutputBytes
}

// decode turns raw arguments into a valid *In, or says everything that is wrong. Names that the caller made up are shown
// as clean masks them.
func (op Operation) decode(raw []byte, nesting int, clean func(string) string) (any, error) {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	in := op.fresh()
	d := decoder{scanner: scanner{data: raw, deepest: nesting}}
	d.problems.clean = clean
	d.document(op.input, reflect.ValueOf(in).Elem())
	if !d.stopped {
		if err := op.check.check(in, &d.problems); err != nil {
			return nil, err
		}
	}
	if len(d.problems.list) > 0 {
		return nil, Invalid(d.problems.list...)
	}
	return in, nil
}

// encode turns a handler's *Out into the bytes of the structured answer.
func (op Operation) encode(out any) ([]byte, error) {
	raw, err := op.output.encode(nil, reflect.ValueOf(out).Elem())
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return raw, nil
}

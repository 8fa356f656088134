package ops

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func run(context.Context, *Call, *noteIn) (*noteOut, error) { return &noteOut{}, nil }

// wordyIn has a description of 301 characters.
type wordyIn struct {
	Text string `json:"text" doc:"word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word x"` //nolint:lll // its length is what is tested
}

func TestRegistryKeepsTheOrder(t *testing.T) {
	reg := newRegistry(t, Define(spec("b", Read), run), Define(spec("a", Read), run))
	var names []string
	for _, op := range reg.Operations() {
		names = append(names, op.Spec().Name)
	}
	require.Equal(t, []string{"b", "a"}, names)
	_, ok := reg.Lookup("a")
	require.True(t, ok)
	_, ok = reg.Lookup("c")
	require.False(t, ok)
}

func TestRegistryCannotBeChangedThroughItsAnswers(t *testing.T) {
	reg := newRegistry(t, Define(spec("a", Read), run))
	reg.Operations()[0] = Operation{}
	require.Equal(t, "a", reg.Operations()[0].Spec().Name)
}

func TestRegistryRefusesWrongSpecs(t *testing.T) {
	with := func(change func(*Spec)) Operation {
		s := spec("note", Write)
		change(&s)
		return Define(s, run)
	}
	tests := []struct {
		rule string
		ops  []Operation
		want string
	}{
		{"names are unique", []Operation{Define(spec("a", Read), run), Define(spec("a", Read), run)}, "defined twice"},
		{"names are lower case", []Operation{Define(spec("Get", Read), run)}, "name does not match"},
		{"names have no dots", []Operation{Define(spec("a.b", Read), run)}, "name does not match"},
		{"names are short", []Operation{Define(spec(strings.Repeat("a", 41), Read), run)}, "name does not match"},
		{"a title is given", []Operation{with(func(s *Spec) { s.Title = "" })}, "title"},
		{"a description is bounded", []Operation{with(func(s *Spec) { s.Description = strings.Repeat("x", 301) })}, "description"},
		{"a field's description is bounded", []Operation{Define(spec("x", Read), func(context.Context, *Call, *wordyIn) (*noteOut, error) {
			return &noteOut{}, nil
		})}, "input/properties/text: description has more than 300"},
		{"an effect is given", []Operation{with(func(s *Spec) { s.Effect = "" })}, "effect"},
		{"bounds are not negative", []Operation{with(func(s *Spec) { s.MaxInputBytes = -1 })}, "negative"},
		{"a read is not destructive", []Operation{with(func(s *Spec) { s.Effect = Read; s.Hints.Destructive = true })}, "destructive"},
		{"an idempotent write has a key", []Operation{Define(Spec{Name: "x", Title: "X", Description: "X.", Effect: Write, Hints: Hints{Idempotent: true}},
			func(context.Context, *Call, *emptyIn) (*noteOut, error) { return &noteOut{}, nil })}, "idempotency key"},
		{"rules are anchored", []Operation{with(func(s *Spec) { s.Rules = []Rule{{Name: "snake_case", Pattern: "x"}} })}, "anchored"},
		{"an operation is made by Define", []Operation{{}}, "not made by Define"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			_, err := NewRegistry(tt.ops...)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

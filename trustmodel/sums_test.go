package trustmodel

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestSumsCoverEveryField fails when a new field is left out of Plus or Minus.
func TestSumsCoverEveryField(t *testing.T) {
	var a, b Sums
	for i := range reflect.TypeFor[Sums]().NumField() {
		reflect.ValueOf(&a).Elem().Field(i).SetInt(int64(10 * (i + 1)))
		reflect.ValueOf(&b).Elem().Field(i).SetInt(int64(i + 1))
	}
	plus, minus := reflect.ValueOf(a.Plus(b)), reflect.ValueOf(a.Minus(b))
	for i := range plus.NumField() {
		if got, want := plus.Field(i).Int(), int64(11*(i+1)); got != want {
			t.Errorf("plus, field %d: %d, want %d", i, got, want)
		}
		if got, want := minus.Field(i).Int(), int64(9*(i+1)); got != want {
			t.Errorf("minus, field %d: %d, want %d", i, got, want)
		}
	}
}

func TestRetractingIsTheInverseOfAdding(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		a, b := m.Sums(genRecord(t)), m.Sums(genRecord(t))
		if got := a.Plus(b).Minus(b); got != a {
			t.Fatalf("got %+v, want %+v", got, a)
		}
		if !a.Plus(b).Minus(a).Minus(b).IsZero() || a.IsZero() {
			t.Fatalf("zero is not told: %+v, %+v", a, b)
		}
	})
}

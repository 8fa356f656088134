package trustmodel

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// v1Hash is the identity of trust-v1 as published with every value. It changes
// only with a constant, and then the name must change too.
const v1Hash = "695e9b56e3764fc069875015ad51c12d89a9ddb6e438bc87d5d6d65b5d8ede99"

func TestV1IsValidAndKeepsItsHash(t *testing.T) {
	if err := V1().Validate(); err != nil {
		t.Errorf("trust-v1: %v", err)
	}
	if got := V1().Hash(); got != v1Hash {
		t.Errorf("hash %s, want %s", got, v1Hash)
	}
}

func TestParamsRoundTripThroughJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := V1()
		want.Prior.Mean = rapid.Float64Range(.01, .99).Draw(t, "mean")
		want.Recency.Floor = rapid.Float64Range(.001, 1).Draw(t, "floor")
		want.Status.HighRealWorld = rapid.IntRange(0, 1000).Draw(t, "real")
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Params
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if got != want || got.Hash() != want.Hash() {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if (got == V1()) != (got.Hash() == v1Hash) {
			t.Fatal("another set has the same hash")
		}
	})
}

// TestEveryConstantIsHashedAndChecked changes each constant alone: the hash must
// differ, and an impossible value must be refused under the constant's name.
func TestEveryConstantIsHashedAndChecked(t *testing.T) {
	count := 0
	eachConstant(reflect.ValueOf(V1()), "", func(path string, _ reflect.Value) {
		count++
		changed, broken := V1(), V1()
		set := func(p *Params, number float64) {
			eachConstant(reflect.ValueOf(p).Elem(), "", func(at string, v reflect.Value) {
				switch {
				case at != path:
				case v.Kind() == reflect.Int:
					v.SetInt(int64(number))
				default:
					v.SetFloat(number)
				}
			})
		}
		set(&changed, 77)
		if changed.Hash() == v1Hash {
			t.Errorf("%s is not hashed", path)
		}
		set(&broken, -1e9)
		if err := broken.Validate(); err == nil || !strings.Contains(err.Error(), path+": ") {
			t.Errorf("%s of -1e9: %v", path, err)
		}
		if _, err := NewModel(broken); err == nil {
			t.Errorf("a model was built with %s of -1e9", path)
		}
	})
	if count < 50 {
		t.Errorf("only %d constants", count)
	}
}

func TestValidateListsAllProblems(t *testing.T) {
	p := V1()
	p.Level = math.NaN()
	p.Caps.Fresh = math.Inf(1)
	p.Strength.ConfidenceMissing = .01
	p.Identity.None, p.Identity.Email = .8, .6
	p.Counting.SupportShare, p.Counting.ContradictShare = .5, .5
	p.Status.SupportedLower = .9
	err := p.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"level: NaN", "caps.fresh: +Inf", "strength.confidence_min: 0.05 is more than strength.confidence_missing",
		"identity.none: 0.8 is more than identity.email", "counting.support_share: equals",
		"status.supported_lower: 0.9 is more than status.high_lower",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
	if got := len(strings.Split(err.Error(), "\n")); got != 6 {
		t.Errorf("%d problems, want 6:\n%v", got, err)
	}
}

func TestHashOfWhatJSONCannotHoldPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a hash was made")
		}
	}()
	p := V1()
	p.Level = math.NaN()
	_ = p.Hash()
}

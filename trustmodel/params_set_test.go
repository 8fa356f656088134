package trustmodel

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestSetChangesOneConstantAndNoOther(t *testing.T) {
	before := V1().Constants()
	for i, c := range before {
		p := V1()
		if err := p.Set(c.Path, strconv.FormatFloat(c.Value+1, 'g', -1, 64)); err != nil {
			t.Errorf("%s: %v", c.Path, err)
			continue
		}
		for j, got := range p.Constants() {
			want := before[j]
			if i == j {
				want.Value++
			}
			if got != want {
				t.Errorf("after setting %s: %+v, want %+v", c.Path, got, want)
			}
		}
	}
}

// TestConstantsAreThoseOfTheJSON compares the listed numbers with an encoding of its own making.
func TestConstantsAreThoseOfTheJSON(t *testing.T) {
	raw, err := json.Marshal(V1())
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	flatten(tree, "", want)
	constants := V1().Constants()
	if len(constants) != len(want) {
		t.Errorf("%d constants, want %d", len(constants), len(want))
	}
	for _, c := range constants {
		if got, ok := want[c.Path]; !ok || got != c.Value {
			t.Errorf("%s: %v, in JSON %v", c.Path, c.Value, got)
		}
	}
}

func flatten(tree map[string]any, prefix string, out map[string]float64) {
	for key, value := range tree {
		switch value := value.(type) {
		case map[string]any:
			flatten(value, prefix+key+".", out)
		case float64:
			out[prefix+key] = value
		}
	}
}

func TestSetRefusesAndLeavesUnchanged(t *testing.T) {
	for name, c := range map[string]struct{ path, value, want string }{
		"a path of no constant":    {"status.higher", "1", "status.higher: no such parameter"},
		"a path of a group":        {"status", "1", "status: no such parameter"},
		"an empty path":            {"", "1", "no such parameter"},
		"a Go name":                {"Status.HighLower", "1", "no such parameter"},
		"a word":                   {"caps.all", "much", `caps.all: "much" is no number`},
		"nothing":                  {"caps.all", "", `caps.all: "" is no number`},
		"not a number":             {"caps.all", "NaN", "is no number"},
		"infinity":                 {"caps.all", "-Inf", "is no number"},
		"too great for a number":   {"caps.all", "1e999", "is no number"},
		"half a count":             {"status.high_real_world", "1.5", `"1.5" is no whole number`},
		"a count past its type":    {"status.high_real_world", "99999999999", "is no whole number"},
		"a count in exponent form": {"status.high_real_world", "1e2", "is no whole number"},
	} {
		t.Run(name, func(t *testing.T) {
			p := V1()
			err := p.Set(c.path, c.value)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if p != V1() {
				t.Error("changed")
			}
		})
	}
}

func TestApplyChecksTheSetThatComesOut(t *testing.T) {
	p := V1()
	// The first alone would put supported above high_confidence.
	if err := p.Apply("status.supported_lower=.7", " status.high_lower = .8 "); err != nil {
		t.Fatal(err)
	}
	if p.Status.SupportedLower != .7 || p.Status.HighLower != .8 {
		t.Errorf("got %+v", p.Status)
	}
	if err := p.Apply(); err != nil {
		t.Errorf("no change: %v", err)
	}
}

func TestApplyListsAllProblemsAndChangesNothing(t *testing.T) {
	p := V1()
	err := p.Apply("caps.all=.1", "prior.mean=2", "caps.fresh", "level=x", "no.where=1")
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"prior.mean: 2 is not within", `"caps.fresh": want PATH=VALUE`, `level: "x"`, "no.where: no such"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
	if got := len(strings.Split(err.Error(), "\n")); got != 4 {
		t.Errorf("%d problems, want 4:\n%v", got, err)
	}
	if p != V1() {
		t.Error("changed")
	}
}

func ExampleParams_Apply() {
	p := V1()
	fmt.Println(p.Apply("status.high_lower=.7"), p.Status.HighLower)
	fmt.Println(p.Apply("status.high_lower=.3"))
	// Output:
	// <nil> 0.7
	// status.supported_lower: 0.4 is more than status.high_lower, 0.3
	// hysteresis.high_lower: 0.6 is more than status.high_lower, 0.3
}

package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"interai/trustmodel"
)

// quick is a run of some seconds.
func quick() Options {
	return Options{
		Seeds: []int{31, 32}, Exposures: []float64{5}, Attacks: []string{"operator", "smear"},
		Params: trustmodel.V1(), Parties: 40, Targets: 60,
	}
}

func TestTheSameSeedsGiveTheSameReport(t *testing.T) {
	first, err := Run(context.Background(), quick())
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.GOMAXPROCS(1)
	second, err := Run(context.Background(), quick())
	runtime.GOMAXPROCS(before)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Error("two runs differ")
	}
	other := quick()
	other.Seeds = []int{33, 34}
	third, err := Run(context.Background(), other)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(first.Honest, third.Honest) {
		t.Error("other seeds give the same report")
	}
}

func TestAReportNamesWhatItIsOf(t *testing.T) {
	o := quick()
	if err := o.Params.Apply("caps.fresh=3"); err != nil {
		t.Fatal(err)
	}
	calls := 0
	o.Progress = func(done, total int) {
		calls++
		if done != calls || done > total {
			t.Errorf("%d of %d after %d calls", done, total, calls)
		}
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 + 2*(12+4); calls != want { // seeds times (exposures and variants)
		t.Errorf("%d worlds, want %d", calls, want)
	}
	text := r.Markdown()
	for _, want := range []string{
		o.Params.Hash()[:12], "changed: caps.fresh=3", "seeds 31 32", "### Goals", "| G8 |", "| G10 |", "### Without attackers",
		"operator, 1000 agents", "smear, 100 e-mail",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	for _, unwanted := range []string{"| G6 |", "| G7 |", "| G9 |", "laundering", "NaN"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q is in the report, but was not simulated", unwanted)
		}
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("the report does not survive JSON: %v", err)
	}
}

func TestEveryRowOfATableHasItsCells(t *testing.T) {
	r, err := Run(context.Background(), quick())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Sections() {
		for _, cells := range s.Rows {
			if len(cells) != len(s.Head) {
				t.Errorf("%s: %d cells under %d heads: %v", s.Title, len(cells), len(s.Head), cells)
			}
		}
	}
}

func TestAnEndedContextEndsARun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := quick()
	o.Progress = func(done, _ int) {
		if done == 1 {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(o *Options)
		want   string
	}{
		"an exposure of nothing": {func(o *Options) { o.Exposures = []float64{0} }, "exposure 0"},
		"an unknown attack":      {func(o *Options) { o.Attacks = []string{"bribe"} }, `attack "bribe"`},
		"a world of two":         {func(o *Options) { o.Parties = 2 }, "2 parties"},
		"parameters of nothing":  {func(o *Options) { o.Params = trustmodel.Params{} }, "prior.strength"},
	} {
		t.Run(name, func(t *testing.T) {
			o := quick()
			c.change(&o)
			if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

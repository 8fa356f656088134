package scanbench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Hit is a place that a scanner reports.
type Hit struct {
	Start, End int
	// Blocks says that the text would be refused.
	Blocks bool
	Rule   string
}

// Scanner is what the bench scores: one of ours or another's.
type Scanner interface {
	Name() string
	Scan(text string) []Hit
}

// Tally counts cases: of those that must be caught, and of those that must pass.
type Tally struct{ Caught, Must, Alarms, Pass int }

// Recall is the share of what must be caught that was, 1 of nothing.
func (t *Tally) Recall() float64 { return share(t.Caught, t.Must, 1) }

// FalseRate is the share of what must pass that was refused, 0 of nothing.
func (t *Tally) FalseRate() float64 { return share(t.Alarms, t.Pass, 0) }

func share(n, of int, none float64) float64 {
	if of == 0 {
		return none
	}
	return float64(n) / float64(of)
}

// Result is how a scanner did on a corpus.
type Result struct {
	All                Tally
	Families, Carriers map[string]*Tally
	// Wrong lists the IDs of the cases that were missed or wrongly refused.
	Wrong []string
}

// Score runs a scanner over cases. A case that must be caught is when a hit overlaps one of its spans.
func Score(s Scanner, cases []Case) Result {
	r := Result{Families: map[string]*Tally{}, Carriers: map[string]*Tally{}}
	for _, c := range cases {
		must, pass := c.Expect == "reject" || c.Expect == "redact", c.Expect == "allow"
		if !must && !pass {
			continue
		}
		hits := s.Scan(c.Text)
		caught := slices.ContainsFunc(hits, func(h Hit) bool { return len(c.Spans) == 0 || overlaps(h, c.Spans) })
		alarm := slices.ContainsFunc(hits, func(h Hit) bool { return h.Blocks })
		if must && !caught || pass && alarm {
			r.Wrong = append(r.Wrong, c.ID)
		}
		for _, t := range []*Tally{&r.All, at(r.Families, c.Family), at(r.Carriers, c.Carrier)} {
			t.add(must, caught, alarm)
		}
	}
	return r
}

func (t *Tally) add(must, caught, alarm bool) {
	if must {
		t.Must++
		t.Caught += one(caught)
		return
	}
	t.Pass++
	t.Alarms += one(alarm)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func at(m map[string]*Tally, key string) *Tally {
	if m[key] == nil {
		m[key] = &Tally{}
	}
	return m[key]
}

func overlaps(h Hit, spans []Span) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return h.Start < s.End && s.Start < h.End })
}

// Print writes recall and false alarms of several scanners side by side, by carrier and by family.
func Print(w io.Writer, names []string, results []Result) error {
	var err error
	printf := func(format string, args ...any) {
		if _, failed := fmt.Fprintf(w, format, args...); err == nil {
			err = failed
		}
	}
	row := func(label string, pick func(Result) *Tally) {
		first := cmp.Or(pick(results[0]), &Tally{})
		printf("| %s | %d | %d |", label, first.Must, first.Pass)
		for _, r := range results {
			t := cmp.Or(pick(r), &Tally{})
			printf(" %s | %s |", rate(t.Recall(), t.Must), rate(t.FalseRate(), t.Pass))
		}
		printf("\n")
	}
	printf("| | must | pass |")
	for _, name := range names {
		printf(" %s recall | %s false |", name, name)
	}
	printf("\n|---|---:|---:|")
	for range names {
		printf("---:|---:|")
	}
	printf("\n")
	row("**all**", func(r Result) *Tally { return &r.All })
	for _, key := range slices.Sorted(maps.Keys(results[0].Carriers)) {
		row("carrier "+key, func(r Result) *Tally { return r.Carriers[key] })
	}
	for _, key := range slices.Sorted(maps.Keys(results[0].Families)) {
		row(key, func(r Result) *Tally { return r.Families[key] })
	}
	return err
}

func rate(v float64, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", v)
}

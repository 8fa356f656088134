package trustbench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"interai/trustmodel"
)

// line is one method on one data set.
type line struct {
	data, method string
	score        score
}

// measurement is all that is measured of one parameter set.
type measurement struct {
	lines   []line
	ratings []ratingScore
}

// trustName is the row that goals are about: domain-verified newcomers, after
// four epochs.
const trustName = "trust"

func (r *measurement) line(data, method string) *line {
	for i := range r.lines {
		if r.lines[i].data == data && r.lines[i].method == method {
			return &r.lines[i]
		}
	}
	return &line{data: data, method: method}
}

// measureClaims judges methods on a label set: truth by all votes, intervals on
// one half of the votes by the other half.
func (r *measurement) measureClaims(s *claimSet, methods []method) {
	first, second := s.halves()
	for _, m := range methods {
		l := line{data: s.name, method: m.name}
		for i, b := range m.beliefs(s) {
			l.score.outcome(b, s.claims[i].truth)
		}
		for i, b := range m.beliefs(first) {
			l.score.later(b, second.claims[i].agreeing(), len(second.claims[i].votes), uniform(uint64(i), 7))
		}
		r.lines = append(r.lines, l)
	}
}

// measureSplit judges methods on what came later.
func (r *measurement) measureSplit(m *trustmodel.Model, s *split) {
	past := s.claims()
	for _, method := range append(plainMethods(), method{"Dawid-Skene", dawidSkene}) {
		r.lines = append(r.lines, line{data: s.name, method: method.name, score: s.score(method.beliefs(past))})
	}
	e := s.used(m)
	for _, kind := range []struct {
		name    string
		weights []trustmodel.Weights
	}{
		{"trust, all proven", e.proven()}, {"trust, newcomers", e.weights(m, 0)}, {trustName, e.weights(m, epochs)},
	} {
		r.lines = append(r.lines, line{data: s.name, method: kind.name, score: s.score(e.beliefs(m, kind.weights))})
	}
}

// labelMean is the mean accuracy of a method over the label sets.
func (r *measurement) labelMean(method string) float64 {
	sum := 0.0
	for _, name := range labelSets {
		sum += r.line(name, method).score.accuracy()
	}
	return sum / float64(len(labelSets))
}

// markdown is the one table, and the goals below it.
func (r *measurement) markdown() string {
	var b strings.Builder
	b.WriteString("| data | method | accuracy % | Brier | log loss | coverage 90 % | 95 % | width | error / plain mean |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	means := false
	for i := range r.lines {
		l := &r.lines[i]
		if !means && !slices.Contains(labelSets, l.data) {
			means = true
			for _, name := range r.methodsOf(labelSets[0]) {
				fmt.Fprintf(&b, "| **mean of the nine** | %s | %.2f | | | | | | |\n", name, 100*r.labelMean(name))
			}
		}
		s := &l.score
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", l.data, l.method,
			number("%.2f", 100*s.accuracy()), number("%.4f", s.brierScore()), number("%.4f", s.logLoss()),
			number("%.3f", s.coverage()), number("%.3f", s.coverage95()), number("%.2f", s.width()), "")
	}
	for i := range r.ratings {
		s := &r.ratings[i]
		fmt.Fprintf(&b, "| ratings, %d raters | textbook t | | | | %.3f | | | 1.00 |\n", s.raters, s.textbook/s.n)
		fmt.Fprintf(&b, "| ratings, %d raters | %s | | | | %.3f | | %.2f | %.2f |\n", s.raters, trustName, s.coverage(), s.width/s.n/100, s.ratio())
	}
	return b.String()
}

func (r *measurement) methodsOf(data string) []string {
	var names []string
	for i := range r.lines {
		if r.lines[i].data == data {
			names = append(names, r.lines[i].method)
		}
	}
	return names
}

// number is empty for what is not measured.
func number(format string, v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return fmt.Sprintf(format, v)
}

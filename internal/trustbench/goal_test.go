package trustbench

import (
	"fmt"
	"strings"
)

// goal is one acceptance check, by the letters of the design.
type goal struct {
	id, check, target, measured string
	met                         bool
}

// goals judges what was measured.
func (r *measurement) goals() []goal {
	return []goal{r.goalIntervals(), r.goalDrift(), r.goalForetelling(), r.goalLabels(), r.goalRatings()}
}

func (r *measurement) goalIntervals() goal {
	s := r.line(randomHalves, trustName).score
	return goal{
		"G1", "coverage of the 90 % interval, random halves of usage", "within [.90, .97]",
		fmt.Sprintf("%.3f", s.coverage()), s.coverage() >= .90 && s.coverage() <= .97,
	}
}

func (r *measurement) goalDrift() goal {
	s := r.line(laterMonths, trustName).score
	return goal{
		"G2", "the same, later months of usage, and log loss", ">= .85, <= .585",
		fmt.Sprintf("%.3f, %.4f", s.coverage(), s.logLoss()), s.coverage() >= .85 && s.logLoss() <= .585,
	}
}

func (r *measurement) goalForetelling() goal {
	g := goal{id: "G3", check: "log loss against Jeffreys on every split, and the Bayesian average on random halves", target: "<= all", met: true}
	var parts []string
	for _, name := range []string{randomHalves, laterMonths, lastRatings} {
		ours := r.line(name, trustName).score
		jeffreys := r.line(name, "Jeffreys").score
		g.met = g.met && ours.logLoss() <= jeffreys.logLoss()
		text := fmt.Sprintf("%.4f against %.4f", ours.logLoss(), jeffreys.logLoss())
		if name == randomHalves {
			bayes := r.line(name, "Bayes average").score
			g.met = g.met && ours.logLoss() <= bayes.logLoss()
			text += fmt.Sprintf(" and %.4f", bayes.logLoss())
		}
		parts = append(parts, text)
	}
	g.measured = strings.Join(parts, "; ")
	return g
}

func (r *measurement) goalLabels() goal {
	worst, where := 1.0, ""
	for _, name := range labelSets {
		ours, majority := r.line(name, trustName).score, r.line(name, "majority").score
		if loss := ours.accuracy() - majority.accuracy(); loss < worst {
			worst, where = loss, name
		}
	}
	mean := 100 * r.labelMean(trustName)
	return goal{
		"G4", "mean accuracy on labels, and worst loss against majority", ">= 88.5, >= -1.0",
		fmt.Sprintf("%.2f, %+.2f (%s)", mean, 100*worst, where), mean >= 88.5 && 100*worst >= -1,
	}
}

func (r *measurement) goalRatings() goal {
	g := goal{id: "G12", check: "ratings from 2, 3, 5 raters: coverage, error over that of the plain mean", target: "within [.88, .95], <= .85 .92 1.0", met: true}
	most := map[int]float64{2: .85, 3: .92, 5: 1}
	var parts []string
	for i := range r.ratings {
		s := &r.ratings[i]
		g.met = g.met && s.coverage() >= .88 && s.coverage() <= .95 && s.ratio() <= most[s.raters]
		parts = append(parts, fmt.Sprintf("%.3f %.2f", s.coverage(), s.ratio()))
	}
	g.measured = strings.Join(parts, ", ")
	return g
}

func goalsMarkdown(goals []goal) string {
	var b strings.Builder
	b.WriteString("| goal | check | target | measured | met |\n|---|---|---|---|---|\n")
	for _, g := range goals {
		met := "no"
		if g.met {
			met = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", g.id, g.check, g.target, g.measured, met)
	}
	return b.String()
}

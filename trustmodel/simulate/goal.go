package simulate

import (
	"fmt"
	"strings"
)

// Goal is one acceptance check of the model, by the letters of its design. Goals
// that need what was not simulated are left out of a report.
type Goal struct {
	ID       string `json:"id"`
	Check    string `json:"check"`
	Target   string `json:"target"`
	Measured string `json:"measured"`
	Met      bool   `json:"met"`
}

// Numbers of the goals.
const (
	coverageLow, coverageHigh = .90, .97
	widestAt15                = .60
	rankingLoss               = .01
	launderedMost             = .10
	smearedMost               = .05
	supportedLeast            = .97
	highLeast                 = .99
	incorrectMost             = .01
)

// byExposure are the goals that depend on exposure: least precision among the
// first 50, and least recall.
var byExposure = map[float64]struct{ precision, recall float64 }{
	2: {.92, .15}, 5: {.965, .25}, 15: {.995, .40},
}

func (r *Report) goals() []Goal {
	var out []Goal
	for _, goal := range []func() (Goal, bool){
		r.goalIntervals, r.goalRanking, r.goalRankingAttacked, r.goalSybils,
		r.goalOperator, r.goalLaundering, r.goalSmear, r.goalStatus,
	} {
		if g, ok := goal(); ok {
			out = append(out, g)
		}
	}
	return out
}

// Met counts the goals that are met.
func (r *Report) Met() int {
	n := 0
	for _, g := range r.Goals {
		if g.Met {
			n++
		}
	}
	return n
}

func (r *Report) goalIntervals() (Goal, bool) {
	g := Goal{
		ID: "G1", Check: "coverage of the 90 % interval; width at exposure 15",
		Target: fmt.Sprintf("within [%.2f, %.2f], width <= %.2f", coverageLow, coverageHigh, widestAt15), Met: true,
	}
	var parts []string
	for i := range r.Honest {
		h := &r.Honest[i]
		g.Met = g.Met && h.Coverage >= coverageLow && h.Coverage <= coverageHigh && (h.Exposure != 15 || h.Width <= widestAt15)
		parts = append(parts, fmt.Sprintf("%.3f (width %.2f)", h.Coverage, h.Width))
	}
	g.Measured = strings.Join(parts, ", ")
	return g, len(parts) > 0
}

func (r *Report) goalRanking() (Goal, bool) {
	g := Goal{ID: "G5", Check: "share of the first 50 truly at .7 or more, by exposure", Met: true}
	var targets, parts []string
	for i := range r.Honest {
		h := &r.Honest[i]
		want, ok := byExposure[h.Exposure]
		if !ok {
			continue
		}
		g.Met = g.Met && h.Precision.At50 >= want.precision
		targets = append(targets, fmt.Sprintf(">= %.3f", want.precision))
		parts = append(parts, fmt.Sprintf("%.3f (Wilson %.3f)", h.Precision.At50, h.WilsonPrecision.At50))
	}
	g.Target, g.Measured = strings.Join(targets, ", "), strings.Join(parts, ", ")
	return g, len(parts) > 0
}

func (r *Report) goalRankingAttacked() (Goal, bool) {
	if len(r.Rankings) == 0 {
		return Goal{}, false
	}
	free := r.Rankings[0].Trust
	g := Goal{
		ID: "G6", Check: "the same under operator, sybils, laundering ring, exposure 5",
		Target: fmt.Sprintf("each >= attack-free (%.3f) - %.2f", free, rankingLoss), Met: true,
	}
	var parts []string
	for _, a := range r.Rankings[1:] {
		g.Met = g.Met && a.Trust >= free-rankingLoss-rounding
		parts = append(parts, fmt.Sprintf("%.3f", a.Trust))
	}
	g.Measured = strings.Join(parts, ", ")
	return g, true
}

// rounding keeps sums of shares from missing a goal by less than they are exact.
const rounding = 1e-9

// struck returns the strikes of an attack.
func (r *Report) struck(attack string) []*Strike {
	var out []*Strike
	for i := range r.Attacks {
		if r.Attacks[i].Attack == attack {
			out = append(out, &r.Attacks[i])
		}
	}
	return out
}

func (r *Report) goalSybils() (Goal, bool) {
	g := Goal{ID: "G7", Check: "share recommended by new unverified or e-mail controllers, any number", Target: "0 %", Met: true}
	strikes := r.struck("sybil")
	worst, most := 0.0, 0
	for _, s := range strikes {
		worst, most = max(worst, s.Recommended), max(most, s.Cost.Accounts)
	}
	g.Met = worst == 0
	g.Measured = fmt.Sprintf("%s, up to %d controllers", percent(worst), most)
	return g, len(strikes) > 0
}

func (r *Report) goalOperator() (Goal, bool) {
	g := Goal{
		ID: "G8", Check: "1000 agents against 1 of one controller",
		Target: "confirmations equal, value within 1/(1+alpha+beta)", Met: true,
	}
	confirmations := map[int]float64{}
	strikes := r.struck("operator")
	difference, excess := 0.0, -1.0
	for _, s := range strikes {
		first, known := confirmations[s.Honest]
		if !known {
			confirmations[s.Honest], first = s.Confirmations, s.Confirmations
		}
		difference, excess = max(difference, distance(first, s.Confirmations)), max(excess, s.Excess)
	}
	g.Met = difference == 0 && excess <= 0
	g.Measured = fmt.Sprintf("confirmations differ by %g, value %s the bound by %.3f at least", difference, side(excess), distance(excess, 0))
	return g, len(strikes) > 0
}

func side(excess float64) string {
	if excess > 0 {
		return "above"
	}
	return "below"
}

func (r *Report) goalLaundering() (Goal, bool) {
	for _, s := range r.struck("laundering") {
		if s.Variant == "k = 10" && s.Honest == 5 {
			return Goal{
				ID: "G9", Check: "laundering ring of 10, 5 honest parties: share recommended", Target: "<= " + percent(launderedMost),
				Measured: percent(s.Recommended), Met: s.Recommended <= launderedMost+rounding,
			}, true
		}
	}
	return Goal{}, false
}

func (r *Report) goalSmear() (Goal, bool) {
	g := Goal{
		ID: "G10", Check: "100 new controllers against the best: flips, change of value (unverified, e-mail)",
		Target: fmt.Sprintf("0 %%, <= %.2f", smearedMost), Met: true,
	}
	var parts []string
	for _, s := range r.struck("smear") {
		if s.Cost.Accounts != 100 {
			continue
		}
		g.Met = g.Met && s.Flipped == 0 && s.Gain <= smearedMost
		parts = append(parts, fmt.Sprintf("%s, %.3f", percent(s.Flipped), s.Gain))
	}
	g.Measured = strings.Join(parts, "; ")
	return g, len(parts) > 0
}

func (r *Report) goalStatus() (Goal, bool) {
	g := Goal{
		ID: "G11", Check: "share truly at .6 or more of supported / high_confidence / incorrect; recall by exposure", Met: true,
	}
	var recalls, parts []string
	for i := range r.Honest {
		h := &r.Honest[i]
		want, ok := byExposure[h.Exposure]
		if !ok {
			continue
		}
		g.Met = g.Met && h.Recall >= want.recall &&
			(h.Supported == 0 || h.SupportedTruth >= supportedLeast) &&
			(h.High == 0 || h.HighTruth >= highLeast) && h.IncorrectTruth <= incorrectMost
		recalls = append(recalls, fmt.Sprintf("%.2f", want.recall))
		parts = append(parts, fmt.Sprintf("%.3f / %.3f / %.3f recall %.2f", h.SupportedTruth, h.HighTruth, h.IncorrectTruth, h.Recall))
	}
	g.Target = fmt.Sprintf(">= %.2f / >= %.2f / <= %.2f, recall >= %s", supportedLeast, highLeast, incorrectMost, strings.Join(recalls, ", "))
	g.Measured = strings.Join(parts, "; ")
	return g, len(parts) > 0
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

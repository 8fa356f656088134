package simulate

import "math"

// Simple holds what simpler rules make of the same evidence about one target.
// None of them knows who is behind a report.
type Simple struct {
	Majority float64 `json:"majority"` // successes over records
	Wilson   float64 `json:"wilson"`   // lower end of the 95 % Wilson score interval of Majority
	Bayes    float64 `json:"bayes"`    // records and five more of the mean of all targets
	Parties  float64 `json:"parties"`  // mean over parties of their own Majority
	Additive float64 `json:"additive"` // .5, and .10 more for each success, .15 less for each failure, within 0..1
}

// Constants of the simple rules.
const (
	wilsonZ       = 1.959964 // 97.5 % quantile of the normal distribution
	bayesStrength = 5        // records
	noReports     = .5       // what a rule says about nothing
)

// simple applies the simple rules; pool is the share of successes among all
// records of the world.
func simple(t *target, pool float64) Simple {
	positive, total, shares := 0, 0, 0.0
	for i := range t.opinions {
		o := &t.opinions[i]
		positive += o.positive
		total += o.total
		shares += float64(o.positive) / float64(o.total)
	}
	p, n := float64(positive), float64(total)
	s := Simple{
		Majority: noReports, Parties: noReports,
		Bayes:    (p + bayesStrength*pool) / (n + bayesStrength),
		Additive: min(max(.5+.10*p-.15*(n-p), 0), 1),
	}
	if total > 0 {
		s.Majority, s.Wilson = p/n, wilsonLower(p, n)
		s.Parties = shares / float64(len(t.opinions))
	}
	return s
}

func wilsonLower(p, n float64) float64 {
	share, z2 := p/n, float64(wilsonZ*wilsonZ)
	spread := wilsonZ * math.Sqrt(share*(1-share)/n+z2/(4*n*n))
	return max((share+z2/(2*n)-spread)/(1+z2/n), 0)
}

// pool is the share of successes among all records of w.
func (w *world) pool() float64 {
	positive, total := 0, 0
	for i := range w.targets {
		for j := range w.targets[i].opinions {
			positive += w.targets[i].opinions[j].positive
			total += w.targets[i].opinions[j].total
		}
	}
	if total == 0 {
		return noReports
	}
	return float64(positive) / float64(total)
}

package trustbench

import "math"

// method foretells the truth of all claims of a set from its votes.
type method struct {
	name    string
	beliefs func(s *claimSet) []belief
}

// each makes a method of a rule that looks at one claim: its agreeing votes, all
// its votes, and the share of agreement of the whole set.
func each(rule func(k, n, pool float64) belief) func(s *claimSet) []belief {
	return func(s *claimSet) []belief {
		all, agreeing := 0.0, 0.0
		for i := range s.claims {
			all += float64(len(s.claims[i].votes))
			agreeing += float64(s.claims[i].agreeing())
		}
		out := make([]belief, len(s.claims))
		for i := range s.claims {
			out[i] = rule(float64(s.claims[i].agreeing()), float64(len(s.claims[i].votes)), agreeing/max(all, 1))
		}
		return out
	}
}

func (c *claim) agreeing() int {
	n := 0
	for _, v := range c.votes {
		if v.agrees {
			n++
		}
	}
	return n
}

// bayesStrength is the strength, in reports, of the pool in the Bayesian average.
const bayesStrength = 5

// majority is the share of agreement; of nothing it says one half.
func majority(k, n, _ float64) belief {
	if n == 0 {
		return belief{p: .5}
	}
	return belief{p: k / n}
}

// wilson is the lower end of the 95 % score interval, as it is used to rank: a
// claim holds if the bound is above one half.
func wilson(k, n, _ float64) belief {
	if n == 0 {
		return belief{}
	}
	const z = 1.959964
	share, z2 := k/n, float64(z*z)
	spread := z * math.Sqrt(share*(1-share)/n+z2/(4*n*n))
	return belief{p: max((share+z2/(2*n)-spread)/(1+z2/n), 0)}
}

// bayesAverage shrinks to the pool.
func bayesAverage(k, n, pool float64) belief {
	a, b := k+bayesStrength*pool, n-k+bayesStrength*(1-pool)
	return belief{p: a / (a + b), alpha: a, beta: b}
}

// jeffreys counts every vote as a trial on top of Beta(.5, .5).
func jeffreys(k, n, _ float64) belief {
	a, b := k+.5, n-k+.5
	return belief{p: a / (a + b), alpha: a, beta: b}
}

// plainMethods are the rules that know nothing of who voted.
func plainMethods() []method {
	return []method{
		{"majority", each(majority)},
		{"Wilson lower", each(wilson)},
		{"Bayes average", each(bayesAverage)},
		{"Jeffreys", each(jeffreys)},
	}
}

package simulate

import (
	"errors"
	"fmt"

	"interai/trustmodel"
)

// Options say what is simulated. The zero value of every field but Params is a
// default.
type Options struct {
	// Seeds are the worlds, one for each; default 21 to 26. Seeds 1 to 20 are for
	// trying out parameters, so that others can check them.
	Seeds []int
	// Exposures are the mean numbers of parties that try a target; default 2, 5
	// and 15.
	Exposures []float64
	// Attacks are names out of Attacks; default all.
	Attacks []string
	// Params are the parameters of the model.
	Params trustmodel.Params
	// Parties and Targets make smaller worlds, for tests; default 200 and 600.
	// Goals hold for the default.
	Parties, Targets int
	// Progress, if not nil, is told how many worlds are done of how many, by one
	// goroutine at a time.
	Progress func(done, total int)
}

// DefaultSeeds are the worlds that a parameter set is checked with.
func DefaultSeeds() []int { return []int{21, 22, 23, 24, 25, 26} }

// DefaultExposures are the exposures that goals name.
func DefaultExposures() []float64 { return []float64{2, 5, 15} }

const (
	leastWorld   = 20 // parties, targets
	mostWorld    = 100_000
	mostExposure = 100
)

// Check returns nil if o can be run, else one error that lists every problem.
func (o *Options) Check() error {
	_, err := o.complete()
	return errors.Join(err, o.Params.Validate())
}

// complete fills in defaults and checks o; the error lists every problem.
func (o *Options) complete() (Options, error) {
	full := *o
	var problems []error
	if len(full.Seeds) == 0 {
		full.Seeds = DefaultSeeds()
	}
	if len(full.Exposures) == 0 {
		full.Exposures = DefaultExposures()
	}
	for _, x := range full.Exposures {
		if !(x > 0 && x <= mostExposure) {
			problems = append(problems, fmt.Errorf("exposure %v: not within 0..%d", x, mostExposure))
		}
	}
	d := standard(rankingExposure)
	if full.Parties == 0 {
		full.Parties = d.parties
	}
	if full.Targets == 0 {
		full.Targets = d.targets
	}
	if min(full.Parties, full.Targets) < leastWorld || max(full.Parties, full.Targets) > mostWorld {
		problems = append(problems, fmt.Errorf("%d parties and %d targets: not within %d..%d each", full.Parties, full.Targets, leastWorld, mostWorld))
	}
	if _, err := chosen(full.Attacks); err != nil {
		problems = append(problems, err)
	}
	return full, errors.Join(problems...)
}

// setting is a world of o with the given exposure.
func (o *Options) setting(exposure float64) setting {
	s := standard(exposure)
	s.parties, s.targets = o.Parties, o.Targets
	return s
}

package trustmodel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Model is one version of the trust model, ready to compute: checked parameters
// and the tables made of them. It is immutable and safe for concurrent use.
type Model struct {
	params  Params
	general classes // content and entities
	claims  classes
	cut     segmentation
	tail    float64 // probability left out on each side of the interval
	prior   Snapshot
}

// NewModel checks p and prepares its tables. The error lists every problem of p.
func NewModel(p Params) (*Model, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("check trust parameters: %w", err)
	}
	r := &p.Recency
	claims := newRecency(r.ClaimHalfLifeDays, r.Floor)
	assertion := milli(p.Strength.Assertion) * recencyScale
	m := &Model{
		params: p,
		general: classes{
			usage:  newRecency(r.UsageHalfLifeDays, r.Floor),
			review: newRecency(r.ReviewHalfLifeDays, r.Floor),

			assertion: assertion,
		},
		claims: classes{usage: claims, review: claims, assertion: assertion},
		cut:    newSegmentation(&p.Status),
		// Rounded, because (1-.9)/2 is not .05 in binary.
		tail: math.Round(float64((1-p.Level)/2*nano)) / nano,
	}
	m.prior = m.emptySnapshot()
	return m, nil
}

// Params returns the parameters of the model.
func (m *Model) Params() Params { return m.params }

// emptySnapshot computes the snapshot of no evidence, with its two quantiles.
func (m *Model) emptySnapshot() Snapshot {
	var s Snapshot
	m.applyCaps(&s.Totals)
	s.Alpha, s.Beta, s.Value = m.Posterior(s.Totals)
	s.Lower, s.Upper = m.quantiles(s.Alpha, s.Beta)
	return s
}

// interval returns the published bounds. The quantiles are nearly all of the
// cost of a small target, so the ones of the prior are not computed again.
func (m *Model) interval(alpha, beta float64) (lower, upper float64) {
	if alpha == m.prior.Alpha && beta == m.prior.Beta {
		return m.prior.Lower, m.prior.Upper
	}
	return m.quantiles(alpha, beta)
}

func (m *Model) quantiles(alpha, beta float64) (lower, upper float64) {
	d := distuv.Beta{Alpha: alpha, Beta: beta}
	return micro(d.Quantile(m.tail)), micro(d.Quantile(1 - m.tail))
}

func (m *Model) classesOf(kind TargetKind) *classes {
	if kind == KindClaim {
		return &m.claims
	}
	return &m.general
}

package trustmodel

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// reference computes alpha and beta the way the model is printed: floats all
// the way, no tables, no rounding, one formula a line.
func reference(in Input) (alpha, beta float64) {
	var g, r, u [2]float64
	for _, p := range in.Parties {
		var sg, sr [2]float64
		asserted, used := 0., 0.
		for _, b := range p.Bins {
			age := math.Max(float64(in.AsOfBin)-float64(b.Index), 0) * 30
			usage, review := .5, .5
			if in.Kind == KindClaim {
				usage, review = math.Pow(usage, age/1460), math.Pow(review, age/1460)
			} else {
				usage, review = math.Pow(usage, age/180), math.Pow(review, age/365)
			}
			usage, review = math.Max(usage, .05)/1000, math.Max(review, .05)/1000
			sg[0] += float64(b.Sums.UsagePos)*usage + float64(b.Sums.ReviewPos)*review
			used += float64(b.Sums.UsageNeg) * usage
			sg[1] += float64(b.Sums.UsageNeg)*usage + float64(b.Sums.ReviewNeg)*review
			sr[0] += float64(b.Sums.UngroundedPos) * review
			sr[1] += float64(b.Sums.UngroundedNeg) * review
			asserted += float64(b.Sums.Asserted) * review
		}
		if p.Author || asserted > 0 {
			sg, sr = [2]float64{0, used}, [2]float64{}
		}
		if !p.Author {
			sr[0] += math.Min(asserted, .25)
		}
		weights := [2]float64{p.Weights.Plus, p.Weights.Minus}
		free := 1 / (1 + sg[0] + sg[1])
		for side, w := range weights {
			grounded := w * sg[side] / (1 + sg[0] + sg[1])
			ungrounded := w * free * sr[side] / (1 + sr[0] + sr[1])
			if p.Weights.V >= .8 {
				g[side] += grounded
				r[side] += ungrounded
			} else {
				u[side] += grounded + ungrounded
			}
		}
	}
	kr, ku := 1/(1+.2*(r[0]+r[1])), 1/(1+2*(u[0]+u[1]))
	x, y := g[0]+kr*r[0]+ku*u[0], g[1]+kr*r[1]+ku*u[1]
	kg := 1 / (1 + .05*(x+y))
	carry := math.Min(1, 2/(in.Carry.Plus+in.Carry.Minus))
	if in.Carry == (Carry{}) {
		carry = 0
	}
	return .5 + kg*x + carry*in.Carry.Plus, .5 + kg*y + carry*in.Carry.Minus
}

// TestModelEqualsTheReference allows what rounding to tables and nano-parties
// may differ: 1e-6 of a factor of .05 is 2e-5 of a strength.
func TestModelEqualsTheReference(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		alpha, beta := reference(in)
		s := m.Compute(in)
		if math.Abs(s.Alpha-alpha) > 2e-5 || math.Abs(s.Beta-beta) > 2e-5 {
			t.Fatalf("got %v, %v, want %v, %v", s.Alpha, s.Beta, alpha, beta)
		}
		if want := alpha / (alpha + beta); math.Abs(s.Value-want) > 1e-5 {
			t.Fatalf("value %v, want %v", s.Value, want)
		}
	})
}

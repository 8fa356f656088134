package trustmodel

import "math"

// nano is the unit of party sums: every contribution is rounded to 1e-9 party
// and added as an integer, so that no order of addition can show.
const nano = 1_000_000_000

// Totals are the sums over parties behind a snapshot. With the parameters they
// are enough to recompute Alpha, Beta and Value: see [Model.Posterior].
type Totals struct {
	GPlus  int64 `json:"g_plus"`  // established parties, grounded support, nano-parties
	GMinus int64 `json:"g_minus"` // established parties, grounded contradiction, nano-parties
	RPlus  int64 `json:"r_plus"`  // established parties, ungrounded support, nano-parties
	RMinus int64 `json:"r_minus"` // established parties, ungrounded contradiction, nano-parties
	UPlus  int64 `json:"u_plus"`  // parties not yet established, all support, nano-parties
	UMinus int64 `json:"u_minus"` // parties not yet established, all contradiction, nano-parties

	CapG float64 `json:"cap_g"` // kG, the factor on all evidence together
	CapR float64 `json:"cap_r"` // kR, the factor on R
	CapU float64 `json:"cap_u"` // kU, the factor on U

	X float64 `json:"x"` // support after CapR and CapU, before CapG, in parties
	Y float64 `json:"y"` // contradiction after CapR and CapU, before CapG, in parties

	CappedFamilies int `json:"capped_families"` // source families whose reviews were scaled down, in R and U already

	CarryPlus      float64 `json:"carry_plus"`       // support carried from an older revision, after its cap, in parties
	CarryMinus     float64 `json:"carry_minus"`      // contradiction carried likewise
	CarryIdentity  float64 `json:"carry_identity"`   // identity sum carried for the status rules, at most the cap of the carry
	CarryRealWorld int     `json:"carry_real_world"` // real-world confirmations carried for the status rules, 0 or 1
	CarryAnchors   int     `json:"carry_anchors"`    // verified parties carried for the status rules, 0 or 1
}

// Posterior recomputes the Beta parameters and the published value from totals,
// using the six party sums and the carry; the factors in t are not read.
func (m *Model) Posterior(t Totals) (alpha, beta, value float64) {
	m.applyCaps(&t)
	p := &m.params.Prior
	alpha = float64(p.Strength*p.Mean) + float64(t.CapG*t.X) + t.CarryPlus
	beta = float64(p.Strength*(1-p.Mean)) + float64(t.CapG*t.Y) + t.CarryMinus
	return alpha, beta, micro(alpha / (alpha + beta))
}

// applyCaps sets the three factors and X and Y from the six party sums. The
// caps are nested, not side by side: one more success can then never lower the
// value by taking room from other support. It can by leaving room: whoever uses a
// target that it has confirmed unseen is heard less among unseen judges, and those
// who contradict are heard more. That is less than .007, and never where the party
// had not judged the target unseen.
func (m *Model) applyCaps(t *Totals) {
	p := &m.params.Caps
	t.CapR = 1 / (1 + float64(p.Ungrounded*fromNano(t.RPlus+t.RMinus)))
	t.CapU = 1 / (1 + float64(p.Fresh*fromNano(t.UPlus+t.UMinus)))
	t.X = fromNano(t.GPlus) + float64(t.CapR*fromNano(t.RPlus)) + float64(t.CapU*fromNano(t.UPlus))
	t.Y = fromNano(t.GMinus) + float64(t.CapR*fromNano(t.RMinus)) + float64(t.CapU*fromNano(t.UMinus))
	t.CapG = 1 / (1 + float64(p.All*(t.X+t.Y)))
}

func fromNano(n int64) float64 { return float64(n) / nano }

// toNano rounds to whole nanos, halves away from zero: math.Round as an integer,
// which is exact and takes a third of its time.
func toNano(v float64) int64 {
	n := float64(v * nano)
	whole := int64(n)
	return whole + int64(2*(n-float64(whole)))
}

// micro rounds a published figure to 1e-6.
func micro(v float64) float64 { return math.Round(float64(v*1e6)) / 1e6 }

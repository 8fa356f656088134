package trustmodel

import (
	"errors"
	"fmt"
)

// problems collects what is wrong with a parameter set.
type problems []error

// within reports name unless lo <= v <= hi; what is no number fails as well.
func (p *problems) within(name string, v, lo, hi float64) {
	if !(v >= lo && v <= hi) {
		*p = append(*p, fmt.Errorf("%s: %v is not within %v..%v", name, v, lo, hi))
	}
}

// ordered reports the pair unless low <= high.
func (p *problems) ordered(lowName, highName string, low, high float64) {
	if low > high {
		*p = append(*p, fmt.Errorf("%s: %v is more than %s, %v", lowName, low, highName, high))
	}
}

// Validate returns nil if the model is meaningful with p, else one error that
// joins every problem, each named by its JSON path.
func (p Params) Validate() error {
	var out problems
	out.within("prior.strength", p.Prior.Strength, .1, 100)
	out.within("prior.mean", p.Prior.Mean, .01, .99)
	out.within("level", p.Level, .5, .999)
	out.within("caps.all", p.Caps.All, 0, 100)
	out.within("caps.ungrounded", p.Caps.Ungrounded, 0, 100)
	out.within("caps.fresh", p.Caps.Fresh, 0, 100)
	out.within("caps.family", p.Caps.Family, .01, 1e6)
	p.Strength.validate(&out)
	p.Verdicts.validate(&out)
	p.Recency.validate(&out)
	p.Identity.validate(&out)
	p.Counting.validate(&out)
	p.Status.validate(&out)
	p.Hysteresis.validate(&out, &p.Status)
	p.Carry.validate(&out)
	p.Reputation.validate(&out)
	p.Independence.validate(&out)
	p.Ratings.validate(&out)
	return errors.Join(out...)
}

func (s *StrengthParams) validate(out *problems) {
	const strongest = 1000 // more is a mass of 1 in all but name
	out.within("strength.usage_real", s.UsageReal, 0, strongest)
	out.within("strength.usage_test", s.UsageTest, 0, strongest)
	out.within("strength.partial_outcome", s.PartialOutcome, 0, 1)
	out.within("strength.review_grounded", s.ReviewGrounded, 0, strongest)
	out.within("strength.review_ungrounded", s.ReviewUngrounded, 0, strongest)
	out.within("strength.assertion", s.Assertion, 0, strongest)
	out.within("strength.confidence_min", s.ConfidenceMin, 0, 1)
	out.within("strength.confidence_missing", s.ConfidenceMissing, 0, 1)
	out.ordered("strength.confidence_min", "strength.confidence_missing", s.ConfidenceMin, s.ConfidenceMissing)
}

func (v *VerdictParams) validate(out *problems) {
	for _, j := range []struct {
		name string
		Judgement
	}{
		{"confirmed", v.Confirmed},
		{"mostly_correct", v.MostlyCorrect},
		{"questionable", v.Questionable},
		{"misleading", v.Misleading},
		{"contradicted", v.Contradicted},
		{"false", v.False},
	} {
		out.within("verdicts."+j.name+".outcome", j.Outcome, 0, 1)
		out.within("verdicts."+j.name+".intensity", j.Intensity, 0, 1)
	}
}

func (r *RecencyParams) validate(out *problems) {
	const longest = 36500 // days: a century, which also bounds the tables
	out.within("recency.usage_half_life_days", r.UsageHalfLifeDays, 1, longest)
	out.within("recency.review_half_life_days", r.ReviewHalfLifeDays, 1, longest)
	out.within("recency.claim_half_life_days", r.ClaimHalfLifeDays, 1, longest)
	out.within("recency.floor", r.Floor, .001, 1)
}

func (i *IdentityParams) validate(out *problems) {
	out.within("identity.none", i.None, 0, 1)
	out.within("identity.email", i.Email, 0, 1)
	out.within("identity.domain", i.Domain, 0, 1)
	out.ordered("identity.none", "identity.email", i.None, i.Email)
	out.ordered("identity.email", "identity.domain", i.Email, i.Domain)
	out.within("identity.established", i.Established, .001, 1)
	out.within("identity.accuracy_prior", i.AccuracyPrior, .5, .999)
	out.within("identity.odds_cap", i.OddsCap, 1.001, 1e6)
	out.within("identity.weight_floor", i.WeightFloor, 0, 1)
}

func (c *CountingParams) validate(out *problems) {
	out.within("counting.min_mass", c.MinMass, 0, 1)
	out.within("counting.min_weight_sum", c.MinWeightSum, 0, 2)
	out.within("counting.support_share", c.SupportShare, .5, 1)
	out.within("counting.contradict_share", c.ContradictShare, 0, .5)
	if c.SupportShare == c.ContradictShare {
		*out = append(*out, errors.New("counting.support_share: equals counting.contradict_share"))
	}
}

func (s *StatusParams) validate(out *problems) {
	const most = 1e6 // parties
	out.within("status.outdated_identity", s.OutdatedIdentity, 0, most)
	out.within("status.outdated_window_days", s.OutdatedWindowDays, BinDays, 36500)
	out.within("status.outdated_recent_days", s.OutdatedRecentDays, BinDays, 36500)
	out.within("status.outdated_upper", s.OutdatedUpper, 0, 1)
	out.within("status.outdated_older_value", s.OutdatedOlderValue, 0, 1)
	out.within("status.incorrect_upper", s.IncorrectUpper, 0, 1)
	out.within("status.incorrect_identity", s.IncorrectIdentity, 0, most)
	out.within("status.incorrect_contradictions", float64(s.IncorrectContradictions), 0, most)
	out.within("status.disputed_identity", s.DisputedIdentity, 0, most)
	out.within("status.disputed_share", s.DisputedShare, 0, .5)
	out.within("status.disputed_mass", s.DisputedMass, 0, most)
	out.within("status.high_lower", s.HighLower, 0, 1)
	out.within("status.high_identity", s.HighIdentity, 0, most)
	out.within("status.high_real_world", float64(s.HighRealWorld), 0, most)
	out.within("status.high_claim_identity", s.HighClaimIdentity, 0, most)
	out.within("status.supported_lower", s.SupportedLower, 0, 1)
	out.within("status.supported_identity", s.SupportedIdentity, 0, most)
	out.within("status.anchors", float64(s.Anchors), 0, most)
	out.ordered("status.supported_lower", "status.high_lower", s.SupportedLower, s.HighLower)
}

// validate also holds every threshold for keeping a status to the easy side of
// the one for reaching it.
func (h *HysteresisParams) validate(out *problems, s *StatusParams) {
	out.within("hysteresis.supported_lower", h.SupportedLower, 0, 1)
	out.within("hysteresis.high_lower", h.HighLower, 0, 1)
	out.within("hysteresis.incorrect_upper", h.IncorrectUpper, 0, 1)
	out.within("hysteresis.disputed_share", h.DisputedShare, 0, .5)
	out.within("hysteresis.hold_records", float64(h.HoldRecords), 0, 1000)
	out.within("hysteresis.hold_minutes", h.HoldMinutes, 0, 60*24*365)
	out.ordered("hysteresis.supported_lower", "status.supported_lower", h.SupportedLower, s.SupportedLower)
	out.ordered("hysteresis.high_lower", "status.high_lower", h.HighLower, s.HighLower)
	out.ordered("status.incorrect_upper", "hysteresis.incorrect_upper", s.IncorrectUpper, h.IncorrectUpper)
	out.ordered("hysteresis.disputed_share", "status.disputed_share", h.DisputedShare, s.DisputedShare)
}

func (c *CarryParams) validate(out *problems) {
	const most = 1e6 // parties
	out.within("carry.factor", c.Factor, 0, 1)
	out.within("carry.max", c.Max, 0, 100)
	out.within("carry.own_supported", float64(c.OwnSupported), 0, most)
	out.within("carry.own_high", float64(c.OwnHigh), 0, most)
	out.within("carry.own_high_real", float64(c.OwnHighReal), 0, most)
}

func (r *ReputationParams) validate(out *problems) {
	const most = 1e6 // credits
	out.within("reputation.accuracy_strength", r.AccuracyStrength, .1, most)
	out.within("reputation.pair_credits", r.PairCredits, 0, most)
	out.within("reputation.half_credits", r.HalfCredits, .1, most)
	out.within("reputation.grace_days", r.GraceDays, 0, 36500)
	out.within("reputation.half_life_days", r.HalfLifeDays, 1, 36500)
	out.within("reputation.display_strength", r.DisplayStrength, .1, most)
	out.within("reputation.controller_strength", r.ControllerStrength, .1, most)
}

func (i *IndependenceParams) validate(out *problems) {
	const most = 1e6
	out.within("independence.min_common", float64(i.MinCommon), 2, most)
	out.within("independence.overlap", i.Overlap, 0, 1)
	out.within("independence.weak_overlap", i.WeakOverlap, 0, 1)
	out.within("independence.activity_gain", i.ActivityGain, 0, most)
	out.within("independence.mutual", i.Mutual, 0, 1)
	out.within("independence.beyond_chance", i.BeyondChance, 0, 1)
	out.within("independence.max_supporters", float64(i.MaxSupporters), 2, 10_000)
	out.ordered("independence.weak_overlap", "independence.overlap", i.WeakOverlap, i.Overlap)
}

func (r *RatingParams) validate(out *problems) {
	out.within("ratings.context_strength", r.ContextStrength, 0, 100)
	out.within("ratings.pool_strength", r.PoolStrength, .01, 100)
	out.within("ratings.pool_min", r.PoolMin, 0, 100)
	out.within("ratings.pool_max", r.PoolMax, 0, 100)
	out.within("ratings.spread_strength", r.SpreadStrength, .1, 100)
	out.within("ratings.spread", r.Spread, .1, 100)
	out.within("ratings.confidence_base", r.ConfidenceBase, 0, 1)
	out.within("ratings.ungrounded", r.Ungrounded, 0, 1)
	out.within("ratings.no_context", r.NoContext, 0, 1)
	out.within("ratings.winsor", r.Winsor, .5, 100)
	out.within("ratings.winsor_raters", float64(r.WinsorRaters), 2, 1e6)
	out.within("ratings.exact_weight", r.ExactWeight, 0, 1000)
	out.ordered("ratings.pool_min", "ratings.pool_max", r.PoolMin, r.PoolMax)
}

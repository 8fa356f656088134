package simulate

// meanStrike is the mean of the same variant in several worlds.
func meanStrike(blows []blow) Strike {
	first := &blows[0]
	s := Strike{Attack: first.Attack, Variant: first.Variant, Honest: first.Honest, Excess: first.Excess}
	targets, recommended, flipped := 0, 0, 0.0
	for i := range blows {
		b := &blows[i]
		targets += b.targets
		recommended += b.recommendedBefore
		flipped += b.Flipped
		s.Truth += b.Truth
		s.Before += b.Before
		s.Value += b.Value
		s.Lower += b.Lower
		s.Upper += b.Upper
		s.Confirmations += b.Confirmations
		s.Recommended += b.Recommended
		s.High += b.High
		s.Disputed += b.Disputed
		s.Incorrect += b.Incorrect
		s.Merged += b.Merged
		s.Gain += b.Gain
		s.Excess = max(s.Excess, b.Excess)
		s.Cost.add(b.Cost)
		s.Others.add(b.Others)
		s.OthersBefore.add(b.OthersBefore)
	}
	n := float64(max(targets, 1))
	for _, sum := range []*float64{
		&s.Truth, &s.Before, &s.Value, &s.Lower, &s.Upper, &s.Confirmations, &s.Recommended, &s.High,
		&s.Disputed, &s.Incorrect, &s.Gain,
	} {
		*sum /= n
	}
	s.Others.scale(1 / n)
	s.OthersBefore.scale(1 / n)
	s.Merged /= float64(len(blows))
	s.Cost.divide(len(blows))
	if recommended > 0 {
		s.Flipped = flipped / float64(recommended)
	}
	s.GainPerAccount = per(s.Gain, s.Cost.Accounts)
	s.GainPerJob = per(s.Gain, s.Cost.Jobs)
	s.GainPerRecord = per(s.Gain, s.Cost.Records)
	return s
}

// per is gain/n, and 0 where nothing of the kind was needed.
func per(gain float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return gain / float64(n)
}

func (c *Cost) add(o Cost) {
	c.Accounts += o.Accounts
	c.Verified += o.Verified
	c.Jobs += o.Jobs
	c.Records += o.Records
}

func (c *Cost) divide(n int) {
	c.Accounts /= n
	c.Verified /= n
	c.Jobs /= n
	c.Records /= n
}

func (s *Simple) add(o Simple) {
	s.Majority += o.Majority
	s.Wilson += o.Wilson
	s.Bayes += o.Bayes
	s.Parties += o.Parties
	s.Additive += o.Additive
}

func (s *Simple) scale(f float64) {
	s.Majority *= f
	s.Wilson *= f
	s.Bayes *= f
	s.Parties *= f
	s.Additive *= f
}

package trustmodel

// opinion is what one party believes about a target: disbelief and belief by
// channel, as masses that together stay under 1.
type opinion struct {
	groundedPlus, groundedMinus     float64
	ungroundedPlus, ungroundedMinus float64
	perUngrounded                   float64 // mass of one nano-strength of ungrounded evidence, if there is any
}

// opinion turns strengths into masses. s/(1+s) is Kish's effective sample size
// for fully correlated trials: whatever one controller reports and however
// often, it stays under one party. Ungrounded evidence only fills what grounded
// evidence leaves uncertain, so it can never dilute it.
func (s *strengths) opinion() opinion {
	grounded := float64(nano + s.groundedPos + s.groundedNeg)
	o := opinion{groundedPlus: float64(s.groundedPos) / grounded, groundedMinus: float64(s.groundedNeg) / grounded}
	if s.ungroundedPos|s.ungroundedNeg == 0 {
		return o // The usual case, and half of the divisions.
	}
	ungrounded := float64(nano + s.ungroundedPos + s.ungroundedNeg)
	uncertainty := nano / grounded
	o.ungroundedPlus = float64(uncertainty * float64(float64(s.ungroundedPos)/ungrounded))
	o.ungroundedMinus = float64(uncertainty * float64(float64(s.ungroundedNeg)/ungrounded))
	o.perUngrounded = uncertainty / ungrounded
	return o
}

// plus is the belief, minus the disbelief, mass their sum: in [0, 1).
func (o *opinion) plus() float64  { return o.groundedPlus + o.ungroundedPlus }
func (o *opinion) minus() float64 { return o.groundedMinus + o.ungroundedMinus }
func (o *opinion) mass() float64  { return o.plus() + o.minus() }

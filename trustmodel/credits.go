package trustmodel

import (
	"math"
	"math/bits"
)

// credits count how often a party was right, each opinion by how sure its
// outcome is, in nano-credits.
type credits struct {
	truePlus   int64 // supported what holds
	falsePlus  int64 // supported what does not hold
	falseMinus int64 // contradicted what holds
	trueMinus  int64 // contradicted what does not hold
}

// newCredits shares certainty·age between the four cells by belief and outcome,
// each in [0, 1]; age is in parts per million. The second share of each split is
// the rest of the first, so that the cells add up to what was shared and one
// opinion never earns more than one credit.
func newCredits(certainty, belief, outcome float64, age int64) credits {
	all := int64(math.Round(float64(certainty * float64(age*(nano/recencyScale)))))
	plus := int64(math.Round(float64(float64(all) * belief)))
	var c credits
	c.truePlus = int64(math.Round(float64(float64(plus) * outcome)))
	c.falsePlus = plus - c.truePlus
	c.falseMinus = int64(math.Round(float64(float64(all-plus) * outcome)))
	c.trueMinus = all - plus - c.falseMinus
	return c
}

func (c credits) plus(o credits) credits {
	c.truePlus += o.truePlus
	c.falsePlus += o.falsePlus
	c.falseMinus += o.falseMinus
	c.trueMinus += o.trueMinus
	return c
}

func (c credits) sum() int64   { return c.right() + c.wrong() }
func (c credits) right() int64 { return c.truePlus + c.trueMinus }
func (c credits) wrong() int64 { return c.falsePlus + c.falseMinus }

// cappedTo scales c down to at most limit nano-credits. Each cell is rounded
// down, in whole numbers of any size, so that the limit is never passed.
func (c credits) cappedTo(limit int64) credits {
	sum := c.sum()
	if sum <= limit {
		return c
	}
	return credits{
		truePlus:   scaleDown(c.truePlus, limit, sum),
		falsePlus:  scaleDown(c.falsePlus, limit, sum),
		falseMinus: scaleDown(c.falseMinus, limit, sum),
		trueMinus:  scaleDown(c.trueMinus, limit, sum),
	}
}

// scaleDown returns n·limit/sum, rounded down, for 0 <= n <= sum and
// 0 <= limit < sum.
func scaleDown(n, limit, sum int64) int64 {
	high, low := bits.Mul64(uint64(n), uint64(limit))
	quotient, _ := bits.Div64(high, low, uint64(sum))
	return int64(quotient)
}

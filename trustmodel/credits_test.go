package trustmodel

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestOneOpinionEarnsAtMostOneCredit holds that the cells add up to exactly what
// was shared, so never to more than a credit.
func TestOneOpinionEarnsAtMostOneCredit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		certainty := rapid.Float64Range(0, 1).Draw(t, "certainty")
		age := rapid.Int64Range(0, recencyScale).Draw(t, "age")
		c := newCredits(certainty, rapid.Float64Range(0, 1).Draw(t, "belief"), rapid.Float64Range(0, 1).Draw(t, "outcome"), age)
		if c.truePlus < 0 || c.falsePlus < 0 || c.falseMinus < 0 || c.trueMinus < 0 {
			t.Fatalf("%+v", c)
		}
		want := int64(math.Round(certainty * float64(age) * 1000))
		if c.sum() != want || c.sum() > nano {
			t.Fatalf("%+v is %d, want %d", c, c.sum(), want)
		}
	})
}

// TestCapRoundsDown compares with whole numbers of any size.
func TestCapRoundsDown(t *testing.T) {
	amount := rapid.Int64Range(0, math.MaxInt64/4)
	rapid.Check(t, func(t *rapid.T) {
		c := credits{amount.Draw(t, "TP"), amount.Draw(t, "FP"), amount.Draw(t, "FN"), amount.Draw(t, "TN")}
		limit := amount.Draw(t, "limit")
		got := c.cappedTo(limit)
		if got.sum() > max(limit, 0) && got != c || got.sum() > limit && c.sum() > limit {
			t.Fatalf("%+v passes %d", got, limit)
		}
		if c.sum() <= limit {
			if got != c {
				t.Fatalf("%+v became %+v under %d", c, got, limit)
			}
			return
		}
		exact := new(big.Int).Mul(big.NewInt(c.falsePlus), big.NewInt(limit))
		exact.Quo(exact, big.NewInt(c.sum()))
		if got.falsePlus != exact.Int64() {
			t.Fatalf("%d became %d, want %v", c.falsePlus, got.falsePlus, exact)
		}
	})
}

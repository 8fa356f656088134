package trustmodel

import "math"

// recencyScale is the unit of recency factors, parts per million: milli-strength
// times a factor is then nano-strength, exactly, as an integer.
const recencyScale = 1_000_000

// recency is a table of factors by age in whole bins, in parts per million. Its
// last entry is the floor and holds for every greater age.
type recency []int64

// newRecency tabulates 2^(-age/halfLife) down to floor.
func newRecency(halfLifeDays, floor float64) recency {
	last := int64(math.Round(float64(floor * recencyScale)))
	var table recency
	for age := 0; ; age++ {
		exact := math.Exp2(-float64(age*BinDays) / halfLifeDays)
		factor := max(int64(math.Round(float64(exact*recencyScale))), last)
		table = append(table, factor)
		if factor == last {
			return table
		}
	}
}

// factor returns the factor for an age in bins, in parts per million.
func (r recency) factor(age int64) int64 {
	return r[min(age, int64(len(r)-1))]
}

// classes are what depends on the kind of target: the factor tables of the two kinds of evidence, and the bound of
// assertions.
type classes struct {
	usage, review recency
	assertion     int64 // what all assertions of one party count together, in nano-strength
}

// ageOf returns the age of a bin in whole bins. Evidence later than the moment
// of evaluation is new, never younger than new.
func ageOf(index, asOf int32) int64 { return max(int64(asOf)-int64(index), 0) }

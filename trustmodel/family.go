package trustmodel

import (
	"slices"
	"strings"
)

// addFamily adds the sums of one source family, or takes them away. What is
// left empty goes, so that a tally shows nothing of what was retracted.
func (t *Part) addFamily(sums *FamilySums, sign int64) {
	at, found := t.family(sums.Family)
	if !found {
		t.Families = slices.Insert(t.Families, at, FamilySums{Family: sums.Family})
	}
	f := &t.Families[at]
	f.RPlus += sign * sums.RPlus
	f.RMinus += sign * sums.RMinus
	f.UPlus += sign * sums.UPlus
	f.UMinus += sign * sums.UMinus
	if *f == (FamilySums{Family: f.Family}) {
		t.Families = slices.Delete(t.Families, at, at+1)
	}
}

// family returns where the sums of a family are, or would be.
func (t *Part) family(name string) (at int, found bool) {
	low, high := 0, len(t.Families)
	for low < high {
		middle := int(uint(low+high) / 2)
		switch order := strings.Compare(t.Families[middle].Family, name); {
		case order == 0:
			return middle, true
		case order < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// factor is what the evidence of one family is scaled by: all reviews that rest
// on one source family are together at most limit parties, shared by weight among
// all who rest on it, whether they are established or newcomers and whatever they
// say.
//
// A cap that is shared gives way to the others when one of them says less. Until a
// family is over its cap, what one party says of it moves no other one's share.
// Over it, three things hold only up to a bound, and are tested up to it:
//
//   - a success lowers the value, by less than .03, where it makes a confirming
//     review by the same source superfluous and others contradict by that source;
//   - more confidence in a review lowers the value, by less than .004, where it
//     takes the room of newcomers who say the same, whom the next cap treats
//     more kindly than established reviewers;
//   - newcomers take room from established reviewers of the same source, so that
//     they may take away more evidence than the half party that they can add.
func (f *FamilySums) factor(limit float64) float64 {
	mass := fromNano(f.RPlus + f.RMinus + f.UPlus + f.UMinus)
	if mass <= limit {
		return 1
	}
	return limit / mass
}

// totals are the six party sums of a part, its families capped and joined in.
func (t *Part) totals(familyCap float64) Totals {
	out := Totals{
		GPlus: t.GPlus, GMinus: t.GMinus, RPlus: t.RPlus, RMinus: t.RMinus, UPlus: t.UPlus, UMinus: t.UMinus,
	}
	for i := range t.Families {
		f := &t.Families[i]
		k := f.factor(familyCap)
		if k < 1 {
			out.CappedFamilies++
		}
		out.RPlus += scaled(f.RPlus, k)
		out.RMinus += scaled(f.RMinus, k)
		out.UPlus += scaled(f.UPlus, k)
		out.UMinus += scaled(f.UMinus, k)
	}
	return out
}

func scaled(sum int64, k float64) int64 {
	if k == 1 {
		return sum
	}
	return toNano(float64(k * fromNano(sum)))
}

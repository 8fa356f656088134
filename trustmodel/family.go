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

// factors are what the evidence of one family is scaled by: all ungrounded reviews
// of established parties that rest on one source family are together at most limit
// parties, shared by weight whatever they say; likewise those of newcomers, whom
// their own cap holds to far less after that. The two are apart, so that no number
// of newcomers takes room from the established.
//
// A cap that is shared gives way to the others when one of them says less: over
// it, a success may lower the value, by less than .03, where it makes a confirming
// review by the same source superfluous and others contradict by that source.
func (f *FamilySums) factors(limit float64) (established, newcomers float64) {
	return capFactor(f.RPlus+f.RMinus, limit), capFactor(f.UPlus+f.UMinus, limit)
}

// capFactor scales a mass, in nano-parties, to at most limit parties.
func capFactor(mass int64, limit float64) float64 {
	if m := fromNano(mass); m > limit {
		return limit / m
	}
	return 1
}

// totals are the six party sums of a part, its families capped and joined in.
func (t *Part) totals(familyCap float64) Totals {
	out := Totals{
		GPlus: t.GPlus, GMinus: t.GMinus, RPlus: t.RPlus, RMinus: t.RMinus, UPlus: t.UPlus, UMinus: t.UMinus,
	}
	for i := range t.Families {
		f := &t.Families[i]
		established, newcomers := f.factors(familyCap)
		if established < 1 || newcomers < 1 {
			out.CappedFamilies++
		}
		out.RPlus += scaled(f.RPlus, established)
		out.RMinus += scaled(f.RMinus, established)
		out.UPlus += scaled(f.UPlus, newcomers)
		out.UMinus += scaled(f.UMinus, newcomers)
	}
	return out
}

func scaled(sum int64, k float64) int64 {
	if k == 1 {
		return sum
	}
	return toNano(float64(k * fromNano(sum)))
}

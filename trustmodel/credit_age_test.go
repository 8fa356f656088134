package trustmodel

import "testing"

func TestCreditsCountInFullThroughTheGrace(t *testing.T) {
	p := V1().Reputation
	for _, c := range []struct {
		name             string
		grace, half      float64
		age, parPerMille int64
	}{
		{"new", 365, 365, 0, 1000},
		{"twelve bins are 360 days, within the grace", 365, 365, 12, 1000},
		{"thirteen bins are 25 days past it", 365, 365, 13, 954},
		{"a half-life past the grace", 360, 360, 24, 500},
		{"two half-lives past the grace", 360, 360, 36, 250},
		{"without grace", 0, 30, 1, 500},
		{"nothing is left of the oldest", 365, 365, 1 << 30, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.GraceDays, p.HalfLifeDays = c.grace, c.half
			if got := newCreditAge(&p).factor(c.age); (got+500)/1000 != c.parPerMille {
				t.Errorf("%d parts per million, want about %d per mille", got, c.parPerMille)
			}
		})
	}
}

func TestAnOpinionIsAsOldAsItsNewestBin(t *testing.T) {
	m := newModel(t)
	bin := func(index int32, s Sums) Bin { return Bin{Index: index, Sums: s} }
	success, failure := m.Sums(realSuccess), m.Sums(realFailure)
	asserted, silent := m.Sums(assertion), m.Sums(judged(VerdictCannotVerify))
	for _, c := range []struct {
		name   string
		author bool
		bins   []Bin
		want   int32
	}{
		{"the newest", false, []Bin{bin(3, success), bin(7, failure), bin(5, success)}, 7},
		{"what is no opinion is passed over", false, []Bin{bin(3, success), bin(9, silent)}, 3},
		{"what was retracted is passed over", false, []Bin{bin(9, success), bin(3, failure), bin(9, Sums{}.Minus(success))}, 3},
		{"what was retracted in part is not", false, []Bin{bin(9, success), bin(3, failure), bin(9, success), bin(9, Sums{}.Minus(success))}, 9},
		{"an author's praise is passed over", true, []Bin{bin(9, success), bin(8, asserted), bin(3, failure)}, 3},
		{"a stater's praise is passed over, its statement is not", false, []Bin{bin(9, success), bin(8, asserted), bin(3, failure)}, 8},
		{"before the epoch", false, []Bin{bin(-3, success), bin(-7, failure)}, -3},
		{"nothing said", false, nil, -1 << 31},
		{"the ends of time", false, []Bin{bin(1<<31-1, silent), bin(-1<<31, success)}, -1 << 31},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Party{Author: c.author, Bins: c.bins}
			if got := newestIndex(p.role(), p.Bins); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

package trustmodel

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

func TestLockstep(t *testing.T) {
	m := newModel(t)
	// Among 100 others, every one with a target of its own.
	world := func(lists ...[]int) [][]int {
		for i := range 100 {
			lists = append(lists, []int{500 + i})
		}
		return lists
	}
	times := func(n int, who ...int) [][]int {
		var out [][]int
		for range n {
			out = append(out, slices.Clone(who))
		}
		return out
	}
	crowd := make([]int, 201)
	for i := range crowd {
		crowd[i] = i
	}
	for _, c := range []struct {
		name     string
		verified int // parties below are
		lists    [][]int
		want     [][]int
	}{
		{"nine targets in common are too few", 0, world(times(9, 1, 2)...), nil},
		{"ten are enough", 0, world(times(10, 1, 2)...), [][]int{{1, 2}}},
		{"being the only ones tells nothing", 0, times(50, 1, 2), nil},
		// A shared target weighs ln 51, an own one ln 102. 10 of 16 are an overlap of .59 and 10 of 17 one of .55, of which
		// chance explains .12: .53 and .49 of what it leaves.
		{"more than half in common, beyond chance, is enough among much else", 0, world(slices.Concat(times(10, 1, 2), times(6, 1), times(6, 2))...), [][]int{{1, 2}}},
		{"less is not", 0, world(slices.Concat(times(10, 1, 2), times(7, 1), times(7, 2))...), nil},
		{"nor is half with one who supports a quarter of all there is", 0, world(slices.Concat(times(10, 1, 2), times(8, 1), times(30, 2))...), nil},
		{"four fifths of the smaller are not enough if the larger one is busy elsewhere", 0, world(slices.Concat(times(20, 1, 2), times(1, 1), times(130, 2))...), nil},
		// 20 in common weigh 78.64, 17 of one's own 78.62 and 18 of them 83.3.
		{"more than half of the larger one's is mutual", 0, world(slices.Concat(times(20, 1, 2), times(17, 2))...), [][]int{{1, 2}}},
		{"a little less than half of it is not", 0, world(slices.Concat(times(20, 1, 2), times(18, 2))...), nil},
		{"who copies five others makes them one no more", 0, world(slices.Concat(times(20, 1, 9), times(20, 2, 9), times(20, 3, 9), times(20, 4, 9), times(20, 5, 9))...), nil},
		{"a chain is one group", 0, world(slices.Concat(times(12, 1, 2, 3), times(3, 1, 2), times(3, 2, 3))...), [][]int{{1, 2, 3}}},
		{"two verified parties are never one", 3, world(times(50, 1, 2)...), nil},
		{"a verified one and others are", 2, world(times(50, 1, 2, 3)...), [][]int{{1, 2, 3}}},
		{"not even through a third: the stronger pair wins", 3, world(slices.Concat(times(12, 1, 2, 5), times(3, 1, 5), times(4, 2, 5), times(1, 1))...), [][]int{{2, 5}}},
		{"with equal pairs the smaller key wins", 3, world(slices.Concat(times(12, 1, 2, 5), times(3, 1, 5), times(3, 2, 5))...), [][]int{{1, 5}}},
		// 60 of 100 each, by chance 36 in common: with 45 they are little beyond that.
		{"two who support nearly everything have much in common by chance", 0, slices.Concat(times(45, 1, 2, 3), times(15, 1, 3), times(15, 2, 3), times(5, 3)), nil},
		// 60 in common weigh 236. With 12 more each the overlap is .8096, with 13 more .797; chance explains .36 of it.
		{"four fifths in common are enough for who supports a third of all there is", 0, world(slices.Concat(times(60, 1, 2), times(12, 1), times(12, 2))...), [][]int{{1, 2}}},
		{"a little less is not", 0, world(slices.Concat(times(60, 1, 2), times(13, 1), times(13, 2))...), nil},
		// With 9 more each the overlap is .739 and the share .240, with 10 more .718 and .244.
		{"below that it must be three times what chance explains", 0, world(slices.Concat(times(30, 1, 2), times(9, 1), times(9, 2))...), [][]int{{1, 2}}},
		{"a little less than three times is not enough", 0, world(slices.Concat(times(30, 1, 2), times(10, 1), times(10, 2))...), nil},
		{"targets with 200 supporters tell who acts together", 0, world(times(50, crowd[:200]...)...), [][]int{crowd[:200]}},
		{"targets with 201 supporters say nothing about pairs", 0, world(times(50, crowd...)...), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var targets [][]Supporter
			for _, l := range c.lists {
				targets = append(targets, supporters(c.verified, l...))
			}
			var want [][]PartyKey
			for _, w := range c.want {
				var keys []PartyKey
				for _, n := range w {
					keys = append(keys, numbered(n))
				}
				want = append(want, keys)
			}
			var got [][]PartyKey
			for _, g := range groupsOf(m, targets) {
				got = append(got, g.Members)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %x, want %x", got, want)
			}
		})
	}
}

// TestTheWeakOverlapIsHalfOfTheSmaller: in trust-v1 the rules of mutual and
// beyond_chance already ask for more, so it is held without them.
func TestTheWeakOverlapIsHalfOfTheSmaller(t *testing.T) {
	p := V1()
	p.Independence.Mutual, p.Independence.BeyondChance = 0, 0
	m, err := NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	// Ten in common weigh 39.3; eight more of one's own 37, nine 41.6.
	for own, want := range map[int]int{8: 1, 9: 0} {
		var lists [][]int
		for i := range 100 {
			lists = append(lists, []int{500 + i})
		}
		for range 10 {
			lists = append(lists, []int{1, 2})
		}
		for range own {
			lists = append(lists, []int{1}, []int{2})
		}
		if got := groupsOf(m, named(lists)); len(got) != want {
			t.Errorf("%d of one's own beside ten in common: %v", own, got)
		}
	}
}

// TestFavouritesCountInTotals has two parties share twelve targets and support
// thirteen more that 201 parties support: those weigh in what is their own, but
// are nothing in common.
func TestFavouritesCountInTotals(t *testing.T) {
	m := newModel(t)
	var lists [][]int
	for i := range 1000 {
		lists = append(lists, []int{500 + i})
	}
	for range 12 {
		lists = append(lists, []int{1, 2})
	}
	for range 13 {
		crowd := []int{1, 2}
		for i := range 199 {
			crowd = append(crowd, 500+i)
		}
		lists = append(lists, crowd)
	}
	got := groupsOf(m, named(lists))
	if len(got) != 1 || got[0].Pairs[0].Common != 12 {
		t.Fatalf("got %v", got)
	}
	rare, common := 12*math.Log(1002./2), 13*math.Log(1002./201)
	near(t, "overlap", got[0].Pairs[0].Overlap, rare/(rare+common), 1e-6)
}

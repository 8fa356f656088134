package trustmodel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// sure is a rating from own use at full confidence.
func sure(score float64) Rating { return Rating{Score: score, Confidence: 1, Grounded: true} }

// rater is a distinct party whose agents gave ratings in a context.
func rater(ratings ...Rating) Rater { return Rater{V: 1, Ratings: ratings, HasContext: true} }

func ratersOf(n int, r Rater) []Rater { return slices.Repeat([]Rater{r}, n) }

// TestRatingsWorkedByHand holds the printed formulas; t is 2.353363 for three
// degrees of freedom, 2.131847 for four.
func TestRatingsWorkedByHand(t *testing.T) {
	m := newModel(t)
	all := func(raters ...Rater) RatingSnapshot { return m.RateAll(raters, 50) }
	for _, c := range []struct {
		name string
		got  RatingSnapshot
		want RatingSnapshot
	}{
		// s = 10, t(2) = 2.919986.
		{"nobody rates", all(), RatingSnapshot{50, 20.800144, 79.199856, 0, 0}},
		{"a pool mean is bounded", m.RateAll(nil, 90), RatingSnapshot{70, 40.800144, 99.199856, 0, 0}},
		// mean (50+90)/2, variance (200+1/2·40²)/3.
		{"one rater", all(rater(sure(90))), RatingSnapshot{70, 39.618209, 100, 1, 1}},
		// mean (50+90+90)/3, variance (200+2/3·40²)/4.
		{"two raters", all(ratersOf(2, rater(sure(90)))...), RatingSnapshot{76.666667, 54.764023, 98.569310, 2, 2}},
		// mean (50+60+80)/3, variance (200+2·10²+2/3·20²)/4.
		{"two that differ", all(rater(sure(60)), rater(sure(80))), RatingSnapshot{63.333333, 47.443486, 79.223181, 2, 2}},
		// mean (2·70+90)/3, variance (200+2/3·20²)/3.
		{"one context", m.RateExact([]Rater{rater(sure(90))}, all(rater(sure(90)))), RatingSnapshot{76.666667, 59.720513, 93.612820, 1, 1}},
		{"nobody rates in a context", m.RateExact(nil, RatingSnapshot{Score: 80}), RatingSnapshot{80, 59.352584, 100, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "score", c.got.Score, c.want.Score, 1e-6)
			near(t, "lower", c.got.Lower, c.want.Lower, 2e-6)
			near(t, "upper", c.got.Upper, c.want.Upper, 2e-6)
			near(t, "weight", c.got.Weight, c.want.Weight, 0)
			if c.got.Raters != c.want.Raters {
				t.Errorf("%d raters, want %d", c.got.Raters, c.want.Raters)
			}
		})
	}
}

func TestWhatARatingWeighs(t *testing.T) {
	m := newModel(t)
	for _, c := range []struct {
		name   string
		rater  Rater
		weight float64
		score  float64 // of the party
	}{
		{"own use, full confidence, a context", rater(sure(80)), 1, 80},
		{"no confidence stated", rater(Rating{Score: 80, Confidence: -1, Grounded: true}), .85, 80},
		{"no confidence at all", rater(Rating{Score: 80, Grounded: true}), .525, 80},
		{"no own use", rater(Rating{Score: 80, Confidence: 1}), .6, 80},
		{"no context", Rater{V: 1, Ratings: []Rating{sure(80)}}, .7, 80},
		{"a newcomer", Rater{V: .3, Ratings: []Rating{sure(80)}, HasContext: true}, .3, 80},
		{"all of these", Rater{V: .3, Ratings: []Rating{{Score: 80, Confidence: -1}}}, .3 * .85 * .6 * .7, 80},
		{"agents count by their confidence", rater(sure(90), Rating{Score: 50, Confidence: .25, Grounded: true}), (1 + .25*.625) / 1.25, 82},
		{"nothing said", rater(), 0, 0},
		{"distinctness stays below one party", Rater{V: 5, Ratings: []Rating{sure(80)}, HasContext: true}, 1, 80},
		{"nobody", Rater{Ratings: []Rating{sure(80)}}, 0, 0},
		{"scores stay on the scale", rater(sure(1e9)), 1, 100},
		{"at both ends", rater(sure(-1e9)), 1, 0},
		{"what is no number is the worst", rater(Rating{Score: math.NaN(), Confidence: math.NaN(), Grounded: true}), .525, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := m.RateAll([]Rater{c.rater}, 50)
			near(t, "weight", got.Weight, c.weight, 1e-6)
			near(t, "score", got.Score, (50+c.weight*c.score)/(1+c.weight), 1e-4)
			if want := map[bool]int{true: 1, false: 0}[c.weight > 0]; got.Raters != want {
				t.Errorf("%d raters, want %d", got.Raters, want)
			}
		})
	}
}

func TestPoolMeanIsBounded(t *testing.T) {
	m := newModel(t)
	for _, c := range []struct {
		name string
		sum  float64
		n    int64
		want float64
	}{
		{"no data", 0, 0, 50},
		{"the mean", 180, 3, 60},
		{"not above", 300, 3, 70},
		{"not below", 3, 3, 30},
		{"no number", math.NaN(), 3, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := m.RatePool(c.sum, c.n); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestOneContextStandsForItselfFromItsWeightOn(t *testing.T) {
	m := newModel(t)
	for n, want := range []bool{false, false, true} {
		if s := m.RateExact(ratersOf(n, rater(sure(90))), RatingSnapshot{Score: 50}); m.ExactEnough(s) != want {
			t.Errorf("%d raters: %v, want %v", n, !want, want)
		}
	}
	if !m.ExactEnough(RatingSnapshot{Weight: 1.5}) || m.ExactEnough(RatingSnapshot{Weight: 1.499999}) {
		t.Error("the threshold is not 1.5")
	}
}

// TestWithoutAnyPriorNothingIsKnown takes the strength of contexts away: no
// rating is no knowledge then, not a division by zero.
func TestWithoutAnyPriorNothingIsKnown(t *testing.T) {
	p := V1()
	p.Ratings.ContextStrength, p.Strength.ConfidenceMin = 0, 0
	m, err := NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.RateExact(nil, RatingSnapshot{Score: 60}), (RatingSnapshot{Score: 60, Upper: 100}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := m.RateExact([]Rater{rater(sure(90))}, RatingSnapshot{Score: 60}); got.Score != 90 {
		t.Errorf("got %+v", got)
	}
	unsure := rater(Rating{Score: 90, Confidence: 0, Grounded: true})
	if got := m.RateExact([]Rater{unsure}, RatingSnapshot{Score: 60}); got.Score != 90 || got.Raters != 1 {
		t.Errorf("a rating of no confidence: got %+v", got)
	}
}

// genRaters draws up to 12 parties of up to 4 agents.
func genRaters(t *rapid.T) []Rater {
	raters := make([]Rater, rapid.IntRange(0, 12).Draw(t, "raters"))
	for i := range raters {
		r := &raters[i]
		r.Key, r.V, r.HasContext = numbered(i), rapid.SampledFrom([]float64{.3, .7, .925, 1}).Draw(t, "v"), rapid.Bool().Draw(t, "context")
		for range rapid.IntRange(0, 4).Draw(t, "agents") {
			r.Ratings = append(r.Ratings, Rating{
				Score:      rapid.SampledFrom([]float64{0, 10, 55.5, 80, 80, 80, 90, 100}).Draw(t, "score"),
				Confidence: float64(rapid.IntRange(-1, 100).Draw(t, "confidence")) / 100,
				Grounded:   rapid.Bool().Draw(t, "grounded"),
			})
		}
	}
	return raters
}

func TestOrderNeverShowsInRatings(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		raters := genRaters(t)
		pool := rapid.Float64Range(0, 100).Draw(t, "pool")
		all := m.RateAll(raters, pool)
		exact := m.RateExact(raters, all)
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, seed))
		r.Shuffle(len(raters), func(i, j int) { raters[i], raters[j] = raters[j], raters[i] })
		for i := range raters {
			slices.Reverse(raters[i].Ratings)
		}
		if got := m.RateAll(raters, pool); got != all {
			t.Fatalf("got %+v, want %+v", got, all)
		}
		if got := m.RateExact(raters, all); got != exact {
			t.Fatalf("got %+v, want %+v", got, exact)
		}
	})
}

// ratingReference computes what is printed, in floats.
func ratingReference(raters []Rater, prior, kappa float64) (mean, lower, upper, weight float64) {
	var w, x []float64
	for _, r := range raters {
		var c, cx, cf float64
		for _, one := range r.Ratings {
			confidence := math.Max(one.Confidence, .05)
			if one.Confidence < 0 {
				confidence = .7
			}
			f := .5 + .5*confidence
			if !one.Grounded {
				f *= .6
			}
			c, cx, cf = c+confidence, cx+confidence*one.Score, cf+confidence*f
		}
		if c == 0 {
			continue
		}
		if !r.HasContext {
			cf *= .7
		}
		w, x = append(w, r.V*cf/c), append(x, cx/c)
	}
	var s float64
	posterior := func() {
		var sw, sx, ss float64
		for i := range w {
			sw, sx = sw+w[i], sx+w[i]*x[i]
		}
		bar := prior
		if sw > 0 {
			bar = sx / sw
		}
		for i := range w {
			ss += w[i] * (x[i] - bar) * (x[i] - bar)
		}
		weight, mean = sw, (kappa*prior+sx)/(kappa+sw)
		s = math.Sqrt((2*100 + ss + kappa*sw/(kappa+sw)*(bar-prior)*(bar-prior)) / (2 + sw))
	}
	posterior()
	if len(w) >= 5 {
		for i := range x {
			x[i] = math.Min(math.Max(x[i], mean-3*s), mean+3*s)
		}
		posterior()
	}
	reach := distuv.StudentsT{Sigma: 1, Nu: 2 + weight}.Quantile(.95) * s / math.Sqrt(kappa+weight)
	return mean, math.Max(mean-reach, 0), math.Min(mean+reach, 100), weight
}

func TestRatingsEqualTheReference(t *testing.T) {
	m := newModel(t)
	check := func(t *rapid.T, got RatingSnapshot, raters []Rater, prior, kappa float64) {
		mean, lower, upper, weight := ratingReference(raters, prior, kappa)
		for i, pair := range [][2]float64{{got.Score, mean}, {got.Lower, lower}, {got.Upper, upper}, {got.Weight, weight}} {
			if math.Abs(pair[0]-pair[1]) > 1e-4 {
				t.Fatalf("figure %d is %v, want %v", i, pair[0], pair[1])
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		raters := genRaters(t)
		pool := rapid.Float64Range(30, 70).Draw(t, "pool")
		all := m.RateAll(raters, pool)
		check(t, all, raters, pool, 1)
		exact := raters[:rapid.IntRange(0, len(raters)).Draw(t, "exact")]
		check(t, m.RateExact(exact, all), exact, all.Score, 2)
	})
}

func TestRatingLiesInsideItsInterval(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		raters := genRaters(t)
		all := m.RateAll(raters, rapid.Float64().Draw(t, "pool"))
		for _, s := range []RatingSnapshot{all, m.RateExact(raters, all), m.RateExact(raters, RatingSnapshot{Score: rapid.Float64().Draw(t, "all")})} {
			if !(0 <= s.Lower && s.Lower <= s.Score && s.Score <= s.Upper && s.Upper <= 100) {
				t.Fatalf("%+v", s)
			}
			if !(s.Raters <= len(raters) && s.Weight <= float64(s.Raters)) {
				t.Fatalf("%+v of %d parties", s, len(raters))
			}
		}
	})
}

func TestMoreEqualRatingsNarrowTheInterval(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		r := rater(sure(rapid.Float64Range(0, 100).Draw(t, "score")))
		r.V = rapid.Float64Range(.7, 1).Draw(t, "v")
		n := rapid.IntRange(1, 40).Draw(t, "raters")
		pool := rapid.Float64Range(0, 100).Draw(t, "pool")
		fewer, more := m.RateAll(ratersOf(n, r), pool), m.RateAll(ratersOf(n+1, r), pool)
		if more.Upper-more.Lower >= fewer.Upper-fewer.Lower {
			t.Fatalf("%d raters: %+v, one more: %+v", n, fewer, more)
		}
		fewer, more = m.RateExact(ratersOf(n, r), fewer), m.RateExact(ratersOf(n+1, r), fewer)
		if more.Upper-more.Lower >= fewer.Upper-fewer.Lower {
			t.Fatalf("exact, %d raters: %+v, one more: %+v", n, fewer, more)
		}
	})
}

// TestTheAgentsOfAPartyAreOneRater gives one party 50 agents of one opinion, and
// lets them differ: it stays one rater, of no more weight than it had.
func TestTheAgentsOfAPartyAreOneRater(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		raters := genRaters(t)
		one := rater(Rating{Score: rapid.Float64Range(0, 100).Draw(t, "score"), Confidence: .8, Grounded: rapid.Bool().Draw(t, "grounded")})
		many := one
		many.Ratings = slices.Repeat(one.Ratings, 50)
		raters = slices.Clip(raters)
		want, got := m.RateAll(append(raters, one), 50), m.RateAll(append(raters, many), 50)
		if got != want {
			t.Fatalf("50 agents: %+v, one: %+v", got, want)
		}
		for i := range many.Ratings {
			many.Ratings[i] = sure(rapid.Float64Range(0, 100).Draw(t, "another"))
		}
		without := m.RateAll(raters, 50)
		if with := m.RateAll(append(raters, many), 50); with.Raters != without.Raters+1 || with.Weight > without.Weight+1+step {
			t.Fatalf("%+v became %+v", without, with)
		}
	})
}

// TestScoresFarOutArePulledIn sets one score apart from many: beyond three
// standard deviations it moves the mean less than it would by itself, and with
// fewer than five raters nothing is pulled.
func TestScoresFarOutArePulledIn(t *testing.T) {
	m := newModel(t)
	for _, c := range []struct {
		others int
		want   float64 // score, without winsorising: (50+80·others+0)/(2+others)
		pulled bool
	}{{3, 290. / 5, false}, {30, 2450. / 32, true}, {60, 4850. / 62, true}} {
		t.Run(fmt.Sprintf("%d others", c.others), func(t *testing.T) {
			got := m.RateAll(append(ratersOf(c.others, rater(sure(80))), rater(sure(0))), 50).Score
			if pulled := got > c.want+.1; pulled != c.pulled || got < c.want-step {
				t.Errorf("score %v, the plain mean is %v", got, c.want)
			}
		})
	}
}

// TestScoresArePulledInFromTheFifthRaterOn adds one rater of little weight, far
// below the others.
func TestScoresArePulledInFromTheFifthRaterOn(t *testing.T) {
	m := newModel(t)
	low := rater(sure(0))
	low.V = .1
	for others, pulled := range map[int]bool{3: false, 4: true} {
		n := float64(others)
		plain := (50 + 80*n) / (1 + n + .1)
		got := m.RateAll(append(ratersOf(others, rater(sure(80))), low), 50).Score
		if (got > plain+.1) != pulled || got < plain-step {
			t.Errorf("%d others: score %v, the plain mean is %v", others, got, plain)
		}
	}
}

// BenchmarkRateAll is one dimension of one target.
func BenchmarkRateAll(b *testing.B) {
	m := newModel(b)
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("raters=%d", n), func(b *testing.B) {
			raters := make([]Rater, n)
			for i := range raters {
				raters[i] = rater(sure(float64(i % 100)))
			}
			b.ReportAllocs()
			for b.Loop() {
				_ = m.RateAll(raters, 50)
			}
		})
	}
}

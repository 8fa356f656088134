package searchbench

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
)

// market is one need that several items answer about equally well: agents pick from the first page by position, use
// what they picked, and what they report is the trust of the next one. New items keep coming.
type market struct {
	random  *rand.Rand
	ranking retrieval.Ranking
	items   []*offer
}

// offer is an item with what nobody sees, its quality, and what has been reported.
type offer struct {
	quality, rel    float64
	good, bad, born int
	tried           int // uses within window of its birth
}

// The simulation of SEARCH, section 3.
const (
	marketRuns  = 60
	marketUses  = 600
	firstOffers = 8
	offerEvery  = 30
	window      = 200
	triedEnough = 5
	goodQuality = .85
	pageLength  = 10
	usesPerDay  = 20
	z80         = 1.2815515655446004 // of the interval that trust is shown with here
)

// marketScore is how well agents fare, and how often good newcomers are tried.
type marketScore struct{ outcome, tried float64 }

func simulate(slots int) marketScore {
	var score marketScore
	uses, newcomers, triedWell := 0., 0., 0.
	for run := range marketRuns {
		m := &market{
			random:  rand.New(rand.NewPCG(uint64(run), 9)),
			ranking: retrieval.Ranking{Sort: retrieval.SortRank, TrustWeight: .5, ExploreSlots: slots, Limit: pageLength, FirstPage: true, HasQuery: true, Fingerprint: uint64(run)},
		}
		for range firstOffers {
			m.arrive(0)
		}
		for use := range marketUses {
			if use > 0 && use%offerEvery == 0 {
				m.arrive(use)
			}
			m.ranking.Day = int64(use / usesPerDay)
			score.outcome += m.use(use)
			uses++
		}
		for _, o := range m.items {
			if o.born > 0 && o.born+window <= marketUses && o.quality > goodQuality {
				newcomers++
				if o.tried >= triedEnough {
					triedWell++
				}
			}
		}
	}
	return marketScore{outcome: score.outcome / uses, tried: triedWell / newcomers}
}

func (m *market) arrive(use int) {
	m.items = append(m.items, &offer{quality: m.beta(2, 1.5), rel: .9 + .1*m.random.Float64(), born: use})
}

// use picks from the first page, with half the chance for each next place, and reports what came of it.
func (m *market) use(now int) float64 {
	candidates := make([]retrieval.Candidate, len(m.items))
	for i, o := range m.items {
		c := &candidates[i]
		c.Kind, c.Status, c.Rel, c.Parties = "content", "unverified", o.rel, o.good+o.bad
		binary.BigEndian.PutUint64(c.ID[:], uint64(i+1))
		c.Author = c.ID
		c.Lower, c.Upper = o.interval()
		if c.Parties >= triedEnough {
			c.Status = "supported"
		}
	}
	order := m.ranking.Order(candidates)
	place := 0
	for place+1 < min(pageLength, len(order)) && m.random.Float64() < .5 {
		place++
	}
	o := m.items[order[place].Index]
	if now < o.born+window {
		o.tried++
	}
	if m.random.Float64() < o.quality {
		o.good++
		return 1
	}
	o.bad++
	return 0
}

// interval is that of the mean of a Beta distribution with the prior of one success and one failure.
func (o *offer) interval() (lower, upper float64) {
	a, b := float64(o.good)+1, float64(o.bad)+1
	mean := a / (a + b)
	deviation := z80 * math.Sqrt(mean*(1-mean)/(a+b+1))
	return max(0, mean-deviation), min(1, mean+deviation)
}

// beta draws from a Beta distribution by Jöhnk's method.
func (m *market) beta(a, b float64) float64 {
	for {
		x, y := math.Pow(m.random.Float64(), 1/a), math.Pow(m.random.Float64(), 1/b)
		if x+y <= 1 {
			return x / (x + y)
		}
	}
}

func TestGoodNewcomersAreTriedAndAgentsFareNoWorse(t *testing.T) {
	t.Parallel()
	without, with := simulate(0), simulate(1)
	t.Logf("without a slot: outcome %.3f, good newcomers tried %.2f; with: %.3f, %.2f", without.outcome, without.tried, with.outcome, with.tried)
	require.GreaterOrEqual(t, with.tried, .85)
	require.GreaterOrEqual(t, with.outcome, .75)
	require.GreaterOrEqual(t, with.outcome, without.outcome-.005, "what is found makes up for what is risked")
	require.Less(t, without.tried, .5, "without the slot newcomers starve: the simulation measures what it should")
}

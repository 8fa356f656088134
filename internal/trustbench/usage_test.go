package trustbench

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"interai/trustmodel"
)

// usageReport is one report of the usage data: whether a game ran on somebody's
// computer. Silver and better, ratings 2 to 4, are successes: it ran.
type usageReport struct {
	target, party, day int
	success            bool
}

// Days outside these are slips of the pen; the data is of 2018-08 to 2019-05.
var (
	usageFrom = dayOf(2018, time.August)
	usageTo   = dayOf(2019, time.July)
)

// laterFrom splits the data by time: the past is before it.
var laterFrom = dayOf(2019, time.January)

// minLater is how many later reports a target needs to be judged by.
const minLater = 8

func dayOf(year int, month time.Month) int {
	return int(time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// usageData is the usage data in the order of its days.
type usageData struct {
	reports          []usageReport
	targets, parties int
}

func loadUsage(tb testing.TB) *usageData {
	tb.Helper()
	d := &usageData{}
	targets, parties := map[string]int{}, map[string]int{}
	number := func(of map[string]int, name string) int {
		n, known := of[name]
		if !known {
			n = len(of)
			of[name] = n
		}
		return n
	}
	path := filepath.Join(dataDir(tb), "usage", "protondb_2018-08_2019-05.csv.gz")
	rows(tb, path, "target,day,rating0to4,version,gpu,system_fp", func(row []string) {
		r := usageReport{day: whole(tb, row[1]), success: whole(tb, row[2]) >= 2}
		if r.day >= usageFrom && r.day < usageTo {
			r.target, r.party = number(targets, row[0]), number(parties, row[5])
			d.reports = append(d.reports, r)
		}
	})
	d.targets, d.parties = len(targets), len(parties)
	slices.SortStableFunc(d.reports, func(a, b usageReport) int { return a.day - b.day })
	return d
}

// Names of the splits.
const (
	randomHalves = "usage, random halves"
	laterMonths  = "usage, later months"
	lastRatings  = "trust network, last 30 %"
)

// split is a past to learn from and a future to foretell.
type split struct {
	name      string
	kind      trustmodel.TargetKind
	asOf      int32
	past      [][]usageReport // by target
	future    [][]usageReport // by target
	minFuture int             // targets with fewer later reports are not judged
	data      *usageData
}

// randomHalves shuffles the reports of each target: past and future differ by
// chance only.
func (d *usageData) randomHalves() *split {
	return d.split(randomHalves, usageTo, func(i int) bool { return mix(uint64(i), 11)&1 == 0 })
}

// laterMonths foretells what is reported from laterFrom on: games, drivers and
// versions have changed by then.
func (d *usageData) laterMonths() *split {
	return d.split(laterMonths, laterFrom, func(i int) bool { return d.reports[i].day < laterFrom })
}

func (d *usageData) split(name string, day int, isPast func(i int) bool) *split {
	s := &split{
		name: name, data: d, kind: trustmodel.KindContent, asOf: binOf(day), minFuture: minLater,
		past: make([][]usageReport, d.targets), future: make([][]usageReport, d.targets),
	}
	for i, r := range d.reports {
		if isPast(i) {
			s.past[r.target] = append(s.past[r.target], r)
		} else {
			s.future[r.target] = append(s.future[r.target], r)
		}
	}
	return s
}

func binOf(day int) int32 { return trustmodel.BinOf(time.Unix(int64(day)*86400, 0)) }

// claims are the pasts as votes, for the plain rules.
func (s *split) claims() *claimSet {
	set := &claimSet{name: s.name, workers: s.data.parties}
	for _, reports := range s.past {
		var c claim
		for _, r := range reports {
			c.votes = append(c.votes, vote{worker: r.party, agrees: r.success})
		}
		set.claims = append(set.claims, c)
	}
	return set
}

// used is the past as the model sees it: every report is real use.
func (s *split) used(m *trustmodel.Model) *evidence {
	e := &evidence{kind: s.kind, asOf: s.asOf, parties: s.data.parties}
	for _, reports := range s.past {
		var target []said
		at := map[int]int{}
		for _, r := range reports {
			record := trustmodel.Record{Kind: trustmodel.RecordUsage, RealWorld: true, Result: trustmodel.ResultFailure}
			if r.success {
				record.Result = trustmodel.ResultSuccess
			}
			j, known := at[r.party]
			if !known {
				j, at[r.party] = len(target), len(target)
				target = append(target, said{party: r.party})
			}
			target[j].bins = append(target[j].bins, trustmodel.Bin{Index: binOf(r.day), Sums: m.Sums(record)})
		}
		e.targets = append(e.targets, target)
	}
	return e
}

// score judges beliefs about the targets by their futures.
func (s *split) score(beliefs []belief) score {
	var out score
	for i, reports := range s.future {
		if len(reports) < s.minFuture {
			continue
		}
		successes := 0
		for _, r := range reports {
			if r.success {
				successes++
			}
			out.outcome(beliefs[i], r.success)
		}
		out.later(beliefs[i], successes, len(reports), uniform(uint64(i), 13))
	}
	return out
}

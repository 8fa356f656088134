package trustbench

import (
	"path/filepath"
	"testing"

	"interai/trustmodel"
)

// networkLater is the share of the ratings of the trust network, the last ones,
// that are foretold.
const networkLater = .3

// loadNetwork reads the signed network: who rated whom, positive or not. Targets
// are members.
func loadNetwork(tb testing.TB) *usageData {
	tb.Helper()
	d := &usageData{}
	path := filepath.Join(dataDir(tb), "bitcoin_otc", "edges.csv.gz")
	rows(tb, path, "source,target,rating,day", func(row []string) {
		r := usageReport{party: whole(tb, row[0]), target: whole(tb, row[1]), success: whole(tb, row[2]) > 0, day: whole(tb, row[3])}
		d.parties, d.targets = max(d.parties, r.party+1), max(d.targets, r.target+1)
		d.reports = append(d.reports, r)
	})
	return d
}

// lastRatings foretells the last ratings of members who had been rated before,
// however few.
func (d *usageData) lastRatings() *split {
	from := int(float64(len(d.reports)) * (1 - networkLater))
	s := d.split(lastRatings, d.reports[from].day, func(i int) bool { return i < from })
	s.kind, s.minFuture = trustmodel.KindEntity, 1
	for i := range s.past {
		if len(s.past[i]) == 0 {
			s.future[i] = nil
		}
	}
	return s
}

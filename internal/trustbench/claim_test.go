package trustbench

import (
	"hash/fnv"
	"path/filepath"
	"slices"
	"testing"
)

// claimSet is a label set as binary claims: of each item it is claimed that its
// label is a certain one, and each worker who labelled the item agrees or not.
type claimSet struct {
	name    string
	claims  []claim
	workers int
}

type claim struct {
	truth bool
	votes []vote // in the order of the file
}

type vote struct {
	worker int
	agrees bool
}

// labelSets are the nine sets.
var labelSets = []string{"d_sentiment", "bluebird", "rte", "sp", "zencrowd_in", "dog", "web", "cf", "ms"}

// loadClaims reads a label set. Of two classes a claim always names the last, so
// that figures compare with print. Of more, a hash of the item decides whether
// the claim is true, and which wrong label a false one names: about half are true.
func loadClaims(tb testing.TB, name string) *claimSet {
	tb.Helper()
	base := filepath.Join(dataDir(tb), "labels", name)
	truth := map[string]string{}
	var items, classes []string
	rows(tb, base+".truth.csv.gz", "item,truth", func(row []string) {
		truth[row[0]] = row[1]
		items = append(items, row[0])
		classes = append(classes, row[1])
	})
	var labels [][3]string
	rows(tb, base+".label.csv.gz", "item,worker,label", func(row []string) {
		labels = append(labels, [3]string(row))
		classes = append(classes, row[2])
	})
	slices.Sort(classes)
	classes = slices.Compact(classes)

	set, index, claimed := &claimSet{name: name}, map[string]int{}, map[string]string{}
	for _, item := range items {
		index[item], claimed[item] = len(set.claims), claimedLabel(item, truth[item], classes)
		set.claims = append(set.claims, claim{truth: claimed[item] == truth[item]})
	}
	workers := map[string]int{}
	for _, l := range labels {
		at, known := index[l[0]]
		if !known {
			continue // No truth, no claim.
		}
		if _, known := workers[l[1]]; !known {
			workers[l[1]] = len(workers)
		}
		c := &set.claims[at]
		c.votes = append(c.votes, vote{worker: workers[l[1]], agrees: l[2] == claimed[l[0]]})
	}
	set.workers = len(workers)
	return set
}

func claimedLabel(item, truth string, classes []string) string {
	if len(classes) <= 2 {
		return classes[len(classes)-1]
	}
	h := fnv.New64a()
	h.Write([]byte(item))
	sum := h.Sum64()
	sum ^= sum >> 29 // the low bits of FNV alone are too regular for short names
	if sum&1 == 0 {
		return truth
	}
	others := slices.DeleteFunc(slices.Clone(classes), func(c string) bool { return c == truth })
	return others[int(sum>>1&0xffff)%len(others)]
}

// halves splits the votes of each claim into two sets by the parity of a hash of
// claim and worker.
func (s *claimSet) halves() (first, second *claimSet) {
	first, second = &claimSet{name: s.name, workers: s.workers}, &claimSet{name: s.name, workers: s.workers}
	for i := range s.claims {
		c := [2]claim{{truth: s.claims[i].truth}, {truth: s.claims[i].truth}}
		for _, v := range s.claims[i].votes {
			side := int(mix(uint64(i), uint64(v.worker)) & 1)
			c[side].votes = append(c[side].votes, v)
		}
		first.claims, second.claims = append(first.claims, c[0]), append(second.claims, c[1])
	}
	return first, second
}

// mix hashes two numbers (splitmix64).
func mix(a, b uint64) uint64 {
	z := a*0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniform makes a number in [0, 1) of two.
func uniform(a, b uint64) float64 { return float64(mix(a, b)>>11) / (1 << 53) }

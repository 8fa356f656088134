package retrieval

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// The rules of exploration (SEARCH, section 3: simulation).
const (
	exploreRank      = 3  // the place of the first untried item
	exploreEvery     = 10 // and of the next ones after it
	exploreMinLimit  = 5  // shorter pages have no place for it
	exploreMaxUses   = 5  // independent parties from which on an item is tried
	exploreMinShare  = .6 // of the relevance of what stood at the place
	exploreLuckRange = 1  // width of the luck around 1: from .5 to 1.5
)

// explore moves untried items to their places on the first page and answers which they are.
func (r Ranking) explore(list []ranked) ([]ranked, map[int]bool) {
	if r.ExploreSlots <= 0 || !r.FirstPage || r.Limit < exploreMinLimit || r.MinStatusAboveUnverified {
		return list, nil
	}
	explored := map[int]bool{}
	authors := map[[16]byte]bool{}
	for slot := range r.ExploreSlots {
		place := exploreRank - 1 + slot*exploreEvery
		if place >= min(r.Limit, len(list)) {
			break
		}
		at := r.untried(list, place, authors)
		if at < 0 {
			continue
		}
		chosen := list[at]
		list = slices.Insert(slices.Delete(list, at, at+1), place, chosen)
		explored[chosen.index] = true
		if chosen.Author != [16]byte{} {
			authors[chosen.Author] = true
		}
	}
	return list, explored
}

// untried is where the item stands that gets the place, -1 if none may.
func (r Ranking) untried(list []ranked, place int, authors map[[16]byte]bool) int {
	best, most := -1, -1.
	for at := place + 1; at < len(list); at++ {
		c := list[at]
		if c.Status != statusUnverified || c.Parties >= exploreMaxUses || c.Limited || authors[c.Author] ||
			c.rel < exploreMinShare*list[place].rel || crowded(list, place, at) {
			continue
		}
		if chance := c.rel * share(c.Upper) * r.luck(c.ID); chance > most {
			best, most = at, chance
		}
	}
	return best
}

// crowded reports whether the item would be one too many of its root controller in the first places.
func crowded(list []ranked, place, at int) bool {
	author := list[at].Author
	if author == [16]byte{} || at < cappedRanks || place >= cappedRanks {
		return false
	}
	count := 0
	for _, c := range list[:min(cappedRanks-1, len(list))] {
		if c.Author == author {
			count++
		}
	}
	return count >= maxOfController
}

// luck is a number in [.5, 1.5) that an item has for one query on one day.
func (r Ranking) luck(id [16]byte) float64 {
	var buffer [32]byte
	binary.BigEndian.PutUint64(buffer[:8], r.Fingerprint)
	copy(buffer[8:24], id[:])
	binary.BigEndian.PutUint64(buffer[24:], uint64(r.Day))
	hash := fnv.New64a()
	hash.Write(buffer[:])
	mixed := hash.Sum64()
	mixed ^= mixed >> 33 // FNV's high bits depend little on the last bytes: the finalizer of MurmurHash3 spreads them
	mixed *= 0xff51afd7ed558ccd
	mixed ^= mixed >> 33
	return 1 - exploreLuckRange/2. + exploreLuckRange*float64(mixed>>11)/(1<<53)
}

package trustmodel

import (
	"math"
	"time"
)

// BinDays is the width of a bin in days. It is no parameter of a version: the
// stored statistics of all versions share the same bins.
const BinDays = 30

const binSeconds = BinDays * 24 * 60 * 60

// Bin holds the sums of the records that were made in one 30-day bin.
type Bin struct {
	Index int32 // whole bins since the Unix epoch, see BinOf
	// Family is the source family that ungrounded reviews rest on, "" for all
	// other records and for reviews without a source. A bin with a family holds
	// ungrounded parts only.
	Family string
	Sums   Sums
}

// BinOf returns the index of the bin that t falls into: whole 30-day bins since
// the Unix epoch in UTC, rounded down, so that times before the epoch have
// negative indexes.
func BinOf(t time.Time) int32 {
	seconds := t.Unix()
	index := seconds / binSeconds
	if seconds%binSeconds < 0 {
		index--
	}
	return int32(min(max(index, math.MinInt32), math.MaxInt32))
}

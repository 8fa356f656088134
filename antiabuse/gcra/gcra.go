// Package gcra owns the arithmetic of rate limits: the generic cell rate algorithm of ITU-T I.371, in whole
// microseconds, so that Go and SQL come to the same numbers.
//
// It knows no clock and keeps nothing: a meter is one number, its theoretical arrival time (tat), which whoever counts
// keeps beside its clock. Start reading at [Rate].
package gcra

import (
	"errors"
	"time"
)

// ErrRate says that a rate has no capacity, no window, or more capacity than its window has microseconds.
var ErrRate = errors.New("a rate needs a capacity of at least one, and at most one for each microsecond of its window")

// Rate lets capacity things pass at once, and one more after each emission interval. So up to twice the capacity passes
// in a window that begins with a full meter, and the capacity in every window after it.
type Rate struct {
	capacity int64
	emission int64 // microseconds
}

// New is the rate of capacity things in each window. The emission interval is rounded up to a microsecond.
func New(capacity int, window time.Duration) (Rate, error) {
	micros := window.Microseconds()
	if capacity < 1 || micros < int64(capacity) {
		return Rate{}, ErrRate
	}
	return Rate{capacity: int64(capacity), emission: (micros + int64(capacity) - 1) / int64(capacity)}, nil
}

// Capacity is how much passes at once.
func (r Rate) Capacity() int { return int(r.capacity) }

// Emission is what one costs, in microseconds of the meter.
func (r Rate) Emission() int64 { return r.emission }

// Remaining is how much passes now.
func (r Rate) Remaining(tat, now int64) int {
	return int(max(0, (now+r.capacity*r.emission-max(tat, now))/r.emission))
}

// Take charges n if all of it passes now, and answers the meter after it.
func (r Rate) Take(tat, now int64, n int) (after int64, ok bool) {
	if n < 0 || r.Remaining(tat, now) < n {
		return tat, false
	}
	return max(tat, now) + int64(n)*r.emission, true
}

// Refund gives n back. What a meter regained meanwhile by itself is not given twice.
func (r Rate) Refund(tat int64, n int) int64 { return tat - int64(n)*r.emission }

// Wait is how long it takes until one more passes, 0 if it does now.
func (r Rate) Wait(tat, now int64) time.Duration {
	wait := max(tat, now) + r.emission - r.capacity*r.emission - now
	return time.Duration(max(0, wait)) * time.Microsecond
}

// Seconds is a waiting time in whole seconds, rounded up: who waits that long has waited enough.
func Seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }

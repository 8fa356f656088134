// Package collusion looks for what independent parties would hardly do by chance: two that keep agreeing on the same
// targets within minutes or for each other, and targets that are judged by many new parties at once. It is statistics
// over counts and explains each of its signals; the signals are for moderators and change no weight.
//
// Start reading at [Pairs] and [Bursts].
package collusion

import "time"

// Thresholds say from when on chance is not an explanation.
type Thresholds struct {
	// MinShared is how many targets a pair must have in common.
	MinShared int
	// MinLLR is the likelihood ratio above which agreement is no chance: 15.1 is one pair in ten thousand (chi squared
	// with one degree of freedom).
	MinLLR float64
	// MaxGap is the median time between their verdicts below which a pair acts as one.
	MaxGap time.Duration
	// MinReciprocal is how often each of two must have judged what the other wrote, favourably.
	MinReciprocal int
	// MaxTail is the probability below which an hour is a burst.
	MaxTail float64
	// YoungAge is the age below which a party is young, for whoever counts.
	YoungAge time.Duration
	// OldWeight is what the verdict of a party that is not young counts in a burst, from 0 to 1.
	OldWeight float64
	// MinRate is the rate per hour that each target is expected to have at least.
	MinRate float64
	// HalfLife is after how many hours an hour counts half in the rate.
	HalfLife float64
}

// Defaults are the thresholds of ANTIABUSE section 4.
func Defaults() Thresholds {
	return Thresholds{
		MinShared: 5, MinLLR: 15.1, MaxGap: 10 * time.Minute, MinReciprocal: 2,
		MaxTail: 1e-6, YoungAge: 7 * 24 * time.Hour, OldWeight: 0.5, MinRate: 1, HalfLife: 24,
	}
}

package store

import (
	"time"

	"interai/antiabuse/gcra"
)

// MaxCapacity is the largest limit.
const MaxCapacity = 10_000_000

// Scopes of meters.
const (
	scopeRoot       = "root"       // writes of a party
	scopeActor      = "actor"      // writes of an actor whose limit is below its party's
	scopeRejections = "rejections" // rejected writes of a party
	scopeActors     = "actors"     // new actors of a party
	scopeClaims     = "claims"     // new claims of a party
)

const (
	writeWindow = time.Hour
	day         = 24 * time.Hour
	// bytesPerWrite is what a write may bring on average: with the limit of 200 writes an hour a party sends 20 MB.
	bytesPerWrite = 100 << 10
)

// WriteLimits are the configured limits of writes an hour, for those who have none of their own.
type WriteLimits struct {
	// Root is for each root controller with all that it answers for; Actor for each actor, 0: that of its root.
	Root, Actor int
}

// PendingWrite is a write that asks to be charged.
type PendingWrite struct {
	Root ID
	// IdempotencyKey names its actor. An empty Key is not looked up; one that holds an answer makes the write free.
	IdempotencyKey

	Bytes int
}

// Reasons of a denial.
const (
	DeniedParty      = "party_limit"
	DeniedActor      = "actor_limit"
	DeniedBytes      = "bytes_limit"
	DeniedRejections = "too_many_rejections"
	DeniedClaims     = "claims_limit"
	DeniedActors     = "actors_limit"
)

// Denial says which limit is reached, and for how long.
type Denial struct {
	Reason string
	Wait   time.Duration
}

// Error names the limit.
func (d *Denial) Error() string { return "limit reached: " + d.Reason }

// Charge says what a write has cost, or why it has to wait.
type Charge struct {
	// Replay says that the key holds an answer: nothing was charged.
	Replay bool
	// Denied is nil when the write may go on.
	Denied *Denial

	root, actor, bytes int64 // charged, in microseconds
	at                 int64 // the database's moment
}

// Charged reports whether there is something to give back.
func (c *Charge) Charged() bool { return c.root > 0 }

// meter is one row as a statement saw it, at its moment.
type meter struct {
	rate     gcra.Rate
	tat, now int64
}

func newMeter(capacity int, window time.Duration, tat, now int64) (meter, error) {
	rate, err := gcra.New(capacity, window)
	return meter{rate: rate, tat: tat, now: now}, err
}

// after is the meter when n more have passed.
func (m meter) after(n int) meter {
	m.tat = max(m.tat, m.now) + int64(n)*m.rate.Emission()
	return m
}

func (m meter) room() int           { return m.rate.Remaining(m.tat, m.now) }
func (m meter) wait() time.Duration { return m.rate.Wait(m.tat, m.now) }

// bytesWait is how long a party has to wait until it may send bytes again, 0 if it may now. Bytes are charged whole as
// long as there is any room: else the largest publication could never pass.
func bytesWait(bytesTAT, now int64) time.Duration {
	over := bytesTAT - now - writeWindow.Microseconds()
	if over < 0 {
		return 0
	}
	return time.Duration(over+1) * time.Microsecond
}

// until is the pause from now to a moment, 0 if that is past.
func until(moment, now int64) time.Duration {
	return time.Duration(max(0, moment-now)) * time.Microsecond
}

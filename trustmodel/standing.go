package trustmodel

import "time"

// Standing is the published status of a target, with the upgrade that waits, if
// any. It is the only thing that depends on history; value, bounds, counters and
// raw status never do.
type Standing struct {
	Status Status
	// Waiting says that an upgrade to Pending waits since Since, over Records
	// further records so far.
	Waiting bool
	Pending Status
	Since   int64 // microseconds since the Unix epoch, by the time of the evidence
	Records int
}

// Change is one transition of a published status.
type Change struct {
	From, To Status
	At       int64 // microseconds since the Unix epoch
	Held     bool  // an upgrade that had waited
}

// goodness orders statuses: a higher one is an upgrade.
var goodness = [...]int{
	Superseded: 0, Outdated: 1, Incorrect: 2, Disputed: 3, Unverified: 4, Supported: 5, HighConfidence: 6,
}

// Elapse publishes an upgrade whose waiting time has passed at moment now. It is
// called before the next record is looked at and when nothing happens for a
// while; how often makes no difference to the history.
func (m *Model) Elapse(st Standing, now int64) (Standing, []Change) {
	due := st.Since + m.holdMicros()
	if !st.Waiting || now < due {
		return st, nil
	}
	return Standing{Status: st.Pending}, []Change{{From: st.Status, To: st.Pending, At: due, Held: true}}
}

// Step takes the figures of a target at moment at and returns its new standing.
// record says that one more evidence record brought them; otherwise something
// else has changed, or nothing.
//
// Downgrades are immediate, unless the published status may be kept because its
// leave rule does not hold yet. Upgrades wait until the raw status has been at
// least as good over HoldRecords further records, or HoldMinutes.
func (m *Model) Step(st Standing, s *Snapshot, at int64, record bool) (Standing, []Change) {
	st, changes := m.Elapse(st, at)
	raw := s.RawStatus
	switch {
	case raw == st.Status || m.keeps(st.Status, s):
		return Standing{Status: st.Status}, changes
	case goodness[raw] < goodness[st.Status] || st.Status == Superseded:
		// Being replaced is a fact, not a judgement: its end needs no confirmation.
		return Standing{Status: raw}, append(changes, Change{From: st.Status, To: raw, At: at})
	}
	switch {
	case !st.Waiting:
		st = Standing{Status: st.Status, Waiting: true, Pending: raw, Since: at}
	case goodness[raw] < goodness[st.Pending]:
		// It has been at least this good all the time.
		st.Pending = raw
		fallthrough
	default:
		if record {
			st.Records++
		}
	}
	if st.Records >= m.params.Hysteresis.HoldRecords {
		changes = append(changes, Change{From: st.Status, To: st.Pending, At: at, Held: st.Records > 0})
		rest := Standing{Status: st.Pending}
		if raw != st.Pending {
			// The rest of the way waits anew.
			rest.Waiting, rest.Pending, rest.Since = true, raw, at
		}
		return rest, changes
	}
	return st, changes
}

// keeps tells whether a published status stays although the raw status differs.
// A worse verdict on the target itself is never put off.
func (m *Model) keeps(published Status, s *Snapshot) bool {
	h, own := &m.params.Hysteresis, &m.params.Carry
	switch raw := s.RawStatus; {
	case raw == Superseded, raw == Outdated, goodness[raw] <= goodness[Disputed] && goodness[raw] < goodness[published]:
		return false
	case published == Supported:
		return raw == Unverified && s.Lower >= h.SupportedLower && s.Supporting >= own.OwnSupported && m.anchored(s)
	case published == HighConfidence:
		return s.Lower >= h.HighLower && s.Supporting >= own.OwnHigh && m.anchored(s)
	case published == Incorrect:
		return s.Upper <= h.IncorrectUpper
	case published == Disputed:
		x, y := s.Totals.X, s.Totals.Y
		return x+y > 0 && min(x, y) >= float64(h.DisputedShare*(x+y))
	case published == Outdated:
		return s.OutdatedParties > 0 && s.WindowConfirmations <= s.OutdatedParties
	default:
		return false
	}
}

func (m *Model) holdMicros() int64 {
	return int64(m.params.Hysteresis.HoldMinutes * float64(time.Minute/time.Microsecond))
}

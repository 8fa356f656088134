package jobs

import (
	"cmp"
	"slices"
	"time"

	"interai/antiabuse/collusion"
	"interai/store"
)

const (
	// burstLook is how old a burst may be: what a moderator has decided about is not raised again for the same hour, since
	// by then the hour is too old.
	burstLook = 30 * 24 * time.Hour
	// burstLeast is how many parties an hour needs to be looked at, burstTargets how many targets are.
	burstLeast   = 5
	burstTargets = 2_000
	// burstWarmUp is how long a rate is only learnt where the records begin in the middle of it.
	burstWarmUp = 24
)

// hourly are the parties that judged one target, hour by hour: each once an hour.
type hourly map[int64]map[store.ID]*store.SignalRecord

// bursts are the signals of targets that got more verdicts in an hour than their past explains. Full says that the
// records begin in the middle of what happened.
func bursts(records []store.SignalRecord, full bool, now time.Time, t collusion.Thresholds) ([]store.Signal, error) {
	hours := hoursOf(records)
	first := int64(0)
	if full && len(records) > 0 {
		first = hourOf(records[len(records)-1].At) + burstWarmUp
	}
	first = max(first, hourOf(now.Add(-burstLook)))
	var found []collusion.BurstSignal
	targets := map[string]store.ID{}
	for _, target := range busiest(hours) {
		start, list := row(hours[target], t.YoungAge)
		for _, s := range collusion.Bursts([]collusion.Target{{ID: target.String(), Hours: list}}, t) {
			if start+int64(s.Hour) < first {
				continue
			}
			s.Hour += int(start)
			found = append(found, s)
			targets[s.Target] = target
			break // the least likely one says it all
		}
	}
	slices.SortStableFunc(found, func(a, b collusion.BurstSignal) int {
		return cmp.Or(cmp.Compare(a.Tail, b.Tail), cmp.Compare(b.Count, a.Count))
	})
	out := make([]store.Signal, min(len(found), signalMost))
	for i := range out {
		s := &found[i]
		var err error
		if out[i], err = burstSignal(s, hours[targets[s.Target]][int64(s.Hour)], t.YoungAge); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func hourOf(at time.Time) int64 { return at.Unix() / 3600 }

func young(r *store.SignalRecord, age time.Duration) bool { return r.At.Sub(r.Since) < age }

func hoursOf(records []store.SignalRecord) map[store.ID]hourly {
	out := map[store.ID]hourly{}
	for i := range records {
		r := &records[i]
		if out[r.Target] == nil {
			out[r.Target] = hourly{}
		}
		hour := hourOf(r.At)
		if out[r.Target][hour] == nil {
			out[r.Target][hour] = map[store.ID]*store.SignalRecord{}
		}
		out[r.Target][hour][r.Root] = r // the first of the hour, since the newest come first
	}
	return out
}

// busiest are the targets with the fullest hours, bounded.
func busiest(hours map[store.ID]hourly) []store.ID {
	fullest := map[store.ID]int{}
	for target, list := range hours {
		for _, parties := range list {
			if n := len(parties); n >= burstLeast {
				fullest[target] = max(fullest[target], n)
			}
		}
	}
	targets := sortedIDs(fullest)
	slices.SortStableFunc(targets, func(a, b store.ID) int { return cmp.Compare(fullest[b], fullest[a]) })
	return targets[:min(len(targets), burstTargets)]
}

// row is a target's hours without gaps, from the first on.
func row(hours hourly, age time.Duration) (start int64, list []collusion.Hour) {
	start, end := int64(0), int64(0)
	for hour := range hours {
		if end == 0 || hour < start {
			start = hour
		}
		end = max(end, hour)
	}
	list = make([]collusion.Hour, end-start+1)
	for hour, parties := range hours {
		at := &list[hour-start]
		at.Count = len(parties)
		for _, r := range parties {
			if young(r, age) {
				at.Young++
			}
		}
	}
	return start, list
}

// burstSignal is about the first young party of the hour: whoever wrote the target may well be the victim.
func burstSignal(s *collusion.BurstSignal, parties map[store.ID]*store.SignalRecord, age time.Duration) (store.Signal, error) {
	ids := sortedIDs(parties)
	slices.SortStableFunc(ids, func(a, b store.ID) int {
		if youngA, youngB := young(parties[a], age), young(parties[b], age); youngA != youngB {
			if youngA {
				return -1
			}
			return 1
		}
		return parties[a].At.Compare(parties[b].At)
	})
	ids = ids[:min(len(ids), store.MaxSignalNotes)]
	good := 0
	for _, r := range parties {
		if r.Good {
			good++
		}
	}
	return signal(SignalBurst, ids[0], ids, float64(s.Count), []string{s.Target}, map[string]any{
		"sentence": s.Sentence, "target": s.Target, "author": parties[ids[0]].Author.String(), "hour": time.Unix(int64(s.Hour)*3600, 0).UTC(),
		"count": s.Count, "young": s.Young, "favourable": good, "expected": s.Rate, "probability": s.Tail,
	})
}

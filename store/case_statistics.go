package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Decisions that say a finding was right, and such that say it was wrong.
const (
	rightDecisions = `('uphold', 'hold', 'redact', 'remove', 'limit')`
	wrongDecisions = `('false_alarm', 'release', 'restore')`
)

// PartyHistory is what a party has to do with moderation so far.
type PartyHistory struct {
	Since                           time.Time
	Actors, Contents                int
	Cases, Open                     int
	Rejections, Upheld, FalseAlarms int
}

const selectHistory = `
	select r.created_at,
	       (select count(*)::int from actors a where a.root_controller_id = r.id),
	       (select count(*)::int from contents x join actors a on a.id = x.author_id where a.root_controller_id = r.id),
	       count(c.id)::int, count(c.id) filter (where c.open)::int,
	       coalesce(sum(c.times) filter (where c.origin = 'rejection'), 0)::int,
	       count(c.id) filter (where c.decision in ` + rightDecisions + `)::int,
	       count(c.id) filter (where c.decision in ` + wrongDecisions + `)::int
	from actors r left join moderation_cases c on c.root_id = r.id and not c.pending
	where r.id = $1 group by r.id`

// PartyHistory reads the history of a root controller.
func (v *Snapshot) PartyHistory(ctx context.Context, root ID) (PartyHistory, error) {
	var h PartyHistory
	err := v.tx.QueryRow(ctx, selectHistory, root.UUID).Scan(&h.Since, &h.Actors, &h.Contents, &h.Cases, &h.Open, &h.Rejections,
		&h.Upheld, &h.FalseAlarms)
	if err != nil {
		return PartyHistory{}, fmt.Errorf("read a party's history: %w", classify(err))
	}
	return h, nil
}

// CaseStatistics are the figures of the queue.
type CaseStatistics struct {
	Open, Appealed, DecidedIn30Days int
	// Waiting is how long open cases wait, ToDecision how long those decided in 30 days did.
	WaitingMedian, WaitingLongest   time.Duration
	ToDecisionMedian, ToDecisionP90 time.Duration
	Rules                           []RuleStatistics
	Parties                         []PartyStatistics
}

// RuleStatistics say how often a rule was right: of its decided cases, how many were not false alarms.
type RuleStatistics struct {
	Rule                string
	Cases, Right, Wrong int
}

// Precision is the share of right ones among the decided; ok is false while there are none.
func (r RuleStatistics) Precision() (share float64, ok bool) {
	if r.Right+r.Wrong == 0 {
		return 0, false
	}
	return float64(r.Right) / float64(r.Right+r.Wrong), true
}

// PartyStatistics say how many cases a party has.
type PartyStatistics struct {
	Party       ID
	Name        string
	Cases, Open int
}

const (
	recently          = `decided_at > now() - interval '30 days'`
	selectCaseFigures = `
		select count(*) filter (where open)::int, count(*) filter (where open and appealed_at is not null)::int,
		       count(*) filter (where ` + recently + `)::int,
		       coalesce(percentile_cont(.5) within group (order by extract(epoch from now() - opened_at)) filter (where open), 0),
		       coalesce(max(extract(epoch from now() - opened_at)) filter (where open), 0)::float8,
		       coalesce(percentile_cont(.5) within group (order by extract(epoch from decided_at - opened_at)) filter (where ` + recently + `), 0),
		       coalesce(percentile_cont(.9) within group (order by extract(epoch from decided_at - opened_at)) filter (where ` + recently + `), 0)
		from moderation_cases where not pending`
	selectRuleFigures = `
		select f.rule, count(distinct c.id)::int,
		       count(distinct c.id) filter (where c.decision in ` + rightDecisions + `)::int,
		       count(distinct c.id) filter (where c.decision in ` + wrongDecisions + `)::int
		from moderation_findings f join moderation_cases c on c.id = f.case_id and not c.pending
		group by f.rule order by 2 desc, 1 limit 100`
	selectPartyFigures = `
		select a.kind, a.id, a.display_name, count(*)::int, count(*) filter (where c.open)::int
		from moderation_cases c join actors a on a.id = c.root_id where not c.pending
		group by a.id order by 4 desc, 2 limit 20`
)

// CaseStatistics reads the figures of the queue.
func (v *Snapshot) CaseStatistics(ctx context.Context) (CaseStatistics, error) {
	var out CaseStatistics
	var p pipeline
	scan(&p, func(row pgx.CollectableRow) error {
		var waiting, longest, median, p90 float64
		err := row.Scan(&out.Open, &out.Appealed, &out.DecidedIn30Days, &waiting, &longest, &median, &p90)
		out.WaitingMedian, out.WaitingLongest = secondsOf(waiting), secondsOf(longest)
		out.ToDecisionMedian, out.ToDecisionP90 = secondsOf(median), secondsOf(p90)
		return err
	}, selectCaseFigures)
	queue(&p, &out.Rules, func(row pgx.CollectableRow) (RuleStatistics, error) {
		var r RuleStatistics
		err := row.Scan(&r.Rule, &r.Cases, &r.Right, &r.Wrong)
		return r, err
	}, selectRuleFigures)
	queue(&p, &out.Parties, func(row pgx.CollectableRow) (PartyStatistics, error) {
		var s PartyStatistics
		err := row.Scan(&s.Party.Kind, &s.Party.UUID, &s.Name, &s.Cases, &s.Open)
		return s, err
	}, selectPartyFigures)
	if err := p.send(ctx, v.tx); err != nil {
		return CaseStatistics{}, fmt.Errorf("read the figures of moderation: %w", err)
	}
	return out, nil
}

func secondsOf(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

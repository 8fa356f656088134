package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence"
	"interai/jobs"
	"interai/store"
	"interai/trustmodel"
)

// history is one random course of events around a handful of targets.
type history struct {
	*bundle

	workers []*jobs.RecomputeWorker
	item    evidence.PublishOutput
	targets []store.ID
	records []made
	moved   bool
	stating map[int]string // the item with which a voice states the claim
}

// made is a record that may be retracted.
type made struct {
	id     uuid.UUID
	usage  string // its public ID, for records of report_usage
	target store.ID
	by     voice
}

func (b *bundle) newHistory(t *rapid.T, workers []*jobs.RecomputeWorker, no int64) *history {
	h := &history{bundle: b, workers: workers, stating: map[int]string{}}
	h.item = b.publish(b.voices[0], map[string]any{
		"claims":       []map[string]any{{"text": fmt.Sprintf("History number %d is true.", no)}},
		"new_subjects": []map[string]any{{"type": "thing", "name": fmt.Sprint("history ", no)}},
	})
	h.targets = []store.ID{parse(t, h.item.RevisionID), parse(t, h.item.Claims[0].ID), parse(t, h.item.Subjects[0].ID)}
	// Every target has some evidence, so that each has a head and a snapshot at the end.
	for i := range h.targets {
		h.use(t, i, i+1, "success", true)
	}
	return h
}

func (h *history) voice(t *rapid.T) (int, voice) {
	i := rapid.IntRange(0, len(h.voices)-1).Draw(t, "voice")
	return i, h.voices[i]
}

func (h *history) target(t *rapid.T) store.ID { return rapid.SampledFrom(h.targets).Draw(t, "target") }

func (h *history) use(t require.TestingT, target, by int, result string, realWorld bool) {
	var out evidence.RecordOutput
	err := h.Call(h.voices[by].client, "report_usage", map[string]any{
		"target": h.targets[target].String(), "result": result, "real_world_use": realWorld,
	}, &out)
	require.NoError(t, err)
	id := parse(t, out.ID)
	h.records = append(h.records, made{id: id.UUID, usage: out.ID, target: h.targets[target], by: h.voices[by]})
}

func (h *history) report(t *rapid.T) {
	by, _ := h.voice(t)
	h.use(t, rapid.IntRange(0, len(h.targets)-1).Draw(t, "target"), by,
		rapid.SampledFrom([]string{"success", "partial", "failure", "unknown"}).Draw(t, "result"), rapid.Bool().Draw(t, "real"))
}

// judge appends reviews and ratings beside the tools, several at once; their jobs may get lost.
func (h *history) judge(t *rapid.T) {
	var rows []store.Evidence
	for range rapid.IntRange(1, 5).Draw(t, "rows") {
		_, by := h.voice(t)
		row := store.Evidence{Kind: store.EvidenceReview, Target: h.target(t), Actor: by.id}
		if rapid.IntRange(0, 3).Draw(t, "sort") == 0 {
			row.Kind, row.Dimension, row.Score = store.EvidenceRating, "clarity", rapid.Float64Range(0, 100).Draw(t, "score")
		} else {
			row.Verdict = rapid.SampledFrom([]string{
				"confirmed", "mostly_correct", "questionable", "misleading", "contradicted", "false", "outdated", "cannot_verify",
			}).Draw(t, "verdict")
			for _, r := range h.records {
				if r.usage != "" && r.by.id == by.id && r.target == row.Target && rapid.Bool().Draw(t, "grounded") {
					row.BasedOn = store.ID{Kind: store.KindUsage, UUID: r.id}
				}
			}
		}
		if rapid.Bool().Draw(t, "confident") {
			confidence := rapid.Float64Range(0, 1).Draw(t, "confidence")
			row.Confidence = &confidence
		}
		rows = append(rows, row)
	}
	h.append(rows, rapid.Bool().Draw(t, "lose jobs"))
}

// state makes a voice state the claim in an item of its own, or drop it again.
func (h *history) state(t *rapid.T) {
	i, by := h.voice(t)
	args := map[string]any{}
	if item := h.stating[i]; item != "" {
		args["revision_of"] = item
	}
	if rapid.Bool().Draw(t, "states") {
		args["claims"] = []map[string]any{{"id": h.item.Claims[0].ID}}
	}
	h.stating[i] = h.publish(by, args).ID
}

func (h *history) retract(t *rapid.T) {
	if len(h.records) == 0 {
		t.Skip("nothing to retract")
	}
	i := rapid.IntRange(0, len(h.records)-1).Draw(t, "record")
	r := h.records[i]
	require.NoError(t, h.Call(r.by.client, "report_usage", map[string]any{"retract": r.usage}, nil))
}

// retractJudgement retracts a review or a rating, which no tool of today does.
func (h *history) retractJudgement(t *rapid.T) {
	target := h.target(t)
	var id, actor uuid.UUID
	var kind store.Kind
	err := h.Store.Pool().QueryRow(h.t.Context(), `
		select e.id, e.actor_id, a.kind from evidence e join actors a on a.id = e.actor_id
		where e.target_id = $1 and e.kind in ('review', 'rating') and not exists (select from evidence r where r.retracts = e.id)
		order by e.seq limit 1`, target.UUID).Scan(&id, &actor, &kind)
	if err != nil {
		t.Skip("no judgement to retract")
	}
	h.append([]store.Evidence{{
		Kind: store.EvidenceRetraction, Target: target, Actor: store.ID{Kind: kind, UUID: actor}, Retracts: id,
	}}, rapid.Bool().Draw(t, "lose jobs"))
}

// fold folds targets from several goroutines; some give up in the middle, and connections may be cut meanwhile.
func (h *history) fold(t *rapid.T) {
	cut := rapid.Bool().Draw(t, "cut connections")
	var all sync.WaitGroup
	for range rapid.IntRange(1, 4).Draw(t, "workers") {
		target := h.target(t)
		patience := time.Duration(rapid.IntRange(0, 4000).Draw(t, "patience in µs")) * time.Microsecond
		attempt := rapid.IntRange(0, 2).Draw(t, "attempt")
		worker := rapid.SampledFrom(h.workers).Draw(t, "worker")
		all.Go(func() {
			ctx, cancel := context.WithTimeout(h.t.Context(), patience)
			defer cancel()
			// What fails or gives up here leaves its work to others: that is the property.
			if attempt == 0 {
				_ = worker.Fold(ctx, target)
			} else {
				_ = worker.Work(ctx, job(target, attempt))
			}
		})
	}
	if cut {
		all.Go(func() {
			_, _ = h.Store.Pool().Exec(h.t.Context(), `
				select pg_terminate_backend(pid) from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and query ~ 'trust_|target_states'`)
		})
	}
	all.Wait()
}

// loseWakeUp takes a wake-up away as a worker does that dies behind its claim.
func (h *history) loseWakeUp(t *rapid.T) {
	exec(h.bundle, `update target_heads set queued = false where target_id = $1`, h.target(t).UUID)
}

// move puts an agent of several under another controller, or back: its history goes with it.
func (h *history) move(t *rapid.T) {
	to := rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "controller")
	require.NoError(t, h.jobs.SetController(h.t.Context(), h.Store, h.voices[1].id, h.humans[to]))
	h.moved = true
}

// duplicateJobs enqueues jobs that nobody asked for.
func (h *history) duplicateJobs(t *rapid.T) {
	target := h.target(t)
	require.NoError(t, h.Store.Write(h.t.Context(), func(tx *store.Tx) error {
		return h.jobs.Recompute(h.t.Context(), tx, []store.ID{target, target})
	}))
}

func TestTrustIsWhatTheRawEvidenceSaysWhateverHappensToWorkers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// One adds everybody up at each fold, the other goes on from sums that it keeps, where they still hold.
	workers := []*jobs.RecomputeWorker{b.worker(), b.worker()}
	workers[1].KeepRunningFrom(1)
	var no atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		h := b.newHistory(t, workers, no.Add(1))
		t.Repeat(map[string]func(*rapid.T){
			"report": h.report, "report more": h.report, "judge": h.judge, "state": h.state, "retract": h.retract,
			"move an agent": h.move, "retract a judgement": h.retractJudgement, "fold": h.fold, "lose a wake-up": h.loseWakeUp, "duplicate jobs": h.duplicateJobs,
		})
		b.settle(h.targets)
		for _, target := range h.targets {
			if h.moved {
				// What was published before says nothing of the parties of today.
				b.equalsTrust(t, target, trustmodel.Carry{})
			} else {
				b.equalsReference(t, target)
			}
		}
	})
	totals := b.Settled()
	require.Zero(t, totals.Gaps)
	require.Zero(t, totals.Lost)
	require.Equal(t, totals.Evidence, totals.Numbered)
}

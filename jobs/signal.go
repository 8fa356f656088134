package jobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"interai/antiabuse/collusion"
	"interai/store"
)

// Reasons of signals.
const (
	SignalCollusion     = "collusion"
	SignalBurst         = "burst"
	SignalNearIdentical = "near_identical"
	SignalSoftLink      = "soft_link"
)

const (
	// signalWindow is how far back signals look (ANTIABUSE section 4).
	signalWindow  = 90 * 24 * time.Hour
	signalTimeout = 10 * time.Minute
	// signalMost bounds the cases of one reason in one run: the strongest come first.
	signalMost = 100
	// factIDs bounds each list of IDs in the facts of a case.
	factIDs = 50
)

// SignalArgs looks for patterns in who confirms whom and opens cases for moderators.
type SignalArgs struct{}

// Kind names the job.
func (SignalArgs) Kind() string { return "signals" }

// InsertOpts puts the job on the maintenance queue, once; the next period replaces a failed one.
func (SignalArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByQueue: true, ByState: unfinished()}}
}

// SignalWorker works these jobs. It reads evidence and writes cases, and changes nothing else: no weight, no trust.
type SignalWorker struct {
	river.WorkerDefaults[SignalArgs]

	db     *store.Store
	logger *slog.Logger
}

// NewSignalWorker makes the worker.
func NewSignalWorker(db *store.Store, logger *slog.Logger) *SignalWorker {
	return &SignalWorker{db: db, logger: logger}
}

// Timeout bounds one job.
func (w *SignalWorker) Timeout(*river.Job[SignalArgs]) time.Duration { return signalTimeout }

// Work looks once.
func (w *SignalWorker) Work(ctx context.Context, _ *river.Job[SignalArgs]) error {
	signals, err := w.look(ctx, time.Now())
	if err != nil {
		return err
	}
	outcomes := map[store.SignalOutcome]int{}
	for i := range signals {
		outcome, err := w.db.RaiseSignal(ctx, &signals[i])
		if err != nil {
			return err
		}
		outcomes[outcome]++
	}
	w.logger.InfoContext(ctx, "signals were looked for", "opened", outcomes[store.SignalOpened],
		"counted", outcomes[store.SignalCounted], "decided", outcomes[store.SignalDecided])
	return nil
}

// look gathers the signals of the window.
func (w *SignalWorker) look(ctx context.Context, now time.Time) ([]store.Signal, error) {
	since := now.Add(-signalWindow)
	var rings, rushes, alike, links []store.Signal
	err := w.db.Read(ctx, func(v *store.Snapshot) error {
		records, full, err := v.SignalRecords(ctx, since)
		if err != nil {
			return err
		}
		known := newVerdicts(records)
		if rings, err = known.collusion(collusion.Defaults()); err != nil {
			return err
		}
		if rushes, err = bursts(records, full, now, collusion.Defaults()); err != nil {
			return err
		}
		if alike, err = nearIdentical(ctx, v, records); err != nil {
			return err
		}
		links, err = softLinks(ctx, v, known.roots(), since)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for signals: %w", err)
	}
	return slices.Concat(rings, rushes, alike, links), nil
}

// signal makes a signal out of its facts. About is what the same signal has in common from run to run.
func signal(reason string, root store.ID, parties []store.ID, size float64, about []string, facts map[string]any) (store.Signal, error) {
	shown := idStrings(parties)
	facts["kind"], facts["size"], facts["parties"], facts["party_count"] = reason, size, shown[:min(len(shown), factIDs)], len(parties)
	raw, err := json.Marshal(facts)
	if err != nil {
		return store.Signal{}, fmt.Errorf("encode the facts of a signal: %w", err)
	}
	return store.Signal{
		Reason: reason, Root: root, Parties: parties, Size: size, Facts: raw, Fingerprint: signalFingerprint(reason, about),
	}, nil
}

// signalFingerprint is the same for the same kind and IDs, in whichever order.
func signalFingerprint(reason string, about []string) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(reason))
	for _, id := range slices.Sorted(slices.Values(about)) {
		h.Write([]byte("\x00" + id))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func idStrings(ids []store.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

func compareIDs(a, b store.ID) int { return bytes.Compare(a.UUID[:], b.UUID[:]) }

// sortedIDs are the keys of a map in the order of IDs, so that a run depends on nothing but what it read.
func sortedIDs[V any](m map[store.ID]V) []store.ID {
	return slices.SortedFunc(maps.Keys(m), compareIDs)
}

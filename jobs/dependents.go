package jobs

import (
	"context"
	"slices"

	"interai/store"
	"interai/trustmodel"
)

// dependents are what has to be computed again because of what a fold has changed.
type dependents struct {
	inherited   []store.ID // revisions whose successor inherits other figures
	superseding []store.ID // revisions that may have won or lost what lets them supersede others
	refuted     []store.ID // claims that became incorrect or no longer are
}

// note looks at one outcome.
func (d *dependents) note(fold *store.Fold, out *store.Computed) {
	if out.Quiet {
		return
	}
	high, superseded, incorrect := trustmodel.HighConfidence.String(), trustmodel.Superseded.String(), trustmodel.Incorrect.String()
	before, existed := fold.Published[out.Model]
	if fold.HasNext && (!existed || inheritable(&before.Snapshot) != inheritable(&out.Snapshot)) {
		d.inherited = append(d.inherited, fold.Target)
	}
	for _, t := range out.Transitions {
		switch {
		case fold.Target.Kind == store.KindRevision && (t.From == high || t.To == high || t.From == superseded):
			d.superseding = append(d.superseding, fold.Target)
		case fold.Target.Kind == store.KindClaim && (t.From == incorrect || t.To == incorrect):
			d.refuted = append(d.refuted, fold.Target)
		}
	}
}

// heritage is what the next revision takes of a snapshot.
type heritage struct {
	alpha, beta, identity float64
	realWorld, anchors    int
}

func inheritable(s *trustmodel.Snapshot) heritage {
	return heritage{s.Alpha, s.Beta, s.IdentityPlus + s.Totals.CarryIdentity, s.RealWorldConfirmations + s.Totals.CarryRealWorld, s.Anchors + s.Totals.CarryAnchors}
}

// wake enqueues all of it in the transaction that made it necessary.
func (d *dependents) wake(ctx context.Context, tx *store.Tx, queue *Enqueuer) error {
	for _, claim := range distinct(d.refuted) {
		if err := queue.wake(ctx, tx, WakeArgs{Claim: claim.String()}); err != nil {
			return err
		}
	}
	needed, err := tx.RewakeDependent(ctx, distinct(d.inherited), distinct(d.superseding))
	if err != nil {
		return err
	}
	return queue.Recompute(ctx, tx, needed)
}

func distinct(ids []store.ID) []store.ID {
	slices.SortFunc(ids, func(a, b store.ID) int { return slices.Compare(a.UUID[:], b.UUID[:]) })
	return slices.Compact(ids)
}

package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// replayRows is how many rows of raw evidence of one target are read at once.
const replayRows = 2_000

// Replayed is a target's trust computed from its raw evidence.
type Replayed struct {
	// Applied is the last row that was taken.
	Applied  int64
	Snapshot trustmodel.Snapshot
	Counts   map[string]int64

	stats *statistics
}

// Replay computes the trust of targets from their raw evidence alone, as of the bins, epochs and numbers of what is
// stored of them. It answers, for each target, what the stored trust must equal bit for bit.
func Replay(ctx context.Context, v *store.Snapshot, model *trustmodel.Model, row *store.TrustModel, folds []*store.Fold) ([]*Replayed, error) {
	runs := make([]*replay, len(folds))
	for i, fold := range folds {
		published := fold.Published[row.ID]
		runs[i] = &replay{
			fold: fold, upTo: fold.States[0].Applied, asOf: published.AsOfBin, epoch: published.Epoch,
		}
	}
	if err := readRaw(ctx, v, runs); err != nil {
		return nil, err
	}
	tracks, err := tracksOf(ctx, v, model, row.ID, runs)
	if err != nil {
		return nil, err
	}
	out := make([]*Replayed, len(runs))
	for i, run := range runs {
		out[i] = run.compute(model, row.ID, tracks[run.epoch])
	}
	return out, nil
}

// ReplayAt computes the trust that a target had at a moment, from the evidence that was there, under the epoch that
// was sealed and with the age it had then. Controllers and relations count as they are now.
func ReplayAt(ctx context.Context, v *store.Snapshot, model *trustmodel.Model, row *store.TrustModel, fold *store.Fold, at time.Time) (*Replayed, error) {
	epoch, err := v.EpochAt(ctx, row.ID, at)
	if err != nil {
		return nil, err
	}
	run := &replay{
		fold: fold, upTo: fold.LastSeq, until: at, asOf: trustmodel.BinOf(at), epoch: epoch,
	}
	if err := readRaw(ctx, v, []*replay{run}); err != nil {
		return nil, err
	}
	tracks, err := tracksOf(ctx, v, model, row.ID, []*replay{run})
	if err != nil {
		return nil, err
	}
	return run.compute(model, row.ID, tracks[epoch]), nil
}

// Explain says what the replayed trust is made of; the shown parties of the greatest effect are listed.
func (r *Replayed) Explain(shown int) trustmodel.Explanation { return r.stats.explain(shown) }

// Explain says what a target's stored trust is made of, from the stored statistics; the shown parties of the greatest
// effect are listed. It is what get shows.
func Explain(ctx context.Context, v *store.Snapshot, row *store.TrustModel, fold *store.Fold, shown int) (*trustmodel.Explanation, error) {
	model, err := ModelOf(row)
	if err != nil {
		return nil, err
	}
	published := fold.Published[row.ID]
	run := &replay{fold: fold, epoch: published.Epoch}
	tracks, err := tracksOf(ctx, v, model, row.ID, []*replay{run})
	if err != nil {
		return nil, err
	}
	stored := *fold
	stored.Now = startOf(published.AsOfBin)
	out := newStatistics(model, row.ID, &stored, tracks[run.epoch]).explain(shown)
	return &out, nil
}

// ExplainPrior explains a target of which the version has computed nothing.
func ExplainPrior(row *store.TrustModel, target store.ID) (*trustmodel.Explanation, error) {
	model, err := ModelOf(row)
	if err != nil {
		return nil, err
	}
	out := model.Explain(trustmodel.Explained{Kind: TargetKind(target.Kind)})
	return &out, nil
}

// replay is one target on its way.
type replay struct {
	fold  *store.Fold
	rows  []store.FoldRow
	upTo  int64
	until time.Time // zero: no limit
	asOf  int32
	epoch int32
}

// readRaw reads the raw evidence of all runs, a bounded number of rows of each at a time.
func readRaw(ctx context.Context, v *store.Snapshot, runs []*replay) error {
	after := map[uuid.UUID]int64{}
	byTarget := map[uuid.UUID]*replay{}
	for _, run := range runs {
		byTarget[run.fold.Target.UUID] = run
		if run.upTo > 0 {
			after[run.fold.Target.UUID] = 0
		}
	}
	for len(after) > 0 {
		targets := slices.Collect(maps.Keys(after))
		from := make([]int64, len(targets))
		for i, target := range targets {
			from[i] = after[target]
		}
		page, err := v.EvidenceAfter(ctx, targets, from, replayRows)
		if err != nil {
			return err
		}
		for _, target := range targets {
			run, rows := byTarget[target], page[target]
			for i := range rows {
				if rows[i].Seq <= run.upTo && (run.until.IsZero() || !rows[i].At.After(run.until)) {
					run.rows = append(run.rows, rows[i])
				}
			}
			if len(rows) < replayRows || rows[len(rows)-1].Seq >= run.upTo {
				delete(after, target)
			} else {
				after[target] = rows[len(rows)-1].Seq
			}
		}
	}
	return nil
}

// tracksOf reads the tracks of all roots that the runs meet, by epoch.
func tracksOf(ctx context.Context, v *store.Snapshot, model *trustmodel.Model, id int16, runs []*replay) (map[int32]*trackSet, error) {
	roots := map[int32][]uuid.UUID{}
	for _, run := range runs {
		list := roots[run.epoch]
		if run.fold.Author != uuid.Nil {
			list = append(list, run.fold.Author)
		}
		for i := range run.fold.Stats {
			list = append(list, run.fold.Stats[i].Root)
		}
		for i := range run.rows {
			list = append(list, run.rows[i].Root)
		}
		roots[run.epoch] = list
	}
	out := make(map[int32]*trackSet, len(roots))
	for epoch, list := range roots {
		rows, err := v.TracksOf(ctx, id, epoch, list)
		if err != nil {
			return nil, err
		}
		out[epoch] = newTrackSet(model, epoch, rows)
	}
	return out, nil
}

func (r *replay) compute(model *trustmodel.Model, id int16, tracks *trackSet) *Replayed {
	raw := *r.fold
	raw.Stats, raw.Rows, raw.Now = nil, r.rows, startOf(r.asOf)
	stats := newStatistics(model, id, &raw, tracks)
	out := &Replayed{Counts: map[string]int64{}, stats: stats}
	for i := range r.rows {
		row := &r.rows[i]
		out.Applied = row.Seq
		count(out.Counts, row)
		if row.Kind != store.EvidenceRating {
			stats.foldRow(row)
		}
	}
	out.Snapshot = stats.snapshot(inherited(model, id, r.fold))
	return out
}

// Differences says in what stored trust differs from what its raw evidence says; nothing if it is equal, bit for bit.
func (r *Replayed) Differences(fold *store.Fold, id int16) []string {
	var out []string
	published := fold.Published[id]
	if published.Snapshot != r.Snapshot {
		out = append(out, fmt.Sprintf("stored %+v, from raw evidence %+v", published.Snapshot, r.Snapshot))
	}
	if !maps.Equal(published.Counts, r.Counts) {
		out = append(out, fmt.Sprintf("stored counts %v, from raw evidence %v", published.Counts, r.Counts))
	}
	stored := map[statKey]trustmodel.Sums{}
	for i := range fold.Stats {
		row := &fold.Stats[i]
		stored[statKey{row.Actor, row.Index, row.Family}] = row.Sums
	}
	for key, sums := range r.stats.sums {
		if stored[key] != sums {
			out = append(out, fmt.Sprintf("stored statistics %+v of %s in bin %d, from raw evidence %+v", stored[key], key.actor, key.bin, sums))
		}
		delete(stored, key)
	}
	for key, sums := range stored {
		if !sums.IsZero() {
			out = append(out, fmt.Sprintf("stored statistics %+v of %s in bin %d, of which the raw evidence knows nothing", sums, key.actor, key.bin))
		}
	}
	return out
}

// explain says what the statistics add up to.
func (s *statistics) explain(shown int) trustmodel.Explanation {
	agents, roots := map[trustmodel.PartyKey]map[uuid.UUID]bool{}, map[trustmodel.PartyKey]map[uuid.UUID]bool{}
	for key := range s.sums {
		member := s.members[key.actor]
		party := trustmodel.PartyKey(s.tracks.party(member.Root))
		if agents[party] == nil {
			agents[party], roots[party] = map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
		}
		agents[party][key.actor], roots[party][member.Root] = true, true
	}
	carry, flags := inherited(s.model, s.id, s.fold)
	in := trustmodel.Explained{Kind: s.kind, AsOfBin: s.asOf, Carry: carry, Flags: flags, Shown: shown}
	for key, party := range s.parties {
		in.Parties = append(in.Parties, trustmodel.ExplainedParty{
			Party: *party, Agents: len(agents[party.Key]), Controllers: len(roots[party.Key]), Credits: s.tracks.track(key).Credits,
		})
	}
	return s.model.Explain(in)
}

// startOf is the first moment of a bin.
func startOf(bin int32) time.Time {
	return time.Unix(int64(bin)*trustmodel.BinDays*24*60*60, 0)
}

package jobs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// statKey names one row of statistics within one target and model.
type statKey struct {
	actor uuid.UUID
	bin   int32
}

// compute folds a target's new evidence under one model version. It is a pure function of what was read.
func compute(model *trustmodel.Model, state store.FoldState, fold *store.Fold) store.Computed {
	stats := map[statKey]trustmodel.Sums{}
	for _, row := range fold.Stats {
		if row.Model == state.Model {
			stats[statKey{row.Actor, row.Index}] = row.Sums
		}
	}
	applied := state.Applied
	var changed []statKey
	counts := map[string]int64{}
	maps.Copy(counts, fold.Published[state.Model].Counts)
	for i := range fold.Rows {
		row := &fold.Rows[i]
		if row.Seq <= state.Applied {
			continue
		}
		applied = row.Seq
		count(counts, row)
		if row.Kind == store.EvidenceRating {
			continue
		}
		key := statKey{row.Actor, trustmodel.BinOf(row.RecordedAt)}
		contribution := model.Sums(row.Record)
		if row.Retraction {
			stats[key] = stats[key].Minus(contribution)
		} else {
			stats[key] = stats[key].Plus(contribution)
		}
		changed = append(changed, key)
	}
	asOf := trustmodel.BinOf(fold.Now)
	out := store.Computed{
		Model: state.Model, Target: fold.Target, Applied: applied, AsOfBin: asOf,
		Stats: changedRows(state.Model, changed, stats), Counts: counts,
		Snapshot: model.Compute(trustmodel.Input{
			Kind: TargetKind(fold.Target.Kind), AsOfBin: asOf, Parties: parties(model, fold, stats),
		}),
	}
	out.Transition = transition(fold, state.Model, out.Snapshot)
	return out
}

// count enters one row into the counts of active records.
func count(counts map[string]int64, row *store.FoldRow) {
	key := store.CountKey(row.Kind, row.Value)
	if !row.Retraction {
		counts[key]++
		return
	}
	counts[key]--
	if counts[key] == 0 {
		delete(counts, key)
	}
	if row.Kind != store.EvidenceAssertion {
		counts[store.RetractedKey]++
	}
}

// changedRows are the statistics to store, in the order of their keys so that equal work locks alike.
func changedRows(model int16, changed []statKey, stats map[statKey]trustmodel.Sums) []store.StatRow {
	slices.SortFunc(changed, func(a, b statKey) int {
		if order := slices.Compare(a.actor[:], b.actor[:]); order != 0 {
			return order
		}
		return int(a.bin) - int(b.bin)
	})
	changed = slices.Compact(changed)
	rows := make([]store.StatRow, len(changed))
	for i, key := range changed {
		rows[i] = store.StatRow{Model: model, Actor: key.actor, Bin: trustmodel.Bin{Index: key.bin, Sums: stats[key]}}
	}
	return rows
}

// parties groups the statistics by party: many actors of one root controller are one party.
func parties(model *trustmodel.Model, fold *store.Fold, stats map[statKey]trustmodel.Sums) []trustmodel.Party {
	members := make(map[uuid.UUID]store.PartyRow, len(fold.Parties))
	for _, row := range fold.Parties {
		members[row.Actor] = row
	}
	index := map[uuid.UUID]int{}
	var out []trustmodel.Party
	for key, sums := range stats {
		member, known := members[key.actor]
		if !known {
			// The foreign key of statistics makes this impossible; counting such a row alone keeps it visible.
			member = store.PartyRow{Actor: key.actor, Root: key.actor}
		}
		at, seen := index[member.Root]
		if !seen {
			at = len(out)
			index[member.Root] = at
			out = append(out, trustmodel.Party{
				Key:     trustmodel.PartyKey(member.Root),
				Weights: model.IdentityWeights(member.Identity),
				Author:  fold.Author != uuid.Nil && member.Root == fold.Author,
				Stater:  slices.Contains(fold.Staters, member.Root),
			})
		}
		out[at].Bins = append(out[at].Bins, trustmodel.Bin{Index: key.bin, Sums: sums})
	}
	return out
}

// TargetKind says which half-lives and status rules apply to a target.
func TargetKind(kind store.Kind) trustmodel.TargetKind {
	switch kind {
	case store.KindClaim:
		return trustmodel.KindClaim
	case store.KindEntity:
		return trustmodel.KindEntity
	default:
		return trustmodel.KindContent
	}
}

// transition is the change of status that a snapshot brings, nil when there is none. A target starts unverified.
func transition(fold *store.Fold, model int16, snapshot trustmodel.Snapshot) *store.Transition {
	published := fold.Published[model]
	from := published.Status
	if from == "" {
		from = trustmodel.Unverified.String()
	}
	to := snapshot.RawStatus.String()
	if from == to {
		return nil
	}
	return &store.Transition{
		No: published.Transitions + 1, From: from, To: to,
		Reason: fmt.Sprintf("value %.3f in [%.3f, %.3f]; %d confirmations, %d contradictions, %d in real use",
			snapshot.Value, snapshot.Lower, snapshot.Upper,
			snapshot.Confirmations, snapshot.Contradictions, snapshot.RealWorldConfirmations),
	}
}

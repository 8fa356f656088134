package jobs

import (
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

// statistics are the sufficient statistics of one target under one model version, while new evidence is folded in.
type statistics struct {
	model   *trustmodel.Model
	id      int16
	sums    map[statKey]trustmodel.Sums
	members map[uuid.UUID]store.Member
	changed []statKey
}

func newStatistics(model *trustmodel.Model, id int16, fold *store.Fold) *statistics {
	s := &statistics{
		model: model, id: id,
		sums: make(map[statKey]trustmodel.Sums, len(fold.Stats)), members: make(map[uuid.UUID]store.Member, len(fold.Stats)),
	}
	for i := range fold.Stats {
		if row := &fold.Stats[i]; row.Model == id {
			s.sums[statKey{row.Actor, row.Index}] = row.Sums
			s.members[row.Actor] = row.Member
		}
	}
	return s
}

// fold adds one row's contribution, or takes it away for a retraction.
func (s *statistics) fold(row *store.FoldRow) {
	key := statKey{row.Actor, trustmodel.BinOf(row.RecordedAt)}
	contribution := s.model.Sums(row.Record)
	if row.Retraction {
		s.sums[key] = s.sums[key].Minus(contribution)
	} else {
		s.sums[key] = s.sums[key].Plus(contribution)
	}
	s.members[row.Actor] = row.Member
	s.changed = append(s.changed, key)
}

// changedRows are the statistics to store, each once, in the order of their keys.
func (s *statistics) changedRows() []store.StatRow {
	slices.SortFunc(s.changed, func(a, b statKey) int {
		if order := slices.Compare(a.actor[:], b.actor[:]); order != 0 {
			return order
		}
		return int(a.bin) - int(b.bin)
	})
	s.changed = slices.Compact(s.changed)
	rows := make([]store.StatRow, len(s.changed))
	for i, key := range s.changed {
		rows[i] = store.StatRow{
			Model: s.id, Member: s.members[key.actor], Bin: trustmodel.Bin{Index: key.bin, Sums: s.sums[key]},
		}
	}
	return rows
}

// parties groups the statistics by root controller: many actors of one are one party. An actor's two members, of
// old statistics and of new evidence, were read in one transaction but not at one moment: the later one counts.
func (s *statistics) parties(fold *store.Fold) []trustmodel.Party {
	index := make(map[uuid.UUID]int, len(s.members))
	out := make([]trustmodel.Party, 0, len(s.members))
	for key, sums := range s.sums {
		member := s.members[key.actor]
		at, seen := index[member.Root]
		if !seen {
			at = len(out)
			index[member.Root] = at
			out = append(out, trustmodel.Party{
				Key:     trustmodel.PartyKey(member.Root),
				Weights: s.model.IdentityWeights(member.Identity),
				Author:  fold.Author != uuid.Nil && member.Root == fold.Author,
				Stater:  slices.Contains(fold.Staters, member.Root),
			})
		}
		out[at].Bins = append(out[at].Bins, trustmodel.Bin{Index: key.bin, Sums: sums})
	}
	return out
}

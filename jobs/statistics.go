package jobs

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// statKey names one row of statistics within one target and model.
type statKey struct {
	actor  uuid.UUID
	bin    int32
	family string
}

// statistics are the sufficient statistics of one target under one model version, and what its parties add up to,
// while new evidence is folded in record by record.
type statistics struct {
	model   *trustmodel.Model
	id      int16
	kind    trustmodel.TargetKind
	asOf    int32
	fold    *store.Fold
	tracks  *trackSet
	sums    map[statKey]trustmodel.Sums
	members map[uuid.UUID]store.Member
	parties map[uuid.UUID]*trustmodel.Party
	tally   trustmodel.Tally
	others  int // rows of statistics that running sums stand for; 0 if all were read
	changed []statKey
}

func newStatistics(model *trustmodel.Model, id int16, fold *store.Fold, tracks *trackSet) *statistics {
	s := &statistics{
		model: model, id: id, kind: TargetKind(fold.Target.Kind), asOf: trustmodel.BinOf(fold.Now), fold: fold, tracks: tracks,
		sums: make(map[statKey]trustmodel.Sums, len(fold.Stats)), members: make(map[uuid.UUID]store.Member, len(fold.Stats)),
		parties: make(map[uuid.UUID]*trustmodel.Party, len(fold.Stats)),
	}
	for i := range fold.Stats {
		if row := &fold.Stats[i]; row.Model == id {
			s.sums[statKey{row.Actor, row.Index, row.Family}] = row.Sums
			s.members[row.Actor] = row.Member
		}
	}
	// An actor's two members, of old statistics and of new evidence, were read in one transaction but not at one
	// moment: the later one counts, for all of the actor's records.
	for i := range fold.Rows {
		s.members[fold.Rows[i].Actor] = fold.Rows[i].Member
	}
	for key, sums := range s.sums {
		addToBin(s.partyOf(key.actor), key, sums)
	}
	if running := fold.Running[id]; running != nil {
		// Whoever was read is in it already; who was not has no statistics yet, and adds nothing.
		s.tally, s.others = running.Tally, running.Rows
		return s
	}
	for _, party := range s.parties {
		s.model.Add(&s.tally, s.kind, s.asOf, party)
	}
	return s
}

// running is what to keep of the sums, nil where so few statistics are soon added up anew.
func (s *statistics) running(from int) *store.Running {
	if n := max(len(s.sums), s.others); n >= from {
		return &store.Running{Tally: s.tally, Rows: n}
	}
	return nil
}

// partyOf is the party of an actor: many actors of one root controller, and roots that act in lockstep, are one.
func (s *statistics) partyOf(actor uuid.UUID) *trustmodel.Party {
	member := s.members[actor]
	key := s.tracks.party(member.Root)
	party := s.parties[key]
	if party == nil {
		party = &trustmodel.Party{
			Key:     trustmodel.PartyKey(key),
			Weights: s.tracks.weights(member.Root, member.Identity),
			Author:  s.fold.Author != uuid.Nil && key == s.tracks.party(s.fold.Author),
		}
		s.parties[key] = party
		return party
	}
	if own := s.tracks.weights(member.Root, member.Identity); own.Identity > party.Weights.Identity {
		party.Weights = own
	}
	return party
}

// foldRow adds one row's contribution, or takes it away for a retraction.
func (s *statistics) foldRow(row *store.FoldRow) {
	key := statKey{row.Actor, trustmodel.BinOf(row.RecordedAt), row.Family}
	contribution := s.model.Sums(row.Record)
	if row.Retraction {
		contribution = trustmodel.Sums{}.Minus(contribution)
	}
	s.sums[key] = s.sums[key].Plus(contribution)
	// Whoever speaks for the first time may change the weights of its party, so the party goes before it is looked up.
	if before := s.parties[s.tracks.party(s.members[row.Actor].Root)]; before != nil {
		s.model.Remove(&s.tally, s.kind, s.asOf, before)
	}
	party := s.partyOf(row.Actor)
	addToBin(party, key, contribution)
	s.model.Add(&s.tally, s.kind, s.asOf, party)
	s.changed = append(s.changed, key)
}

// addToBin adds sums to a party's bin; the bins of all its actors are one.
func addToBin(party *trustmodel.Party, key statKey, sums trustmodel.Sums) {
	for i := range party.Bins {
		if b := &party.Bins[i]; b.Index == key.bin && b.Family == key.family {
			b.Sums = b.Sums.Plus(sums)
			return
		}
	}
	party.Bins = append(party.Bins, trustmodel.Bin{Index: key.bin, Family: key.family, Sums: sums})
}

// snapshot evaluates what the parties add up to now.
func (s *statistics) snapshot(carry trustmodel.Carry, flags trustmodel.Flags) trustmodel.Snapshot {
	return s.model.Evaluate(s.kind, &s.tally, carry, flags)
}

// changedRows are the statistics to store, each once, in the order of their keys.
func (s *statistics) changedRows() []store.StatRow {
	slices.SortFunc(s.changed, func(a, b statKey) int {
		return cmp.Or(slices.Compare(a.actor[:], b.actor[:]), cmp.Compare(a.bin, b.bin), cmp.Compare(a.family, b.family))
	})
	s.changed = slices.Compact(s.changed)
	rows := make([]store.StatRow, len(s.changed))
	for i, key := range s.changed {
		rows[i] = store.StatRow{
			Model: s.id, Member: s.members[key.actor],
			Bin: trustmodel.Bin{Index: key.bin, Family: key.family, Sums: s.sums[key]},
		}
	}
	return rows
}

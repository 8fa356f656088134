package jobs

import (
	"slices"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// census is what one epoch gathers: the parties and their records. Its memory goes with parties, actors, and pairs of
// judge and author, never with targets.
type census struct {
	model    *trustmodel.Model
	asOf     int32
	before   *trackSet
	roots    map[uuid.UUID]bool // those with any opinion: whether they are verified
	together *trustmodel.Independence
	epoch    *trustmodel.Epoch
	// groups tells the party of a root that is merged with others.
	groups map[uuid.UUID]uuid.UUID

	targets, opinions, merged int64
}

func newCensus(model *trustmodel.Model, epoch, asOf int32, rows []store.PartyTrack) *census {
	return &census{
		model: model, asOf: asOf, before: newTrackSet(model, epoch, rows), roots: map[uuid.UUID]bool{},
		together: model.NewIndependence(), epoch: model.NewEpoch(asOf), groups: map[uuid.UUID]uuid.UUID{},
	}
}

// meet notes who supports a target. Roots are looked at each for itself: whether they are one party is the question.
func (c *census) meet(target *store.EpochTarget) {
	c.targets++
	byRoot := map[uuid.UUID]*trustmodel.Party{}
	for i := range target.Stats {
		row := &target.Stats[i]
		party := byRoot[row.Root]
		if party == nil {
			party = &trustmodel.Party{
				Author: target.AuthorRoot == row.Root && row.Root != uuid.Nil,
			}
			byRoot[row.Root] = party
			c.roots[row.Root] = row.Identity.Domain || row.Identity.Vouched
		}
		party.Bins = append(party.Bins, row.Bin)
	}
	c.opinions += int64(len(byRoot))
	supporters := make([]trustmodel.Supporter, 0, len(byRoot))
	for root, party := range byRoot {
		if c.model.Supports(party, TargetKind(target.ID.Kind), c.asOf) {
			supporters = append(supporters, trustmodel.Supporter{Key: trustmodel.PartyKey(root), Verified: c.roots[root]})
		}
	}
	c.together.Add(supporters)
}

// merge fixes who counts as one party in this epoch.
func (c *census) merge() {
	for _, g := range c.together.Groups() {
		for _, member := range g.Members {
			c.groups[uuid.UUID(member)] = uuid.UUID(g.Representative)
		}
		c.merged += int64(len(g.Members) - 1)
	}
}

func (c *census) party(root uuid.UUID) uuid.UUID {
	if party, ok := c.groups[root]; ok {
		return party
	}
	return root
}

// judge lets everybody's opinion of a target be judged by that of all others. Weights and tracks are those of the epoch
// before; a party that is new has the one of the root that it is named after.
func (c *census) judge(target *store.EpochTarget) {
	in := trustmodel.EpochTarget{
		Kind: TargetKind(target.ID.Kind), Value: target.Value, AuthorActor: trustmodel.PartyKey(target.Author),
	}
	if target.AuthorRoot != uuid.Nil {
		in.Author = trustmodel.PartyKey(c.party(target.AuthorRoot))
	}
	parties := map[uuid.UUID]int{}
	actors := map[uuid.UUID]int{}
	for i := range target.Stats {
		row := &target.Stats[i]
		key := c.party(row.Root)
		at, seen := parties[key]
		if !seen {
			at = len(in.Parties)
			parties[key] = at
			in.Parties = append(in.Parties, c.newParty(key, target))
		}
		p := &in.Parties[at]
		if w := c.model.Weights(c.model.Distinctness(row.Identity), p.Track); w.Identity > p.Weights.Identity {
			p.Weights = w
		}
		no, seen := actors[row.Actor]
		if !seen {
			no = len(p.Actors)
			actors[row.Actor] = no
			p.Actors = append(p.Actors, trustmodel.EpochActor{Key: trustmodel.PartyKey(row.Actor)})
		}
		p.Actors[no].Bins = append(p.Actors[no].Bins, row.Bin)
	}
	c.epoch.Add(&in)
}

func (c *census) newParty(key uuid.UUID, target *store.EpochTarget) trustmodel.EpochParty {
	return trustmodel.EpochParty{
		Key: trustmodel.PartyKey(key), Track: c.before.track(key),
		Author: target.AuthorRoot != uuid.Nil && c.party(target.AuthorRoot) == key,
	}
}

// changed are the tracks of roots that are not what the epoch before says, in the order of their IDs.
func (c *census) changed() []store.PartyTrack {
	tracks := map[uuid.UUID]trustmodel.Track{}
	for _, t := range c.epoch.Tracks() {
		tracks[uuid.UUID(t.Key)] = t.Track
	}
	roots := map[uuid.UUID]bool{}
	for root := range tracks {
		roots[root] = true
	}
	for root := range c.groups {
		roots[root] = true
	}
	for root := range c.before.byRoot {
		roots[root] = true
	}
	var out []store.PartyTrack
	for root := range roots {
		now := store.PartyTrack{Root: root, Party: c.party(root), Track: c.model.PriorTrack()}
		if track, ok := tracks[now.Party]; ok {
			now.Track = track
		}
		before, ok := c.before.byRoot[root]
		if !ok {
			before = c.unknown(root)
		}
		if before != now {
			out = append(out, now)
		}
	}
	slices.SortFunc(out, func(a, b store.PartyTrack) int { return slices.Compare(a.Root[:], b.Root[:]) })
	return out
}

// unknown is what a root counts as of which no epoch says anything.
func (c *census) unknown(root uuid.UUID) store.PartyTrack {
	return store.PartyTrack{Root: root, Party: root, Track: c.model.PriorTrack()}
}

func (c *census) reputations(agents []store.Controlled) []store.Reputation {
	controllers := make(map[trustmodel.PartyKey]trustmodel.PartyKey, len(agents))
	for _, a := range agents {
		controllers[trustmodel.PartyKey(a.Actor)] = trustmodel.PartyKey(a.Controller)
	}
	known := c.epoch.Reputations(controllers)
	out := make([]store.Reputation, len(known))
	for i, r := range known {
		out[i] = store.Reputation{
			Actor: uuid.UUID(r.Key), Value: r.Value, Right: r.Right, Wrong: r.Wrong,
			AuthoredPlus: r.AuthoredPlus, AuthoredMinus: r.AuthoredMinus,
		}
	}
	return out
}

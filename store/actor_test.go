package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/store"
)

// maxDepth is how many controllers a chain may have (the schema's bound).
const maxDepth = 8

// chains is the reference of controller chains: what each actor's controller is, and what the rules allow.
type chains struct {
	db     *store.Store
	actors []store.ID
	above  map[store.ID]store.ID // the zero ID for actors that answer for themselves
}

func (c *chains) root(id store.ID) (root store.ID, depth int) {
	for ; !c.above[id].IsZero(); depth++ {
		id = c.above[id]
	}
	return id, depth
}

// height is the number of levels below an actor.
func (c *chains) height(id store.ID) int {
	most := 0
	for child, parent := range c.above {
		if parent == id {
			most = max(most, c.height(child)+1)
		}
	}
	return most
}

// allows says whether the rules let an actor be put under a controller.
func (c *chains) allows(actor, controller store.ID, height int) bool {
	if controller.IsZero() {
		return actor.Kind != store.KindAgent
	}
	if controller.Kind == store.KindAgent || actor.Kind != store.KindAgent && controller.Kind != store.KindOrg {
		return false
	}
	for up := controller; !up.IsZero(); up = c.above[up] {
		if up == actor {
			return false
		}
	}
	_, depth := c.root(controller)
	return depth+1+height <= maxDepth
}

func (c *chains) draw(t *rapid.T, label string) store.ID {
	if len(c.actors) == 0 || rapid.IntRange(0, 6).Draw(t, label+" none") == 0 {
		return store.ID{}
	}
	// The newest ones make long chains.
	return c.actors[len(c.actors)-1-rapid.IntRange(0, min(len(c.actors), 12)-1).Draw(t, label)]
}

func (c *chains) create(t *rapid.T) {
	kind := rapid.SampledFrom([]store.Kind{store.KindOrg, store.KindOrg, store.KindUser, store.KindAgent}).Draw(t, "kind")
	controller := c.draw(t, "controller")
	made, err := c.db.CreateActor(context.Background(), store.NewActor{Kind: kind, Name: name(), Controller: controller})
	if !c.allows(store.ID{Kind: kind}, controller, 0) {
		require.ErrorIs(t, err, store.ErrControllerRule)
		return
	}
	require.NoError(t, err)
	c.actors = append(c.actors, made.ID)
	c.above[made.ID] = controller
}

func (c *chains) move(t *rapid.T) {
	actor, controller := c.draw(t, "actor"), c.draw(t, "controller")
	if actor.IsZero() {
		t.Skip("nobody to move")
	}
	err := c.db.SetController(context.Background(), actor, controller, alone)
	if !c.allows(actor, controller, c.height(actor)) {
		require.ErrorIs(t, err, store.ErrControllerRule, "%s under %s", actor, controller)
		return
	}
	require.NoError(t, err)
	c.above[actor] = controller
}

// moveAtOnce moves several actors in transactions that run side by side, and takes over whatever came of it.
func (c *chains) moveAtOnce(t *rapid.T) {
	if len(c.actors) < 2 {
		t.Skip("nobody to move")
	}
	var all sync.WaitGroup
	errs := make([]error, rapid.IntRange(2, 5).Draw(t, "moves"))
	for i := range errs {
		actor, controller := c.draw(t, "actor"), c.draw(t, "controller")
		if actor.IsZero() {
			continue
		}
		all.Go(func() { errs[i] = c.db.SetController(context.Background(), actor, controller, alone) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, store.ErrControllerRule, "changes at once wait for each other")
		}
	}
	for _, row := range c.rows(t) {
		c.above[row.id()] = row.controller()
	}
}

type chainRow struct {
	ID, RootControllerID uuid.UUID
	Kind                 store.Kind
	ControllerID         *uuid.UUID
	ControllerKind       *store.Kind
	ControllerDepth      int
}

func (r chainRow) id() store.ID { return store.ID{Kind: r.Kind, UUID: r.ID} }

func (r chainRow) controller() store.ID {
	if r.ControllerID == nil {
		return store.ID{}
	}
	return store.ID{Kind: *r.ControllerKind, UUID: *r.ControllerID}
}

func (c *chains) uuids() []uuid.UUID {
	out := make([]uuid.UUID, len(c.actors))
	for i, id := range c.actors {
		out[i] = id.UUID
	}
	return out
}

func (c *chains) rows(t require.TestingT) []chainRow {
	rows, err := c.db.Pool().Query(context.Background(), `
		select a.id, a.root_controller_id, a.kind, a.controller_id, p.kind as controller_kind, a.controller_depth
		from actors a left join actors p on p.id = a.controller_id where a.id = any ($1)`, c.uuids())
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[chainRow])
	require.NoError(t, err)
	return found
}

// check holds the table against the reference: every root and depth is recomputed from the controllers alone.
func (c *chains) check(t *rapid.T) {
	for _, row := range c.rows(t) {
		id := row.id()
		require.Equal(t, c.above[id], row.controller())
		seen := map[store.ID]bool{}
		for up := id; !up.IsZero(); up = c.above[up] {
			require.False(t, seen[up], "a cycle at %s", up)
			seen[up] = true
		}
		root, depth := c.root(id)
		require.Equal(t, root.UUID, row.RootControllerID)
		require.Equal(t, depth, row.ControllerDepth)
		require.LessOrEqual(t, depth, maxDepth)
	}
}

// checkHistory requires that the periods of each actor follow one another without gap or overlap up to now.
func (c *chains) checkHistory(t require.TestingT) {
	rows, err := c.db.Pool().Query(context.Background(), `
		select h.actor_id, h.valid_from, h.valid_to, h.controller_id is not distinct from a.controller_id
		         and h.root_controller_id = a.root_controller_id as is_now
		from controller_history h join actors a on a.id = h.actor_id
		where h.actor_id = any ($1)
		order by h.actor_id, h.valid_from`, c.uuids())
	require.NoError(t, err)
	defer rows.Close()
	open := map[uuid.UUID]bool{}
	ended := map[uuid.UUID]*time.Time{}
	for rows.Next() {
		var actor uuid.UUID
		var from time.Time
		var to *time.Time
		var isNow bool
		require.NoError(t, rows.Scan(&actor, &from, &to, &isNow))
		require.False(t, open[actor], "a period behind the open one")
		if before, ok := ended[actor]; ok {
			require.True(t, before.Equal(from), "a gap or an overlap: %s, then %s", before, from)
		}
		if ended[actor] = to; to == nil {
			open[actor] = true
			require.True(t, isNow, "the open period is what is now")
		} else {
			require.True(t, to.After(from), "a period without length")
		}
	}
	require.NoError(t, rows.Err())
	require.Len(t, open, len(c.actors))
}

func TestControllerChainsKeepTheirRules(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		c := &chains{db: db, above: map[store.ID]store.ID{}}
		t.Repeat(map[string]func(*rapid.T){
			"create": c.create, "create another": c.create, "create one more": c.create, "move": c.move, "move at once": c.moveAtOnce, "": c.check,
		})
		c.checkHistory(t)
	})
}

func TestAChainIsAtMostEightControllersLong(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	chain := []store.ID{actor(t, db, store.KindOrg, store.ID{})}
	for range maxDepth - 1 {
		chain = append(chain, actor(t, db, store.KindOrg, chain[len(chain)-1]))
	}
	last := actor(t, db, store.KindAgent, chain[maxDepth-1])
	_, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindOrg, Name: name(), Controller: chain[maxDepth-1]})
	require.NoError(t, err)
	above := actor(t, db, store.KindOrg, store.ID{})
	require.ErrorIs(t, db.SetController(t.Context(), chain[0], above, alone), store.ErrControllerRule, "the agent would be ninth")
	require.ErrorIs(t, db.SetController(t.Context(), chain[0], chain[3], alone), store.ErrControllerRule, "a cycle")
	require.ErrorIs(t, db.SetController(t.Context(), chain[0], chain[0], alone), store.ErrControllerRule, "its own controller")
	require.NoError(t, db.SetController(t.Context(), chain[1], store.ID{}, alone))
	require.NoError(t, db.SetController(t.Context(), chain[0], above, alone))
	got, err := db.Actor(t.Context(), last)
	require.NoError(t, err)
	require.Equal(t, chain[1], got.Root)
}

func TestAnActorOfTheSameNameUnderTheSameControllerExists(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	org := actor(t, db, store.KindOrg, store.ID{})
	made, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "Robin  Hood", Controller: org})
	require.NoError(t, err)
	_, err = db.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "robin hood", Controller: org})
	var exists *store.ExistsError
	require.ErrorAs(t, err, &exists)
	require.Equal(t, made.ID, exists.Existing)
	other := actor(t, db, store.KindOrg, store.ID{})
	twin, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "robin hood", Controller: other})
	require.NoError(t, err)
	err = db.SetController(t.Context(), twin.ID, org, alone)
	require.ErrorAs(t, err, &exists)
	require.Equal(t, made.ID, exists.Existing)
}

// alone moves nothing along with a controller.
func alone(*store.Tx) error { return nil }

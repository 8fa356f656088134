package store

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// UsedTarget is what an experience says was used, and the space it lives in.
type UsedTarget struct {
	// ID is a rev_, clm_ or ent_, or the zero ID for what does not exist or is not visible.
	ID      ID
	Space   ID
	Private bool
}

const resolveUsed = `
	select q.ord::int, ` + targetID + ` as target, u.id as space, coalesce(u.visibility = 'private', false)` + targetRows

// queueUsed adds the look-up of what was used to a pipeline, which fills what this answers, in order.
func queueUsed(p *pipeline, used []ID, viewer uuid.UUID) []UsedTarget {
	if len(used) == 0 {
		return nil
	}
	kinds, viewers := make([]string, len(used)), make([]uuid.UUID, len(used))
	for i, id := range used {
		kinds[i], viewers[i] = string(id.Kind), viewer
	}
	out := make([]UsedTarget, len(used))
	scan(p, func(row pgx.CollectableRow) error {
		var ord int
		var target uuid.UUID
		var space *uuid.UUID
		var private bool
		if err := row.Scan(&ord, &target, &space, &private); err != nil {
			return err
		}
		out[ord-1] = UsedTarget{ID: ID{Kind: resolvedKind(used[ord-1].Kind), UUID: target}, Space: idOf(KindSpace, space), Private: private}
		return nil
	}, resolveUsed, uuids(used), kinds, viewers)
	return out
}

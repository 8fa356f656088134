package bench

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/api/node"
	"interai/api/tools"
	"interai/store"
)

// populate makes parties with a key each, and targets.
func (s *server) populate(ctx context.Context, set settings) error {
	for i := range set.parties {
		bearer, err := newParty(ctx, s.db, i)
		if err != nil {
			return err
		}
		s.bearers = append(s.bearers, bearer)
	}
	author, err := s.db.CreateActor(ctx, store.NewActor{Kind: store.KindUser, Name: "bench author"})
	if err != nil {
		return err
	}
	s.targets, err = newTargets(ctx, s.db, author.ID.UUID, set.targets)
	return err
}

// newParty makes a human whom the operator vouches for, an agent of theirs, and the agent's key.
func newParty(ctx context.Context, db *store.Store, no int) (string, error) {
	human, err := db.CreateActor(ctx, store.NewActor{
		Kind: store.KindUser, Name: fmt.Sprintf("bench human %d", no), Verification: store.Verification{Vouched: true},
	})
	if err != nil {
		return "", err
	}
	agent, err := db.CreateActor(ctx, store.NewActor{
		Kind: store.KindAgent, Name: fmt.Sprintf("bench agent %d", no), Controller: human.ID,
	})
	if err != nil {
		return "", err
	}
	return node.IssueKey(ctx, db, agent.ID, "bench", tools.DefaultScopes(), nil)
}

// newTargets makes entities in bulk: by publish, one by one, they would take longer than what is measured.
func newTargets(ctx context.Context, db *store.Store, author uuid.UUID, n int) ([]string, error) {
	targets := make([]string, n)
	rows := make([][]any, n)
	for i := range targets {
		id, err := store.NewID(store.KindEntity)
		if err != nil {
			return nil, err
		}
		targets[i] = id.String()
		name := fmt.Sprintf("bench target %d", i)
		rows[i] = []any{id.UUID, "tool", name, store.NameKey(name), author}
	}
	if _, err := db.Pool().CopyFrom(ctx, pgx.Identifier{"entities"}, []string{"id", "type", "name", "name_key", "created_by"},
		pgx.CopyFromRows(rows)); err != nil {
		return nil, fmt.Errorf("make targets: %w", err)
	}
	// What a vacuum daemon would do soon: without statistics the first plans are made for empty tables.
	if _, err := db.Pool().Exec(ctx, "analyze"); err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	return targets, nil
}

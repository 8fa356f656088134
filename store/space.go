package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Space is a public or private room for content.
type Space struct {
	ID         ID
	Name       string
	Visibility string
	Owner      ID
	OwnerRoot  ID
	Members    int
	CreatedAt  time.Time
}

const insertSpace = `
	insert into spaces (id, name, name_key, visibility, owner_id) values ($1, $2, $3, $4, $5)
	on conflict on constraint spaces_natural_identity do nothing`

// CreateSpace makes a space whose owner is its first member. A space of that name is an *ExistsError.
func (s *Store) CreateSpace(ctx context.Context, name, visibility string, owner ID) (ID, error) {
	id, err := NewID(KindSpace)
	if err != nil {
		return ID{}, err
	}
	err = s.Write(ctx, func(tx *Tx) error {
		tag, err := tx.tx.Exec(ctx, insertSpace, id.UUID, name, NameKey(name), visibility, owner.UUID)
		if isForeignKey(err) {
			return fmt.Errorf("owner %s: %w", owner, ErrNotFound)
		}
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			existing := ID{Kind: KindSpace}
			if err := tx.tx.QueryRow(ctx, `select id from spaces where name_key = $1`, NameKey(name)).
				Scan(&existing.UUID); err != nil {
				return fmt.Errorf("look the existing space up: %w", err)
			}
			return &ExistsError{Existing: existing}
		}
		return tx.addMember(ctx, id, owner, "owner")
	})
	if err != nil {
		return ID{}, fmt.Errorf("create space: %w", err)
	}
	return id, nil
}

// AddMember lets an actor into a space, or changes its role there: reader, writer or owner.
func (s *Store) AddMember(ctx context.Context, space, actor ID, role string) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.addMember(ctx, space, actor, role) })
}

func (t *Tx) addMember(ctx context.Context, space, actor ID, role string) error {
	_, err := t.tx.Exec(ctx, `
		insert into space_members (space_id, actor_id, role) values ($1, $2, $3)
		on conflict (space_id, actor_id) do update set role = excluded.role`, space.UUID, actor.UUID, role)
	if isForeignKey(err) {
		return fmt.Errorf("space %s or actor %s: %w", space, actor, ErrNotFound)
	}
	if err != nil {
		return fmt.Errorf("add member: %w", err)
	}
	return nil
}

// RemoveMember takes an actor out of a space.
func (s *Store) RemoveMember(ctx context.Context, space, actor ID) error {
	return s.Write(ctx, func(tx *Tx) error {
		tag, err := tx.tx.Exec(ctx, `delete from space_members where space_id = $1 and actor_id = $2`,
			space.UUID, actor.UUID)
		if err == nil && tag.RowsAffected() == 0 {
			return fmt.Errorf("member %s of %s: %w", actor, space, ErrNotFound)
		}
		return err
	})
}

const selectSpaces = `
	select s.id, s.name, s.visibility, s.owner_id, a.kind as owner_kind, r.id as root_id, r.kind as root_kind, s.created_at,
	       (select count(*) from space_members m where m.space_id = s.id) as members
	from spaces s join actors a on a.id = s.owner_id join actors r on r.id = a.root_controller_id`

type spaceRow struct {
	ID         uuid.UUID
	Name       string
	Visibility string
	OwnerID    uuid.UUID
	OwnerKind  Kind
	RootID     uuid.UUID
	RootKind   Kind
	CreatedAt  time.Time
	Members    int
}

func (r spaceRow) space() Space {
	return Space{
		ID: ID{Kind: KindSpace, UUID: r.ID}, Name: r.Name, Visibility: r.Visibility,
		Owner: ID{Kind: r.OwnerKind, UUID: r.OwnerID}, OwnerRoot: ID{Kind: r.RootKind, UUID: r.RootID}, Members: r.Members, CreatedAt: r.CreatedAt,
	}
}

// Spaces lists all spaces by name, for operators.
func (s *Store) Spaces(ctx context.Context) ([]Space, error) {
	var spaces []Space
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, selectSpaces+` order by s.name_key`)
		if err != nil {
			return fmt.Errorf("list spaces: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[spaceRow])
		for _, row := range found {
			spaces = append(spaces, row.space())
		}
		return err
	})
	return spaces, err
}

// Space reads a space that the viewer may see.
func (v *Snapshot) Space(ctx context.Context, id, viewer ID) (Space, error) {
	rows, err := v.tx.Query(ctx, selectSpaces+` where s.id = $1 and space_visible(s.id, $2)`, id.UUID, viewer.UUID)
	if err != nil {
		return Space{}, fmt.Errorf("read space: %w", err)
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[spaceRow])
	if err != nil {
		return Space{}, fmt.Errorf("read space %s: %w", id, classify(err))
	}
	return row.space(), nil
}

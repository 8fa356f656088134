package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Verification says which identity signals of an actor were confirmed. It speaks of identity, never of correctness.
type Verification struct {
	Email   bool `json:"email"`
	Domain  bool `json:"domain"`
	Vouched bool `json:"vouched"`
}

// Actor is one identity.
type Actor struct {
	ID          ID
	DisplayName string
	// Controller is the zero ID for an actor that answers for itself.
	Controller ID
	// Root is the end of the controller chain: the party that limits and independence count.
	Root ID
	Verification
	// RootVerification is that of the party.
	RootVerification Verification
	Demo             bool
	DisabledAt       *time.Time
	CreatedAt        time.Time
}

// NewActor is what an actor is made of.
type NewActor struct {
	Kind       Kind
	Name       string
	Controller ID
	Verification
	Demo bool
	// PerDay bounds how many actors its party may make in a day; 0 does not, as for operators.
	PerDay int
}

// ErrControllerRule says that a controller is of the wrong kind, would close a cycle or makes the chain too long.
var ErrControllerRule = errors.New("the controller chain refuses this")

const actorColumns = `a.id, a.kind, a.display_name, a.controller_id, c.kind as controller_kind,
	a.root_controller_id, r.kind as root_kind, a.verified_email, a.verified_domain, a.vouched,
	r.verified_email as root_email, r.verified_domain as root_domain, r.vouched as root_vouched,
	a.demo, actor_disabled_at(a.id) as disabled_at, a.created_at`

const actorTables = `actors a
	left join actors c on c.id = a.controller_id
	join actors r on r.id = a.root_controller_id`

type actorRow struct {
	ID               uuid.UUID
	Kind             Kind
	DisplayName      string
	ControllerID     *uuid.UUID
	ControllerKind   *Kind
	RootControllerID uuid.UUID
	RootKind         Kind
	VerifiedEmail    bool
	VerifiedDomain   bool
	Vouched          bool
	RootEmail        bool
	RootDomain       bool
	RootVouched      bool
	Demo             bool
	DisabledAt       *time.Time
	CreatedAt        time.Time
}

func (r actorRow) actor() Actor {
	actor := Actor{
		ID:               ID{Kind: r.Kind, UUID: r.ID},
		DisplayName:      r.DisplayName,
		Root:             ID{Kind: r.RootKind, UUID: r.RootControllerID},
		Verification:     Verification{Email: r.VerifiedEmail, Domain: r.VerifiedDomain, Vouched: r.Vouched},
		RootVerification: Verification{Email: r.RootEmail, Domain: r.RootDomain, Vouched: r.RootVouched},
		Demo:             r.Demo,
		DisabledAt:       r.DisabledAt,
		CreatedAt:        r.CreatedAt,
	}
	if r.ControllerID != nil && r.ControllerKind != nil {
		actor.Controller = ID{Kind: *r.ControllerKind, UUID: *r.ControllerID}
	}
	return actor
}

// NameKey is the form in which names are compared: lower case, single spaces.
func NameKey(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

const insertActor = `
	insert into actors (id, kind, display_name, name_key, controller_id, root_controller_id,
	                    verified_email, verified_domain, vouched, demo)
	values ($1, $2, $3, $4, $5, $1, $6, $7, $8, $9)
	on conflict on constraint actors_natural_identity do nothing`

const findActorByIdentity = `
	select id from actors where kind = $1 and name_key = $2 and controller_id is not distinct from $3`

// CreateActor makes an actor. An actor of the same kind, name and controller is an *ExistsError.
func (s *Store) CreateActor(ctx context.Context, spec NewActor) (Actor, error) {
	id, err := NewID(spec.Kind)
	if err != nil {
		return Actor{}, err
	}
	err = s.Write(ctx, func(tx *Tx) error {
		tag, err := tx.tx.Exec(ctx, insertActor, id.UUID, spec.Kind, spec.Name, NameKey(spec.Name),
			nullable(spec.Controller), spec.Email, spec.Domain, spec.Vouched, spec.Demo)
		if err != nil {
			return controllerRule(err, spec.Controller)
		}
		if tag.RowsAffected() == 1 {
			return tx.takeActor(ctx, id, spec.PerDay)
		}
		existing := ID{Kind: spec.Kind}
		if err := tx.tx.QueryRow(ctx, findActorByIdentity, spec.Kind, NameKey(spec.Name), nullable(spec.Controller)).
			Scan(&existing.UUID); err != nil {
			return fmt.Errorf("look the existing actor up: %w", err)
		}
		return &ExistsError{Existing: existing}
	})
	if err != nil {
		return Actor{}, fmt.Errorf("create actor: %w", err)
	}
	return s.Actor(ctx, id)
}

// takeActor charges a new actor to its party, in the party's meter of new actors.
func (t *Tx) takeActor(ctx context.Context, id ID, perDay int) error {
	if perDay == 0 {
		return nil
	}
	var root uuid.UUID
	if err := t.tx.QueryRow(ctx, selectRoot, id.UUID, id.Kind).Scan(&root); err != nil {
		return fmt.Errorf("actor %s: %w", id, err)
	}
	return t.take(ctx, scopeActors, root, 1, perDay, DeniedActors)
}

const findNamesake = `
	select b.id from actors a join actors b on b.kind = a.kind and b.name_key = a.name_key
	where a.id = $1 and b.id <> a.id and b.controller_id is not distinct from $2`

// SetController moves an actor under another controller; the zero ID makes it answer for itself. An actor of the same
// kind and name there is an *ExistsError. What its history moves with is for then to enqueue, in the same transaction.
func (s *Store) SetController(ctx context.Context, actor, controller ID, then func(*Tx) error) error {
	err := s.setController(ctx, actor, controller, then)
	if !violates(err, "actors_natural_identity") {
		return err
	}
	namesake := ID{Kind: actor.Kind}
	if err := s.pool.QueryRow(ctx, findNamesake, actor.UUID, nullable(controller)).Scan(&namesake.UUID); err != nil {
		return fmt.Errorf("look the existing actor up: %w", classify(err))
	}
	return &ExistsError{Existing: namesake}
}

const selectRoot = `select root_controller_id from actors where id = $1 and kind = $2`

func (s *Store) setController(ctx context.Context, actor, controller ID, then func(*Tx) error) error {
	return s.Write(ctx, func(tx *Tx) error {
		var before, after uuid.UUID
		if err := tx.tx.QueryRow(ctx, selectRoot, actor.UUID, actor.Kind).Scan(&before); err != nil {
			return fmt.Errorf("actor %s: %w", actor, classify(err))
		}
		if _, err := tx.tx.Exec(ctx, `update actors set controller_id = $2 where id = $1`, actor.UUID, nullable(controller)); err != nil {
			return controllerRule(err, controller)
		}
		if err := tx.tx.QueryRow(ctx, selectRoot, actor.UUID, actor.Kind).Scan(&after); err != nil {
			return fmt.Errorf("actor %s: %w", actor, err)
		}
		if before != after {
			if _, err := tx.tx.Exec(ctx, mergeMeters, before, after); err != nil {
				return fmt.Errorf("carry limits over: %w", err)
			}
		}
		return then(tx)
	})
}

func controllerRule(err error, controller ID) error {
	if isForeignKey(err) {
		return fmt.Errorf("controller %s: %w", controller, ErrNotFound)
	}
	for _, name := range []string{
		"actors_no_controller_cycle", "actors_controller_kind", "actors_not_own_controller",
		"actors_agent_has_controller", "actors_controller_depth_check",
	} {
		if violates(err, name) {
			return fmt.Errorf("%w: %s", ErrControllerRule, ConstraintMessage(err))
		}
	}
	return err
}

// DisableActor switches an actor, and every key of it, off.
func (s *Store) DisableActor(ctx context.Context, actor ID) error {
	return s.Write(ctx, func(tx *Tx) error {
		tag, err := tx.tx.Exec(ctx,
			`update actors set disabled_at = coalesce(disabled_at, clock_timestamp()) where id = $1 and kind = $2`,
			actor.UUID, actor.Kind)
		if err == nil && tag.RowsAffected() == 0 {
			return fmt.Errorf("actor %s: %w", actor, ErrNotFound)
		}
		return err
	})
}

// Actor reads one actor.
func (s *Store) Actor(ctx context.Context, id ID) (Actor, error) {
	var actor Actor
	err := s.Read(ctx, func(v *Snapshot) (err error) {
		actor, err = v.Actor(ctx, id)
		return err
	})
	return actor, err
}

// Actor reads one actor on this snapshot.
func (v *Snapshot) Actor(ctx context.Context, id ID) (Actor, error) {
	actors, err := selectActors(ctx, v.tx, `a.id = $1 and a.kind = $2`, id.UUID, id.Kind)
	if err != nil {
		return Actor{}, err
	}
	if len(actors) == 0 {
		return Actor{}, fmt.Errorf("actor %s: %w", id, ErrNotFound)
	}
	return actors[0], nil
}

// Actors lists up to limit actors made after the given one, oldest first.
func (s *Store) Actors(ctx context.Context, after ID, limit int) ([]Actor, error) {
	var actors []Actor
	err := s.Read(ctx, func(v *Snapshot) (err error) {
		actors, err = selectActors(ctx, v.tx, `a.id > $1 order by a.id limit $2`, after.UUID, limit)
		return err
	})
	return actors, err
}

func selectActors(ctx context.Context, on querier, where string, args ...any) ([]Actor, error) {
	rows, err := on.Query(ctx, `select `+actorColumns+` from `+actorTables+` where `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read actors: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[actorRow])
	if err != nil {
		return nil, fmt.Errorf("read actors: %w", err)
	}
	actors := make([]Actor, len(found))
	for i, row := range found {
		actors[i] = row.actor()
	}
	return actors, nil
}

package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Kinds of proofs.
const (
	ProofEmail  = "email"
	ProofDomain = "domain"
)

// ErrProved says that a proof was used already; ErrExpired that it came too late.
var (
	ErrProved  = errors.New("the proof was used already")
	ErrExpired = errors.New("the proof has expired")
)

// Proof is a claim that an address or a domain is an actor's, until and after it is proved.
type Proof struct {
	ID        uuid.UUID
	Actor     ID
	Kind      string
	Subject   string
	ExpiresAt time.Time
	ProvedAt  *time.Time
}

// CreateProof stores a claim that is to be proved. Only humans and organisations prove: agents follow them.
func (s *Store) CreateProof(ctx context.Context, p Proof) error {
	tag, err := s.exec(ctx, `
		insert into proofs (id, actor_id, kind, subject, expires_at)
		select $1, a.id, $4, $5, $6 from actors a where a.id = $2 and a.kind = $3 and a.kind <> 'ai'`,
		p.ID, p.Actor.UUID, p.Actor.Kind, p.Kind, p.Subject, p.ExpiresAt)
	if err != nil {
		return fmt.Errorf("store a proof: %w", classify(err))
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("actor %s: %w", p.Actor, ErrNotFound)
	}
	return nil
}

const selectProof = `
	select p.id, p.actor_id, a.kind, p.kind, p.subject, p.expires_at, p.proved_at
	from proofs p join actors a on a.id = p.actor_id where p.id = $1`

func scanProof(row pgx.Row) (Proof, error) {
	var p Proof
	err := row.Scan(&p.ID, &p.Actor.UUID, &p.Actor.Kind, &p.Kind, &p.Subject, &p.ExpiresAt, &p.ProvedAt)
	if err != nil {
		return Proof{}, fmt.Errorf("read a proof: %w", classify(err))
	}
	return p, nil
}

// Proof reads a claim.
func (s *Store) Proof(ctx context.Context, id uuid.UUID) (Proof, error) {
	var p Proof
	err := s.on(ctx, func(conn *pgxpool.Conn) (err error) {
		p, err = scanProof(conn.QueryRow(ctx, selectProof, id))
		return err
	})
	return p, err
}

const proofHolder = `
	select a.id, a.kind from proofs p join actors a on a.id = p.actor_id
	where p.kind = $1 and p.subject = $2 and p.proved_at is not null
	  and a.root_controller_id <> (select root_controller_id from actors where id = $3) limit 1`

// Prove makes a claim true, once and in time, and marks its actor as verified. What another party has proved already is
// an *ExistsError: one address speaks for one party. What follows of it is for then to enqueue, in the same transaction.
func (s *Store) Prove(ctx context.Context, id uuid.UUID, then func(*Tx, Proof) error) error {
	return s.Write(ctx, func(tx *Tx) error {
		p, err := scanProof(tx.tx.QueryRow(ctx, selectProof+` for update of p`, id))
		if err != nil {
			return err
		}
		var late bool
		if err := tx.tx.QueryRow(ctx, `select $1::timestamptz <= clock_timestamp()`, p.ExpiresAt).Scan(&late); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		switch {
		case p.ProvedAt != nil:
			return ErrProved
		case late:
			return ErrExpired
		}
		if err := tx.alone(ctx, &p); err != nil {
			return err
		}
		if _, err := tx.tx.Exec(ctx, `update proofs set proved_at = clock_timestamp() where id = $1`, id); err != nil {
			return fmt.Errorf("keep a proof: %w", err)
		}
		if _, err := tx.tx.Exec(ctx, `
			update actors set verified_email = verified_email or $2 = 'email', verified_domain = verified_domain or $2 = 'domain'
			where id = $1`, p.Actor.UUID, p.Kind); err != nil {
			return fmt.Errorf("mark the actor: %w", err)
		}
		if err := tx.recordEvent(ctx, "verify "+p.Kind, p.Actor, map[string]string{"proof": id.String()}); err != nil {
			return err
		}
		return then(tx, p)
	})
}

func (t *Tx) alone(ctx context.Context, p *Proof) error {
	// The lock is taken by a statement of its own: the look behind it then sees what the last holder has committed.
	if _, err := t.tx.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 7306915206331990012))`, p.Kind, p.Subject); err != nil {
		return fmt.Errorf("take turns with other proofs: %w", err)
	}
	var other ID
	err := t.tx.QueryRow(ctx, proofHolder, p.Kind, p.Subject, p.Actor.UUID).Scan(&other.UUID, &other.Kind)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("look for other holders: %w", err)
	}
	return &ExistsError{Existing: other}
}

// Proved lists what an actor has proved, the newest first.
func (s *Store) Proved(ctx context.Context, actor ID) ([]Proof, error) {
	var out []Proof
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, `
			select p.id, p.actor_id, a.kind, p.kind, p.subject, p.expires_at, p.proved_at
			from proofs p join actors a on a.id = p.actor_id
			where p.actor_id = $1 and p.proved_at is not null order by p.proved_at desc limit 100`, actor.UUID)
		if err != nil {
			return fmt.Errorf("list proofs: %w", err)
		}
		out, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Proof, error) { return scanProof(row) })
		return err
	})
	return out, err
}

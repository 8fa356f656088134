package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// OIDCLink says which actor a subject of an identity provider is here, and the most that it may do.
type OIDCLink struct {
	Issuer, Subject string
	Actor           ID
	Scopes          []string
	CreatedAt       time.Time
}

// LinkOIDC ties a subject to an actor, or changes its scopes. A subject that is another actor's is an *ExistsError.
func (s *Store) LinkOIDC(ctx context.Context, link OIDCLink) error {
	err := s.Write(ctx, func(tx *Tx) error {
		var held ID
		err := tx.tx.QueryRow(ctx, `
			with linked as (
				insert into oidc_links as l (issuer, subject, actor_id, scopes)
				select $1, $2, a.id, $5 from actors a where a.id = $3 and a.kind = $4
				on conflict (issuer, subject) do update set scopes = case when l.actor_id = excluded.actor_id then excluded.scopes else l.scopes end
				returning actor_id)
			select a.id, a.kind from linked l join actors a on a.id = l.actor_id`,
			link.Issuer, link.Subject, link.Actor.UUID, link.Actor.Kind, link.Scopes).Scan(&held.UUID, &held.Kind)
		if err != nil {
			return fmt.Errorf("actor %s: %w", link.Actor, classify(err))
		}
		if held != link.Actor {
			return &ExistsError{Existing: held}
		}
		return tx.recordEvent(ctx, "oidc link", link.Actor, map[string]string{"issuer": link.Issuer})
	})
	if err != nil {
		return fmt.Errorf("link a subject: %w", err)
	}
	return nil
}

// UnlinkOIDC takes a link away.
func (s *Store) UnlinkOIDC(ctx context.Context, issuer, subject string) error {
	return s.Write(ctx, func(tx *Tx) error {
		var actor ID
		err := tx.tx.QueryRow(ctx, `
			delete from oidc_links l using actors a where l.issuer = $1 and l.subject = $2 and a.id = l.actor_id returning a.id, a.kind`,
			issuer, subject).Scan(&actor.UUID, &actor.Kind)
		if err != nil {
			return fmt.Errorf("unlink a subject: %w", classify(err))
		}
		return tx.recordEvent(ctx, "oidc unlink", actor, map[string]string{"issuer": issuer})
	})
}

// OIDCLinks lists the links of an actor, oldest first.
func (s *Store) OIDCLinks(ctx context.Context, actor ID) ([]OIDCLink, error) {
	var out []OIDCLink
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, `
			select issuer, subject, scopes, created_at from oidc_links where actor_id = $1 order by created_at, subject`, actor.UUID)
		if err != nil {
			return fmt.Errorf("list links: %w", err)
		}
		out, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (OIDCLink, error) {
			link := OIDCLink{Actor: actor}
			err := row.Scan(&link.Issuer, &link.Subject, &link.Scopes, &link.CreatedAt)
			return link, err
		})
		return err
	})
	return out, err
}

// OIDCActor reads the actor that a subject is, and the most that it may do; ErrNotFound when it is nobody here.
func (s *Store) OIDCActor(ctx context.Context, issuer, subject string) (Actor, []string, error) {
	var actor Actor
	var scopes []string
	err := s.Read(ctx, func(v *Snapshot) error {
		var id ID
		err := v.tx.QueryRow(ctx, `
			select a.id, a.kind, l.scopes from oidc_links l join actors a on a.id = l.actor_id where l.issuer = $1 and l.subject = $2`,
			issuer, subject).Scan(&id.UUID, &id.Kind, &scopes)
		if err != nil {
			return fmt.Errorf("look a subject up: %w", err)
		}
		actor, err = v.Actor(ctx, id)
		return err
	})
	return actor, scopes, err
}

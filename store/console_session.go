package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// ConsoleIdle is how long a session of the console lives without a request.
	ConsoleIdle = 30 * time.Minute
	// ConsoleMost is how long it lives with any number of requests.
	ConsoleMost = 12 * time.Hour
	// maxConsoleSessions is how many sessions a key has at once: another one ends its oldest.
	maxConsoleSessions = 10
)

// ConsoleSession is one session of the console. Hash is the SHA-256 of what the cookie holds, which is stored nowhere.
type ConsoleSession struct {
	Hash  [32]byte
	KeyID string
	Actor ID
	// CSRF is what every form of the session carries.
	CSRF              [32]byte
	CreatedAt, SeenAt time.Time
}

const (
	dropConsoleSessions = `
		delete from console_sessions
		where seen_at <= clock_timestamp() - $1::interval or created_at <= clock_timestamp() - $2::interval`
	dropOldestConsoleSessions = `
		delete from console_sessions where hash in (
			select hash from console_sessions where key_id = $1 order by created_at desc, hash offset $2)`
	insertConsoleSession = `insert into console_sessions (hash, key_id, actor_id, csrf) values ($1, $2, $3, $4)`
	// A look at a session keeps it alive, and finds it only while it lives.
	selectConsoleSession = `
		update console_sessions s set seen_at = clock_timestamp()
		from actors a
		where s.hash = $1 and a.id = s.actor_id
		  and s.seen_at > clock_timestamp() - $2::interval and s.created_at > clock_timestamp() - $3::interval
		returning s.key_id, a.kind, s.actor_id, s.csrf, s.created_at, s.seen_at`
)

// CreateConsoleSession stores a session, and clears those that have ended.
func (s *Store) CreateConsoleSession(ctx context.Context, session *ConsoleSession) error {
	err := s.Write(ctx, func(tx *Tx) error {
		var p pipeline
		p.exec(dropConsoleSessions, ConsoleIdle, ConsoleMost)
		p.exec(dropOldestConsoleSessions, session.KeyID, maxConsoleSessions-1)
		p.exec(insertConsoleSession, session.Hash[:], session.KeyID, session.Actor.UUID, session.CSRF[:])
		return p.send(ctx, tx.tx)
	})
	if err != nil {
		return fmt.Errorf("store a session: %w", err)
	}
	return nil
}

// ConsoleSession answers a living session and notes that it was seen; ErrNotFound for any other.
func (s *Store) ConsoleSession(ctx context.Context, hash [32]byte) (ConsoleSession, error) {
	session := ConsoleSession{Hash: hash}
	var csrf []byte
	err := s.on(ctx, func(conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, selectConsoleSession, hash[:], ConsoleIdle, ConsoleMost).
			Scan(&session.KeyID, &session.Actor.Kind, &session.Actor.UUID, &csrf, &session.CreatedAt, &session.SeenAt)
	})
	if err != nil {
		return ConsoleSession{}, fmt.Errorf("read a session: %w", classify(err))
	}
	session.CSRF = [32]byte(csrf)
	return session, nil
}

// EndConsoleSession ends a session; one that is gone stays gone.
func (s *Store) EndConsoleSession(ctx context.Context, hash [32]byte) error {
	if _, err := s.exec(ctx, `delete from console_sessions where hash = $1`, hash[:]); err != nil {
		return fmt.Errorf("end a session: %w", classify(err))
	}
	return nil
}

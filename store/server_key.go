package store

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Purposes of the keys that the server makes for itself.
const (
	// KeyMarks marks the values of findings, so that the same value is known again and nothing else is.
	KeyMarks = "finding_marks"
	// KeySessions signs what the console hands out.
	KeySessions = "console_sessions"
	// KeyLinks signs links of verification.
	KeyLinks = "signed_links"
)

// ServerKey answers the 32 bytes that all nodes of the database share for a purpose; the first who asks makes them.
func (s *Store) ServerKey(ctx context.Context, purpose string) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, fmt.Errorf("make a server key: %w", err)
	}
	var key []byte
	err := s.on(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, `insert into server_keys (purpose, key) values ($1, $2) on conflict do nothing`, purpose, fresh); err != nil {
			return err
		}
		return conn.QueryRow(ctx, `select key from server_keys where purpose = $1`, purpose).Scan(&key)
	})
	if err != nil {
		return nil, fmt.Errorf("read the server key %s: %w", purpose, err)
	}
	return key, nil
}

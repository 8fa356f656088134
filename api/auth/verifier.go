package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"interai/api/ops"
	"interai/store"
)

const (
	// verifiedTTL is how long a verified key is believed without a look at the database, and so the longest that a
	// revoked key can live on a node whose listener has just died unnoticed.
	verifiedTTL = 15 * time.Second
	// maxVerified bounds the cache; when it is full it is emptied.
	maxVerified = 50_000
	// touchEvery is how often uses of keys are recorded, all at once.
	touchEvery = time.Minute
	// listenPause is how long the listener waits after a broken connection.
	listenPause = time.Second
)

// Verifier answers who holds a key, from the database and a short cache of verified keys. The cache is emptied by
// the database's notification when a key or an actor is switched off, and is not used at all while no notification
// could arrive.
type Verifier struct {
	db  *store.Store
	log *slog.Logger
	now func() time.Time

	mu sync.Mutex
	// generation counts how often the cache was emptied: what was read before is not stored after.
	generation uint64
	listening  bool
	verified   map[string]verified
	used       map[string]store.KeyUse
}

type verified struct {
	hash    [HashSize]byte
	caller  *ops.Caller
	until   time.Time
	expires time.Time // zero: never
	from    []netip.Prefix
}

// NewVerifier makes a verifier; Run must be running for keys to be cached.
func NewVerifier(db *store.Store, log *slog.Logger) *Verifier {
	return &Verifier{db: db, log: log, now: time.Now, verified: map[string]verified{}, used: map[string]store.KeyUse{}}
}

// Verify answers the caller who holds the key: a Verify function.
func (v *Verifier) Verify(ctx context.Context, key Key) (*ops.Caller, error) {
	now := v.now()
	known, err := v.known(ctx, key.ID(), now)
	if err != nil {
		return nil, err
	}
	addr := addrFrom(ctx)
	if !key.Matches(known.hash[:]) || !known.serves(addr, now) {
		return nil, ErrUnauthenticated
	}
	v.touch(key.ID(), store.KeyUse{At: now, From: Network(addr)})
	return known.caller, nil
}

// Still answers the holder of a key by its public part alone, for who has shown the whole key before. It is as quick to
// hear of a revocation as Verify is.
func (v *Verifier) Still(ctx context.Context, keyID string) (*ops.Caller, error) {
	now := v.now()
	known, err := v.known(ctx, keyID, now)
	if err != nil {
		return nil, err
	}
	if !known.serves(addrFrom(ctx), now) {
		return nil, ErrUnauthenticated
	}
	return known.caller, nil
}

// known is what the cache or the database has of a key.
func (v *Verifier) known(ctx context.Context, id string, now time.Time) (verified, error) {
	known, generation := v.lookup(id, now)
	if known.caller != nil {
		return known, nil
	}
	known, err := v.read(ctx, id)
	if err != nil {
		return verified{}, err
	}
	v.keep(id, known, generation)
	return known, nil
}

// serves tells whether a key that matches may be used now from an address. One that is bound to networks may not be
// used from an address that nobody knows.
func (k *verified) serves(addr netip.Addr, now time.Time) bool {
	return k.caller != nil && (k.expires.IsZero() || now.Before(k.expires)) && (len(k.from) == 0 || within(k.from, addr))
}

func (v *Verifier) lookup(id string, now time.Time) (verified, uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	known := v.verified[id]
	if !v.listening || !now.Before(known.until) {
		known = verified{}
	}
	return known, v.generation
}

// read looks a key up. An unknown, revoked or expired one has no caller and a hash that nothing matches.
func (v *Verifier) read(ctx context.Context, id string) (verified, error) {
	found, err := v.db.Credential(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return verified{hash: [HashSize]byte(DummyHash())}, nil
	}
	if err != nil {
		return verified{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if found.Key.RevokedAt != nil {
		return verified{hash: [HashSize]byte(DummyHash())}, nil
	}
	known := verified{hash: found.Key.Hash, caller: CallerOf(found.Actor, found.Key.Scopes, id), until: v.now().Add(verifiedTTL), from: found.Key.AllowedFrom}
	if found.Key.ExpiresAt != nil {
		known.expires = *found.Key.ExpiresAt
	}
	return known, nil
}

// CallerOf is the caller that an actor is with some scopes; keyID is "" without a key.
func CallerOf(actor store.Actor, scopes []string, keyID string) *ops.Caller {
	return &ops.Caller{
		Actor: actor.ID.String(), Kind: string(actor.ID.Kind), Root: actor.Root.String(),
		Controller: actor.Controller.String(), DisplayName: actor.DisplayName, Scopes: scopes, KeyID: keyID,
	}
}

func (v *Verifier) keep(id string, known verified, generation uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known.caller == nil || !v.listening || generation != v.generation {
		return
	}
	if len(v.verified) >= maxVerified {
		clear(v.verified)
	}
	v.verified[id] = known
}

func (v *Verifier) touch(id string, use store.KeyUse) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.used) < maxVerified {
		v.used[id] = use
	}
}

// Run listens for changes of credentials and records uses until ctx ends.
func (v *Verifier) Run(ctx context.Context) {
	var wait sync.WaitGroup
	wait.Go(func() { v.listen(ctx) })
	wait.Go(func() { v.recordUses(ctx) })
	wait.Wait()
}

func (v *Verifier) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := v.db.ListenCredentials(ctx, func() { v.reset(true) })
		v.reset(false)
		if ctx.Err() != nil {
			return
		}
		v.log.WarnContext(ctx, "credential listener broke; keys are looked up each time until it is back", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(listenPause):
		}
	}
}

// reset empties the cache, and says whether it may be used from now on.
func (v *Verifier) reset(listening bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.generation++
	v.listening = listening
	clear(v.verified)
}

func (v *Verifier) recordUses(ctx context.Context) {
	ticker := time.NewTicker(touchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		v.mu.Lock()
		used := v.used
		v.used = map[string]store.KeyUse{}
		v.mu.Unlock()
		if len(used) == 0 {
			continue
		}
		if err := v.db.TouchKeys(ctx, used); err != nil {
			v.log.WarnContext(ctx, "uses of keys are not recorded", "keys", len(used), "error", err)
		}
	}
}

package demo

import (
	"context"
	"sync"
	"time"

	"interai/api/auth"
	"interai/store"
)

const (
	// keyName and keyLife are those of the keys that a run makes: they are of no use after it.
	keyName = "interai demo"
	keyLife = 24 * time.Hour
)

// keyScopes are the rights that playing needs.
func keyScopes() []string { return []string{"read", "publish", "usage", "review", "rate"} }

// recruit makes the actors that a data set uses, with a fresh key each, and answers the keys by actor.
func recruit(ctx context.Context, db *store.Store, d *dataset, used []bool) ([]string, error) {
	ids := make([]store.ID, len(d.actors))
	// Parties before their agents, who need the parties' IDs.
	for _, agents := range []bool{false, true} {
		var specs []store.NewActor
		var who []int
		for i, a := range d.actors {
			if !used[i] || (a.controller >= 0) != agents {
				continue
			}
			spec := store.NewActor{Kind: store.KindUser, Name: a.name, Demo: true}
			if agents {
				spec.Kind, spec.Controller = store.KindAgent, ids[a.controller]
			} else {
				spec.Vouched = true
			}
			specs, who = append(specs, spec), append(who, i)
		}
		made, err := db.EnsureDemoActors(ctx, specs)
		if err != nil {
			return nil, err
		}
		for at, i := range who {
			ids[i] = made[at]
		}
	}
	return issueKeys(ctx, db, ids)
}

func issueKeys(ctx context.Context, db *store.Store, ids []store.ID) ([]string, error) {
	secrets := make([]string, len(ids))
	keys := make([]store.Key, 0, len(ids))
	for i, id := range ids {
		if id.IsZero() {
			continue
		}
		key, err := auth.Generate()
		if err != nil {
			return nil, err
		}
		secrets[i] = key.Reveal()
		keys = append(keys, store.Key{ID: key.ID(), Hash: key.Hash(), Actor: id})
	}
	return secrets, db.IssueDemoKeys(ctx, keys, keyName, keyScopes(), time.Now().Add(keyLife))
}

// forEach runs work for 0 to n-1 on a number of workers. The first error ends all of it and is returned.
func forEach(ctx context.Context, workers, n int, work func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var running sync.WaitGroup
	for range min(workers, n) {
		running.Go(func() {
			for i := range next {
				if err := work(ctx, i); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
feed:
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	running.Wait()
	return context.Cause(ctx)
}

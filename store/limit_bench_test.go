package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/store"
)

// BenchmarkCharge measures charges by statements of one and of many writes, denials, and what a party that is flooded
// with denials takes from another one: beside/alone is the ratio of the other one's rates.
func BenchmarkCharge(b *testing.B) {
	conn := pgtest.NewMigrated(b, migrate)
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: 16})
	require.NoError(b, err)
	b.Cleanup(db.Close)
	free := store.WriteLimits{Root: store.MaxCapacity}
	root := func() store.PendingWrite {
		id := actor(b, db, store.KindUser, store.ID{})
		return pending(id, id)
	}
	for _, n := range []int{1, 16, 128} {
		writes := times(root(), n)
		b.Run("of "+map[int]string{1: "one", 16: "sixteen", 128: "128"}[n], func(b *testing.B) {
			for b.Loop() {
				charge(b, db, free, writes...)
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "writes/s")
		})
	}
	exhausted := root()
	one := store.WriteLimits{Root: 1}
	charge(b, db, one, exhausted)
	b.Run("denied", func(b *testing.B) {
		for b.Loop() {
			charge(b, db, one, exhausted)
		}
	})
	b.Run("beside a flood", func(b *testing.B) {
		quiet := root()
		rate := func() float64 {
			const n = 300
			start := time.Now()
			for range n {
				charge(b, db, free, quiet)
			}
			return n / time.Since(start).Seconds()
		}
		alone := rate()
		ctx, stop := context.WithCancel(context.Background())
		var flood sync.WaitGroup
		flood.Go(func() { // a node has one statement of charges at a time, whatever it is flooded with
			for ctx.Err() == nil {
				_, _ = db.Charge(context.Background(), one, times(exhausted, 128))
			}
		})
		for b.Loop() {
			b.ReportMetric(rate()/alone, "beside/alone")
		}
		stop()
		flood.Wait()
	})
}

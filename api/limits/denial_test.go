package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/store"
)

func someID(t *testing.T, kind store.Kind) store.ID {
	t.Helper()
	id, err := store.NewID(kind)
	require.NoError(t, err)
	return id
}

func TestADenialIsRepeatedUntilItMayHaveChanged(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	root, actor, other := someID(t, store.KindUser), someID(t, store.KindAgent), someID(t, store.KindAgent)
	write := func(by store.ID) *store.PendingWrite {
		return &store.PendingWrite{Root: root, IdempotencyKey: store.IdempotencyKey{Actor: by}}
	}
	for _, tt := range []struct {
		rule        string
		denied      store.Denial
		by          store.ID
		after       time.Duration
		same, other time.Duration // the wait that is told; 0: nothing is known
	}{
		{"a party's denial is told to all of it", store.Denial{Reason: store.DeniedParty, Wait: time.Minute}, actor, time.Second, 59 * time.Second, 59 * time.Second},
		{"an actor's denial is its own", store.Denial{Reason: store.DeniedActor, Wait: time.Minute}, actor, time.Second, 59 * time.Second, 0},
		{"a controller's own denial would be its whole party's", store.Denial{Reason: store.DeniedActor, Wait: time.Minute}, root, time.Second, 0, 0},
		{"after two seconds the database is asked again", store.Denial{Reason: store.DeniedParty, Wait: time.Minute}, actor, denialTTL, 0, 0},
		{"a short one ends when it says", store.Denial{Reason: store.DeniedParty, Wait: time.Second}, actor, time.Second, 0, 0},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			d := newDenials()
			d.keep(write(tt.by), &tt.denied, now)
			for by, wait := range map[store.ID]time.Duration{tt.by: tt.same, other: tt.other} {
				found := d.find(write(by), now.Add(tt.after))
				if wait == 0 {
					require.Nil(t, found)
					continue
				}
				require.Equal(t, wait, found.Wait)
				require.Equal(t, tt.denied.Reason, found.Reason)
			}
		})
	}
}

func TestDenialsAreBounded(t *testing.T) {
	d := newDenials()
	now := time.Unix(1_700_000_000, 0)
	for range maxDenials + 10 {
		d.keep(&store.PendingWrite{Root: someID(t, store.KindUser)}, &store.Denial{Wait: time.Hour}, now)
	}
	require.Len(t, d.known, 10)
}

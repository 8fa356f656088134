package limits

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/gcra"
	"interai/api/ops"
)

func newAdmission(t *testing.T) *Admission {
	t.Helper()
	rate, err := gcra.New(2, time.Hour)
	require.NoError(t, err)
	now := time.Unix(1_700_000_000, 0)
	return &Admission{
		Calls: newGate(t, 8, 8), Publications: newGate(t, 8, 8), Reads: gcra.NewMeters(rate, 100),
		Heavy:  func(operation string) bool { return operation == "publish" },
		IsRead: func(operation string) bool { return operation == "get" },
		Now:    func() time.Time { return now },
	}
}

func TestReadsOfAnActorAreBoundedAndOthersAreNot(t *testing.T) {
	a := newAdmission(t)
	admit := func(actor, root, operation string) error {
		release, err := a.Admit(context.Background(), &ops.Call{Operation: operation, Caller: &ops.Caller{Actor: actor, Root: root}})
		if err == nil {
			release()
		}
		return err
	}
	for range 2 {
		require.NoError(t, admit("ai_1", "usr_1", "get"))
	}
	err := admit("ai_1", "usr_1", "get")
	require.Equal(t, ops.RateLimited, ops.CodeOf(err))
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 1800, e.Details.RetryAfter)
	require.True(t, e.Details.Retryable)
	require.NoError(t, admit("ai_1", "usr_1", "rate"), "a write is no read")
	require.NoError(t, admit("ai_2", "usr_1", "get"), "each actor has its own")
	for range 5 {
		require.NoError(t, admit("", "", "get"), "the public pages have no reader")
	}
}

func TestPublicationsOfAPartyWaitForEachOtherAndHoldNothingUp(t *testing.T) {
	a := newAdmission(t)
	a.Calls = func() *Gate {
		g, err := NewGate(GateConfig{Active: 8, ActivePerKey: 8, Queue: 8})
		require.NoError(t, err)
		return g
	}()
	call := func(operation string) *ops.Call {
		return &ops.Call{Operation: operation, Caller: &ops.Caller{Actor: "ai_1", Root: "usr_1"}}
	}
	first, err := a.Admit(context.Background(), call("publish"))
	require.NoError(t, err)
	second := make(chan error, 1)
	go func() {
		release, err := a.Admit(context.Background(), call("publish"))
		if err == nil {
			release()
		}
		second <- err
	}()
	waitFor(t, a.Publications, 1)
	active, _ := a.Calls.Load()
	require.Equal(t, 1, active, "who waits takes no place")
	other, err := a.Admit(context.Background(), call("rate"))
	require.NoError(t, err)
	other()
	first()
	require.NoError(t, <-second)
	for _, g := range []*Gate{a.Calls, a.Publications} {
		active, waiting := g.Load()
		require.Zero(t, active+waiting)
	}
}

func TestAPublicationThatFindsNoPlaceGivesBackTheOtherOne(t *testing.T) {
	a := newAdmission(t)
	ctx, cancel := context.WithCancel(context.Background())
	hold, err := a.Calls.Acquire(ctx, "usr_1")
	require.NoError(t, err)
	defer hold()
	done := make(chan error, 1)
	go func() {
		_, err := a.Admit(ctx, &ops.Call{Operation: "publish", Caller: &ops.Caller{Actor: "ai_1", Root: "usr_1"}})
		done <- err
	}()
	waitFor(t, a.Calls, 1)
	cancel()
	err = <-done
	require.ErrorIs(t, err, context.Canceled)
	active, waiting := a.Publications.Load()
	require.Zero(t, active+waiting)
}

package auth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/gcra"
	"interai/api/ops"
)

func TestADoorAnswersTheSameToAWrongKeyAndToAMissingScope(t *testing.T) {
	t.Parallel()
	good, err := Generate()
	require.NoError(t, err)
	bad, err := Generate()
	require.NoError(t, err)
	down := errors.New("down")
	var outage error
	verify := func(_ context.Context, key Key) (*ops.Caller, error) {
		if outage != nil {
			return nil, outage
		}
		if key.ID() != good.ID() {
			return nil, ErrUnauthenticated
		}
		return &ops.Caller{Actor: "usr_x", Scopes: []string{"moderate"}}, nil
	}
	rate, err := gcra.New(3, time.Minute)
	require.NoError(t, err)
	d := &Door{bearer: NewBearer(verify, WithFailures(gcra.NewMeters(rate, 10)))}
	from := func(addr string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
		r.RemoteAddr = addr
		return r
	}
	caller, err := d.Enter(from("192.0.2.1:1"), " "+good.Reveal()+"\n", "moderate")
	require.NoError(t, err)
	require.Equal(t, "usr_x", caller.Actor)
	for _, tt := range []struct{ text, scope string }{{good.Reveal(), "publish"}, {bad.Reveal(), "moderate"}, {"nothing", "moderate"}} {
		_, err := d.Enter(from("192.0.2.1:1"), tt.text, tt.scope)
		require.Equal(t, ErrUnauthenticated, err, "to the letter")
	}
	_, err = d.Enter(from("192.0.2.77:1"), good.Reveal(), "moderate")
	tooMany, ok := errors.AsType[*TooManyError](err)
	require.True(t, ok, "all three have counted, for the whole network")
	require.Positive(t, tooMany.Wait)
	require.Contains(t, tooMany.Error(), "wait ")
	_, err = d.Enter(from("203.0.113.1:1"), good.Reveal(), "moderate")
	require.NoError(t, err)
	outage = down
	for range 5 {
		_, err = d.Enter(from("203.0.113.1:1"), good.Reveal(), "moderate")
		require.ErrorIs(t, err, down, "a failure of the server counts against nobody")
	}
}

func TestWhoHasEnteredStaysAsLongAsTheScope(t *testing.T) {
	t.Parallel()
	scopes, fails := []string{"moderate"}, error(nil)
	d := &Door{bearer: NewBearer(nil), still: func(context.Context, string) (*ops.Caller, error) {
		if fails != nil {
			return nil, fails
		}
		return &ops.Caller{Scopes: scopes}, nil
	}}
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	_, err := d.Stay(r, "id", "moderate")
	require.NoError(t, err)
	scopes = []string{"read"}
	_, err = d.Stay(r, "id", "moderate")
	require.Equal(t, ErrUnauthenticated, err)
	fails = ErrUnavailable
	_, err = d.Stay(r, "id", "moderate")
	require.Equal(t, ErrUnavailable, err)
}

package limits

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func newBodies(t testing.TB, patience time.Duration) *Bodies {
	t.Helper()
	b, err := NewBodies(BodiesConfig{Memory: 4000, Ordinary: 500, Large: 2000, Patience: patience})
	require.NoError(t, err)
	return b
}

// sized is a request with a body of n bytes, whose length is declared or not.
func sized(n int, declared bool) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("b", n)))
	if !declared {
		r.ContentLength = -1
	}
	return r
}

func TestBodiesNeedRoomForTwoLargeOnes(t *testing.T) {
	for name, cfg := range map[string]BodiesConfig{
		"nothing":             {},
		"no patience":         {Memory: 10, Ordinary: 1, Large: 2},
		"less than ordinary":  {Memory: 10, Ordinary: 3, Large: 2, Patience: 1},
		"memory for only one": {Memory: 3, Ordinary: 1, Large: 2, Patience: 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewBodies(cfg)
			require.Error(t, err)
		})
	}
}

func TestABodyIsReadWholeOrRefused(t *testing.T) {
	for name, c := range map[string]struct {
		bytes    int
		declared bool
		fits     bool
	}{
		"empty":                     {0, true, true},
		"ordinary":                  {500, true, true},
		"large":                     {2000, true, true},
		"over":                      {2001, true, false},
		"empty, undeclared":         {0, false, true},
		"ordinary, undeclared":      {500, false, true},
		"past ordinary, undeclared": {501, false, true},
		"large, undeclared":         {2000, false, true},
		"over, undeclared":          {2001, false, false},
		"far over, undeclared":      {1 << 20, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBodies(t, time.Minute)
			body, release, err := b.Read(sized(c.bytes, c.declared), "p")
			if !c.fits {
				over, ok := errors.AsType[*http.MaxBytesError](err)
				require.True(t, ok)
				require.EqualValues(t, 2000, over.Limit)
				held, _ := b.gate.Load()
				require.Zero(t, held)
				return
			}
			require.NoError(t, err)
			require.Len(t, body, c.bytes)
			require.Equal(t, c.bytes > 500, b.OverBytes(int64(len(body))) != nil)
			release()
			held, _ := b.gate.Load()
			require.Zero(t, held)
		})
	}
}

func TestABrokenBodyGivesItsMemoryBack(t *testing.T) {
	b := newBodies(t, time.Minute)
	r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader("half"), brokenReader{}))
	r.ContentLength = 400
	_, _, err := b.Read(r, "p")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	held, _ := b.gate.Load()
	require.Zero(t, held)
}

func TestOnePartyLeavesMemoryForOthers(t *testing.T) {
	b := newBodies(t, time.Minute)
	_, release, err := b.Read(sized(2000, true), "greedy")
	require.NoError(t, err)
	got := make(chan error, 1)
	go func() {
		_, done, err := b.Read(sized(100, true), "greedy")
		if err == nil {
			done()
		}
		got <- err
	}()
	waitFor(t, b.gate, 1)
	_, other, err := b.Read(sized(2000, true), "other")
	require.NoError(t, err, "another party does not wait")
	other()
	release()
	require.NoError(t, <-got, "who waited has its turn")
}

func TestABodyWithoutMemoryIsRetryable(t *testing.T) {
	b := newBodies(t, time.Millisecond)
	_, release, err := b.Read(sized(2000, true), "p")
	require.NoError(t, err)
	defer release()
	_, _, err = b.Read(sized(1, true), "p")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	w := httptest.NewRecorder()
	RefuseBody(w, err)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.NotEmpty(t, w.Header().Get("Retry-After"))
	require.Equal(t, "close", w.Header().Get("Connection"))
	require.True(t, bytes.Contains(w.Body.Bytes(), []byte(`"retryable":true`)))
	require.True(t, bytes.Contains(w.Body.Bytes(), []byte(`"reason":"server_busy"`)))
}

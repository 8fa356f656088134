package limits

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/api/ops"
)

// newGate makes a gate with one place for each key.
func newGate(t testing.TB, active, queue int) *Gate {
	t.Helper()
	g, err := NewGate(GateConfig{Active: active, ActivePerKey: 1, Queue: queue})
	require.NoError(t, err)
	return g
}

// waitFor polls until the gate has the wanted number of waiters.
func waitFor(t testing.TB, g *Gate, waiting int) {
	t.Helper()
	require.Eventually(t, func() bool { _, w := g.Load(); return w == waiting }, 30*time.Second, time.Millisecond)
}

func TestGateNeedsPositiveBounds(t *testing.T) {
	for _, cfg := range []GateConfig{{}, {Active: 1, ActivePerKey: 1}, {Active: 1, Queue: 1}, {ActivePerKey: 1, Queue: 1}} {
		_, err := NewGate(cfg)
		require.Error(t, err)
	}
}

func TestGateQueuesInOrderOfArrival(t *testing.T) {
	g := newGate(t, 1, 10)
	release, err := g.Acquire(context.Background(), "a")
	require.NoError(t, err)
	order := make(chan int, 3)
	for i := range 3 {
		go func() {
			done, err := g.Acquire(context.Background(), strconv.Itoa(i))
			if err == nil {
				order <- i
				done()
			}
		}()
		waitFor(t, g, i+1)
	}
	release()
	for i := range 3 {
		require.Equal(t, i, <-order)
	}
	require.Eventually(t, func() bool { a, w := g.Load(); return a == 0 && w == 0 }, 30*time.Second, time.Millisecond)
}

func TestOneKeyCannotHoldTheWholeGate(t *testing.T) {
	g := newGate(t, 2, 10)
	release, err := g.Acquire(context.Background(), "hog")
	require.NoError(t, err)
	got := make(chan struct{})
	go func() {
		done, err := g.Acquire(context.Background(), "hog")
		if err == nil {
			done()
		}
		close(got)
	}()
	waitFor(t, g, 1)
	other, err := g.Acquire(context.Background(), "other")
	require.NoError(t, err, "another key passes the waiting one")
	other()
	_, waiting := g.Load()
	require.Equal(t, 1, waiting, "a place of another key is no place for the hog")
	release()
	<-got
}

func TestGateRefusesWhenTheQueueIsFull(t *testing.T) {
	g := newGate(t, 1, 1)
	_, err := g.Acquire(context.Background(), "a")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	left := make(chan error)
	go func() { _, err := g.Acquire(ctx, "a"); left <- err }()
	waitFor(t, g, 1)
	_, err = g.Acquire(context.Background(), "b")
	require.ErrorIs(t, err, ErrBusy)
	cancel()
	require.ErrorIs(t, <-left, context.Canceled)
	waitFor(t, g, 0)
}

func TestReleaseTwiceCountsOnce(t *testing.T) {
	g := newGate(t, 1, 1)
	release, err := g.Acquire(context.Background(), "a")
	require.NoError(t, err)
	release()
	release()
	active, _ := g.Load()
	require.Zero(t, active)
}

func TestGateNeverRunsMoreThanItMay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := GateConfig{
			Active: rapid.IntRange(1, 4).Draw(t, "active"), ActivePerKey: rapid.IntRange(1, 3).Draw(t, "per key"),
			Queue: rapid.IntRange(1, 40).Draw(t, "queue"),
		}
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 30).Draw(t, "keys")
		impatient := rapid.IntRange(2, 5).Draw(t, "impatient")
		g, err := NewGate(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		running, perKey := 0, map[string]int{}
		var failure string
		var wg sync.WaitGroup
		for i, key := range keys {
			wg.Go(func() {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if i%impatient == 0 {
					go cancel()
				}
				release, err := g.Acquire(ctx, key)
				if err != nil {
					return
				}
				mu.Lock()
				running++
				perKey[key]++
				if running > cfg.Active || perKey[key] > cfg.ActivePerKey {
					failure = fmt.Sprintf("%d run, %d of %s", running, perKey[key], key)
				}
				mu.Unlock()
				mu.Lock()
				running--
				perKey[key]--
				mu.Unlock()
				release()
			})
		}
		wg.Wait()
		active, waiting := g.Load()
		if failure != "" || active != 0 || waiting != 0 || len(g.perKey) != 0 {
			t.Fatalf("%s; left over: %d active, %d waiting, %v", failure, active, waiting, g.perKey)
		}
	})
}

func TestAdmissionErrorsAreRetryable(t *testing.T) {
	g := newGate(t, 1, 1)
	call := &ops.Call{Caller: &ops.Caller{Root: "usr_1"}}
	release, err := g.Admit(context.Background(), call)
	require.NoError(t, err)
	defer release()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = g.Admit(ctx, call)
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.True(t, e.Details.Retryable)
	require.Equal(t, "server_busy", e.Details.Reason)
}

func TestGateMiddlewareAnswers503(t *testing.T) {
	g := newGate(t, 1, 1)
	h := g.Middleware(func(*http.Request) string { return "k" }, time.Millisecond)(passed)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	require.Equal(t, http.StatusNoContent, w.Code)
	_, err := g.Acquire(context.Background(), "k")
	require.NoError(t, err)
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "2", w.Header().Get("Retry-After"))
	require.True(t, refused(t, w).Details.Retryable)
}

func TestWhatWeighsMuchIsNotOvertakenForEver(t *testing.T) {
	g, err := NewGate(GateConfig{Active: 10, ActivePerKey: 10, Queue: 10})
	require.NoError(t, err)
	release, err := g.AcquireWeight(context.Background(), "a", 6)
	require.NoError(t, err)
	order := make(chan string, 2)
	for i, name := range []string{"heavy", "light"} {
		weight := map[string]int{"heavy": 8, "light": 1}[name]
		go func() {
			done, err := g.AcquireWeight(context.Background(), name, weight)
			if err == nil {
				order <- name
				done()
			}
		}()
		waitFor(t, g, i+1)
	}
	release()
	require.ElementsMatch(t, []string{"heavy", "light"}, []string{<-order, <-order})
	require.Eventually(t, func() bool { a, w := g.Load(); return a == 0 && w == 0 }, 30*time.Second, time.Millisecond)
}

func TestWhatIsHeavierThanAKeyMayHoldRunsAlone(t *testing.T) {
	g, err := NewGate(GateConfig{Active: 10, ActivePerKey: 5, Queue: 10})
	require.NoError(t, err)
	release, err := g.AcquireWeight(context.Background(), "a", 1000)
	require.NoError(t, err)
	_, err = g.Try("a")
	require.ErrorIs(t, err, ErrBusy)
	other, err := g.Try("b")
	require.NoError(t, err)
	other()
	release()
	again, err := g.Try("a")
	require.NoError(t, err)
	again()
}

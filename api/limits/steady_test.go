package limits

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serveSteady answers endlessly in pieces of a megabyte and tells how the writing ended.
func serveSteady(t *testing.T, stall time.Duration, pieces int) (url string, ended chan error) {
	t.Helper()
	ended = make(chan error, 1)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	server := httptest.NewServer(SteadyWrites(stall)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var err error
		for i := 0; i < pieces && err == nil; i++ {
			_, err = w.Write(piece)
		}
		ended <- err
	})))
	t.Cleanup(server.Close)
	return server.URL, ended
}

func TestAReaderThatStopsLosesItsConnection(t *testing.T) {
	url, ended := serveSteady(t, 50*time.Millisecond, 1<<20)
	response, err := http.Get(url)
	require.NoError(t, err)
	defer response.Body.Close()
	select {
	case err := <-ended:
		require.ErrorContains(t, err, "timeout")
	case <-time.After(30 * time.Second):
		t.Fatal("the answer is held for a reader that does not read")
	}
}

func TestAReaderThatGoesOnIsLeftAlone(t *testing.T) {
	url, ended := serveSteady(t, 30*time.Second, 20)
	response, err := http.Get(url)
	require.NoError(t, err)
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.EqualValues(t, 20<<20, n)
	require.NoError(t, <-ended)
}

func TestAConnectionIsUsedAgainAfterTheStallTimeOfItsLastAnswer(t *testing.T) {
	server := httptest.NewServer(SteadyWrites(time.Minute)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		// As that of the answer before is, when the next one comes late.
		require.NoError(t, http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0)))
		w.WriteHeader(http.StatusNoContent)
	})))
	defer server.Close()
	for range 3 {
		response, err := http.Get(server.URL)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusNoContent, response.StatusCode)
	}
}

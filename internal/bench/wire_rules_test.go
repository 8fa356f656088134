package bench

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnswersAreWholeByContentLength(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\nX: y\r\n\r\n"
	for name, c := range map[string]struct {
		answer string
		whole  bool
		fails  bool
	}{
		"nothing yet":        {answer: ""},
		"half a head":        {answer: head[:30]},
		"half a body":        {answer: head + "abc"},
		"whole":              {answer: head + "abcde", whole: true},
		"no body":            {answer: "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", whole: true},
		"more than one":      {answer: head + "abcdef", fails: true},
		"without a length":   {answer: "HTTP/1.1 200 OK\r\nX: y\r\n\r\n", fails: true},
		"length in the body": {answer: "HTTP/1.1 200 OK\r\nX: y\r\n\r\n\r\nContent-Length: 0\r\n\r\n", fails: true},
		"not a number":       {answer: "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", fails: true},
	} {
		whole, err := complete([]byte(c.answer))
		if whole != c.whole || (err != nil) != c.fails {
			t.Errorf("%s: %v, %v", name, whole, err)
		}
	}
}

func FuzzAnswersNeverPanic(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if whole, err := complete(answer); whole && err != nil {
			t.Fatalf("whole, and %v", err)
		}
	})
}

func TestOnlySuccessIsAcknowledged(t *testing.T) {
	t.Parallel()
	require.NoError(t, checkAnswer([]byte("HTTP/1.1 200 OK\r\n\r\n"+`{"jsonrpc":"2.0","result":{"content":[]}}`)))
	for name, answer := range map[string]string{
		"refused":        "HTTP/1.1 401 Unauthorized\r\n\r\n" + `{"result":{}}`,
		"tool error":     "HTTP/1.1 200 OK\r\n\r\n" + `{"result":{"isError":true}}`,
		"protocol error": "HTTP/1.1 200 OK\r\n\r\n" + `{"error":{"code":-32603}}`,
	} {
		require.Error(t, checkAnswer([]byte(answer)), name)
	}
}

func TestRequestsDifferOnlyInTheirPlaces(t *testing.T) {
	t.Parallel()
	require.Len(t, targetPlace, len("ent_01h455vb4pex5vsknk084sn02q"))
	request, err := newRequest("127.0.0.1:1", "secret", true)
	require.NoError(t, err)
	original := bytes.Clone(request)
	c := &connection{request: request, key: place(request, keyPlace), target: place(request, targetPlace), random: rand.New(rand.NewSource(1))}
	seen := map[string]bool{}
	for range 100 {
		c.freshKey()
		copy(c.target, "ent_01h455vb4pex5vsknk084sn02q")
		seen[string(c.key)] = true
	}
	require.Len(t, seen, 100)
	require.Len(t, c.request, len(original))
	_, body, _ := strings.Cut(string(c.request), "\r\n\r\n")
	var call struct {
		Params struct{ Arguments usageArguments }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &call))
	require.Equal(t, string(c.key), call.Params.Arguments.IdempotencyKey)
	require.Equal(t, "ent_01h455vb4pex5vsknk084sn02q", call.Params.Arguments.Target)

	without, err := newRequest("127.0.0.1:1", "secret", false)
	require.NoError(t, err)
	require.Empty(t, place(without, keyPlace))
	require.NotContains(t, string(without), "idempotency_key")
}

func TestQuantilesAreOfTheSample(t *testing.T) {
	t.Parallel()
	values := make([]time.Duration, 100)
	for i := range values {
		values[i] = time.Duration(i + 1)
	}
	require.Equal(t, time.Duration(50), quantile(values, .5))
	require.Equal(t, time.Duration(99), quantile(values, .99))
	require.Equal(t, time.Duration(1), quantile(values[:1], .99))
	require.Zero(t, quantile(nil, .5))
}

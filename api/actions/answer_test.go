package actions

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

func TestAPageThatIsTooLargeIsAskedForAgainShorter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body  string
		reads []int
		items int
	}{
		"what fits is sent as it is":    {`{"large": 9000}`, []int{10}, 10},
		"characters count, not bytes":   {`{"large": 9400}`, []int{10}, 10},
		"without a limit, by what came": {`{"large": 12000}`, []int{10, 5}, 5},
		"much too large, by the size":   {`{"large": 30000}`, []int{10, 2}, 2},
		"the limit that was given":      {`{"limit": 50, "large": 3000, "cursor": "c"}`, []int{50, 25}, 25},
		"one item that fits":            {`{"limit": 2, "large": 60000}`, []int{2, 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			got := w.post("list", test.body)
			require.Equal(t, http.StatusOK, got.status, got.body[:min(len(got.body), 400)])
			require.LessOrEqual(t, utf8.RuneCountInString(got.body), MaxAnswerChars)
			var out pageOut
			require.NoError(t, json.Unmarshal([]byte(got.body), &out))
			require.Len(t, out.Items, test.items)
			require.Equal(t, "next", out.NextCursor, "it says how to go on")
			require.Equal(t, test.reads, w.reads)
		})
	}
}

func TestAReadThatCannotBeCutSaysWhatToAskLessOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	got := w.post("list", `{"limit": 1, "large": 100000}`)
	require.Equal(t, http.StatusBadRequest, got.status)
	e := got.fails(t)
	require.Equal(t, ops.ValidationFailed, e.Code)
	require.Equal(t, "response_too_large", e.Details.Reason)
	require.Equal(t, "/ids", e.Details.Problems[0].Path)
	require.False(t, e.Details.Retryable)
	require.NotEmpty(t, e.Details.CorrelationID)
	require.Equal(t, []int{1}, w.reads)
}

func TestAWriteWhoseAnswerIsTooLargeHasHappened(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body, id string
	}{
		"over the bound of the interface": {`{"large": 95000}`, "cnt_1"},
		"over the bound of the operation": {`{"large": 1100000}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			got := w.post("store", test.body)
			require.Equal(t, http.StatusOK, got.status, got.body)
			var out map[string]any
			require.NoError(t, json.Unmarshal([]byte(got.body), &out))
			require.Equal(t, true, out["omitted"])
			require.Equal(t, "response_too_large", out["reason"])
			require.Equal(t, "store", out["operation"])
			require.Contains(t, out["hint"], "Do not send it again")
			if test.id == "" {
				require.NotContains(t, out, "id")
			} else {
				require.Equal(t, test.id, out["id"])
			}
			require.Equal(t, 1, w.stored, "once")
		})
	}
	w := newWorld(t, nil)
	require.NotContains(t, w.post("store", `{"large": 90000}`).body, "omitted")
}

func TestAnErrorThatIsTooLargeIsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	e := ops.NewError(ops.ContentRejected, "No.").WithExtra("suggested", strings.Repeat("x", MaxAnswerChars))
	for range 50 {
		e.Details.Problems = append(e.Details.Problems, ops.Problem{Path: strings.Repeat("/x", 2000), Rule: "r", Message: "m"})
	}
	short := w.fitting(e)
	require.True(t, w.fits(short.Structured()))
	require.Len(t, short.Details.Problems, 12)
	require.Len(t, e.Details.Problems, 50, "the error itself is another's")
	small := ops.NewError(ops.NotFound, "No.").WithExtra("case", "cas_1")
	require.Same(t, small, w.fitting(small))
}

func TestWhatIsNoCall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method, path, body string
		change             func(*http.Request)
		status             int
		reason             string
	}{
		"no operation":            {"POST", "/actions/v1/nothing", `{}`, nil, 404, ""},
		"no name":                 {"POST", "/actions/v1/", `{}`, nil, 404, ""},
		"no version":              {"POST", "/actions/list", `{}`, nil, 404, ""},
		"nothing":                 {"POST", "/actions", `{}`, nil, 404, ""},
		"something below":         {"POST", "/actions/v1/list/x", `{}`, nil, 404, ""},
		"a slash behind":          {"POST", "/actions/v1/list/", `{}`, nil, 404, ""},
		"an unknown one first":    {"GET", "/actions/v1/nothing", ``, nil, 404, ""},
		"a wrong method":          {"GET", "/actions/v1/list", ``, nil, 405, "method_not_allowed"},
		"an invented method":      {"BREW", "/actions/v1/list", ``, nil, 405, "method_not_allowed"},
		"a form":                  {"POST", "/actions/v1/list", `a=b`, func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, 415, "content_type"},
		"no content type":         {"POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Del("Content-Type") }, 415, "content_type"},
		"two content types":       {"POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Add("Content-Type", "text/plain") }, 415, "content_type"},
		"another charset":         {"POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=latin1") }, 415, "content_type"},
		"a compressed body":       {"POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415, "content_type"},
		"a declared length":       {"POST", "/actions/v1/list", strings.Repeat(" ", 65<<10), nil, 413, "body_too_large"},
		"an undeclared length":    {"POST", "/actions/v1/list", strings.Repeat(" ", 65<<10), func(r *http.Request) { r.ContentLength = -1 }, 413, "body_too_large"},
		"a large one of a writer": {"POST", "/actions/v1/store", `{"text":"` + strings.Repeat("x", 65<<10) + `"}`, nil, 200, ""},
		"too large even for it":   {"POST", "/actions/v1/store", strings.Repeat(" ", 1<<20+1), nil, 413, "body_too_large"},
		"no JSON":                 {"POST", "/actions/v1/list", `{"limit":`, nil, 400, ""},
		"a list":                  {"POST", "/actions/v1/list", `[]`, nil, 400, ""},
		"two values":              {"POST", "/actions/v1/list", `{}{}`, nil, 400, ""},
		"a key twice":             {"POST", "/actions/v1/list", `{"limit":1,"limit":2}`, nil, 400, ""},
		"an unknown field":        {"POST", "/actions/v1/list", `{"limits":1}`, nil, 400, ""},
		"a wrong type":            {"POST", "/actions/v1/list", `{"limit":"1"}`, nil, 400, ""},
		"broken UTF-8":            {"POST", "/actions/v1/list", "{\"cursor\":\"\xff\"}", nil, 400, ""},
		"nested too deeply":       {"POST", "/actions/v1/list", `{"ids":` + strings.Repeat("[", 20_000), nil, 400, ""},
		"a charset that is UTF-8": {"POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Set("Content-Type", "Application/JSON; charset=UTF-8") }, 200, ""},
		"no arguments at all":     {"POST", "/actions/v1/list", ``, func(r *http.Request) { r.Header.Del("Content-Type") }, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newWorld(t, nil).ask(test.method, test.path, test.body, test.change)
			require.Equal(t, test.status, got.status, got.body)
			require.Equal(t, "application/json", got.header.Get("Content-Type"))
			require.Equal(t, "no-store", got.header.Get("Cache-Control"))
			if got.status == http.StatusMethodNotAllowed {
				require.Equal(t, "POST", got.header.Get("Allow"))
			}
			if got.status != http.StatusOK {
				require.Equal(t, test.reason, got.fails(t).Details.Reason)
			}
		})
	}
}

func TestCallsAMinuteAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.CallsPerMinute = 2 })
	clock := time.Unix(1_800_000_000, 0)
	w.now = func() time.Time { return clock }
	require.Equal(t, 200, w.post("list", `{}`).status)
	require.Equal(t, 400, w.post("list", `[]`).status, "a failed call counts")
	got := w.post("list", `{}`)
	require.Equal(t, 429, got.status)
	require.Equal(t, "30", got.header.Get("Retry-After"))
	e := got.fails(t)
	require.Equal(t, ops.RateLimited, e.Code)
	require.True(t, e.Details.Retryable)
	require.Equal(t, 30, e.Details.RetryAfter)
	require.Equal(t, 401, w.ask("POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Del("Authorization") }).status,
		"who is nobody learns nothing of the limit")
	clock = clock.Add(30 * time.Second)
	require.Equal(t, 200, w.post("list", `{}`).status)
}

func TestRequestsThatAreNoCallsCountToo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method, path string
		status             int
		edit               func(*http.Request)
	}{
		{"an unknown operation", "POST", "/actions/v1/none", 404, func(*http.Request) {}},
		{"another method", "GET", "/actions/v1/list", 405, func(*http.Request) {}},
		{"another type of content", "POST", "/actions/v1/list", 415, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(cfg *Config) { cfg.CallsPerMinute = 2 })
			clock := time.Unix(1_800_000_000, 0)
			w.now = func() time.Time { return clock }
			for range 2 {
				require.Equal(t, c.status, w.ask(c.method, c.path, `{}`, c.edit).status)
			}
			require.Equal(t, 429, w.ask(c.method, c.path, `{}`, c.edit).status)
			require.Equal(t, 429, w.post("list", `{}`).status)
		})
	}
}

func TestCallsAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.Concurrency = 1 })
	w.place = time.Millisecond
	first := make(chan answered)
	go func() { first <- w.post("wait", `{}`) }()
	<-w.waiting
	got := w.post("list", `{}`)
	require.Equal(t, 503, got.status)
	e := got.fails(t)
	require.Equal(t, "server_busy", e.Details.Reason)
	require.True(t, e.Details.Retryable, "it has not run")
	require.NotEmpty(t, got.header.Get("Retry-After"))
	require.Empty(t, w.reads)
	close(w.hold)
	require.Equal(t, 200, (<-first).status)
	require.Equal(t, 200, w.post("list", `{}`).status)
}

func TestACallSaysWhatItCameBy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.ask("POST", "/actions/v1/list", `{}`, func(r *http.Request) { r.Header.Set("User-Agent", strings.Repeat("ä", 200)+"\x00") })
	require.Equal(t, ops.Meta{Adapter: "actions", UserAgent: strings.Repeat("ä", 128)}, w.seen)
}

func TestABodyThatDoesNotComeGivesItsPlaceBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.Concurrency = 1 })
	w.body = 50 * time.Millisecond
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = conn.Write([]byte("POST /actions/v1/list HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + goodToken +
		"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
	require.Equal(t, 200, w.post("list", `{}`).status)
	require.Len(t, w.reads, 1)
}

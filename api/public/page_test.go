package public

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/api/guide"
	"interai/api/limits"
	"interai/api/ops"
	"interai/evidence"
)

const anyID = "cnt_01m8p3wrg8f658qzehythpppe1"

// serveWith builds a handler whose pages are read with a function.
func serveWith(t *testing.T, read func() (*evidence.DocumentOutput, error)) http.Handler {
	t.Helper()
	registry, err := ops.NewRegistry(ops.Define(ops.Spec{Name: "get", Title: "Get", Description: "Gets.", Effect: ops.Read},
		func(context.Context, *ops.Call, *evidence.DocumentInput) (*evidence.DocumentOutput, error) {
			return read()
		}))
	require.NoError(t, err)
	h, log := serve(t, func(c *Config) {
		c.Pages = ops.NewExecutor(registry)
		c.Guide, err = guide.New(registry, guide.Site{})
		require.NoError(t, err)
	})
	require.NotNil(t, log)
	return h
}

func TestFailuresHaveAPageOfTheirOwn(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		retry  string
		says   string
	}{
		"not there":       {ops.NewError(ops.NotFound, "x"), 404, "", "Nothing here"},
		"not allowed":     {ops.NewError(ops.ForbiddenScope, "x"), 404, "", "Nothing here"},
		"no database":     {ops.Unavailable("database_unavailable", 3*time.Second), 503, "3", "Not just now"},
		"something broke": {errors.New("secret cause"), 500, "", "This page cannot be made"},
	} {
		t.Run(name, func(t *testing.T) {
			h := serveWith(t, func() (*evidence.DocumentOutput, error) { return nil, c.err })
			for _, path := range []string{"/" + anyID, "/" + anyID + ".md"} {
				w := get(h, http.MethodGet, path)
				require.Equal(t, c.status, w.Code)
				require.Equal(t, c.retry, w.Header().Get("Retry-After"))
				require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
				require.Contains(t, w.Body.String(), c.says)
				require.NotContains(t, w.Body.String(), "secret")
			}
		})
	}
}

func TestObjectsWithLittleToSayHaveAPage(t *testing.T) {
	for _, kind := range []string{"actor", "space", "entity", "source", "thread", "content", "revision", "claim", "asset", "usage", "review", "rating"} {
		h := serveWith(t, func() (*evidence.DocumentOutput, error) {
			return &evidence.DocumentOutput{GetOutput: evidence.GetOutput{ID: anyID, Kind: kind, Type: "ai", Revision: &evidence.RevisionRef{No: 1}, CurrentRevision: 1}}, nil
		})
		w := get(h, http.MethodGet, "/"+anyID)
		require.Equal(t, http.StatusOK, w.Code, kind)
		require.Contains(t, w.Body.String(), "</html>", kind)
	}
}

func TestPagesSayWhenATextIsNotShownAsWritten(t *testing.T) {
	const says = "too long or too intricate"
	for name, c := range map[string]struct {
		text string
		says bool
	}{
		"plain":     {"a *b*", false},
		"intricate": {strings.Repeat("> ", maxNesting+1) + "a", true},
		"long":      {strings.Repeat("a\n", maxTextBytes), true},
	} {
		t.Run(name, func(t *testing.T) {
			for path, output := range map[string]evidence.DocumentOutput{
				"/" + anyID: {GetOutput: evidence.GetOutput{ID: anyID, Kind: "content", BodyMarkdown: &c.text, CurrentRevision: 1}},
				"/rev_01m8p3wrg8f658qzehythpppe1": {
					GetOutput: evidence.GetOutput{
						ID: "rev_01m8p3wrg8f658qzehythpppe1", Kind: "review",
						Record: &evidence.RecordRef{ID: "rev_01m8p3wrg8f658qzehythpppe1", Kind: "review", Verdict: "confirmed", Status: "active", Rationale: c.text},
					},
				},
			} {
				h := serveWith(t, func() (*evidence.DocumentOutput, error) { return &output, nil })
				w := get(h, http.MethodGet, path)
				require.Equal(t, http.StatusOK, w.Code)
				require.Equal(t, c.says, strings.Contains(w.Body.String(), says))
				require.Equal(t, c.says, strings.Contains(w.Body.String(), `<a href="`+path+`.md">read the whole`))
			}
		})
	}
}

func TestPagesNeedAGuide(t *testing.T) {
	_, err := NewHandler(Config{
		Ready: func(context.Context) string { return "" }, Hosts: limits.NewHosts(""), Origins: limits.NewOrigins(""), Pages: &ops.Executor{},
	})
	require.ErrorIs(t, err, errNoGuide)
	h, _ := serve(t, nil)
	require.Equal(t, http.StatusNotFound, get(h, http.MethodGet, "/"+anyID).Code, "no pages, no route")
	require.Equal(t, http.StatusNotFound, get(h, http.MethodGet, "/llms.txt").Code)
}

func TestAssetsAreKeptForEver(t *testing.T) {
	h := serveWith(t, func() (*evidence.DocumentOutput, error) { return nil, errors.New("x") })
	for name, media := range assetMedia() {
		w := get(h, http.MethodGet, assetPath(name))
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, media, w.Header().Get("Content-Type"))
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
	}
	require.Empty(t, assetPath("nothing.css"))
}

func TestASlowReaderGivesItsPlaceBack(t *testing.T) {
	h := serveWith(t, func() (*evidence.DocumentOutput, error) {
		return &evidence.DocumentOutput{GetOutput: evidence.GetOutput{ID: anyID, Kind: "space"}}, nil
	})
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := httptest.NewRequest(http.MethodGet, "/"+anyID, http.NoBody).WithContext(ctx)
		r.Host = "localhost"
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	require.Equal(t, http.StatusOK, get(h, http.MethodGet, "/"+anyID).Code)
}

func TestTagsAreCompared(t *testing.T) {
	for given, want := range map[string]bool{`"a"`: true, `W/"a"`: true, `"b", "a"`: true, `*`: true, `"b"`: false, ``: false, `a`: false} {
		require.Equal(t, want, matches([]string{given}, `"a"`), given)
	}
	require.False(t, matches(nil, `"a"`))
}

func TestSharesOfATimelineFillIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.Float64Range(-10, 1e9), 1, 100).Draw(t, "lengths")
		sum := 0.0
		for i, share := range shares(lengths) {
			if share < min(minSegment/100, 1/float64(len(lengths)))-1e-9 {
				t.Fatalf("segment %d has %f", i, share)
			}
			sum += share
		}
		if sum < .999 || sum > 1.001 {
			t.Fatalf("they sum up to %f", sum)
		}
	})
}

func TestSidesOfEvidence(t *testing.T) {
	for side, values := range map[int][]string{
		1:  {"success", "confirmed", "mostly_correct"},
		-1: {"failure", "questionable", "misleading", "contradicted", "false", "outdated"},
		0:  {"partial", "unknown", "cannot_verify", ""},
	} {
		for _, value := range values {
			require.Equal(t, side, sideOf(&evidence.RecordRef{Result: value, Status: "active"}), value)
			require.Equal(t, side, sideOf(&evidence.RecordRef{Verdict: value, Status: "active"}), value)
			require.Zero(t, sideOf(&evidence.RecordRef{Verdict: value, Status: "retracted"}), value)
		}
	}
}

func TestEveryStatusIsExplained(t *testing.T) {
	for _, status := range []string{"unverified", "supported", "high_confidence", "disputed", "outdated", "incorrect", "superseded", "active", "retracted"} {
		require.NotEmpty(t, statusSays(status), status)
	}
}

func TestIntervalsAtTheEdgesKeepTheirLabels(t *testing.T) {
	for value, anchor := range map[float64]string{0: "start", .5: "middle", 1: "end"} {
		i := newInterval(&evidence.TrustRef{Value: value, LowerBound: -1, UpperBound: 2}, nil)
		require.Equal(t, anchor, i.Anchor)
		require.Equal(t, "0.00%", i.Lower)
		require.Equal(t, "100.00%", i.Upper)
		require.Empty(t, i.Prior)
	}
}

func TestWhatReadersSayOfThemselvesIsPrintable(t *testing.T) {
	require.Equal(t, "a b", printable("a\x00\xff b\u200b\n", 10))
	require.Equal(t, "é", printable("éé", 3))
}

package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/evidence"
	"interai/internal/stack"
)

// knowledgeOptions are those of a run whose server counts words as soon as everything is loaded, instead of at its
// next look, some seconds later.
func knowledgeOptions(t *testing.T, s *stack.Stack) Options {
	return Options{Store: s.Store, URL: s.URL, Progress: func(done, total int) {
		if done == total {
			_, err := s.Store.RefreshSearchStatistics(t.Context(), true)
			require.NoError(t, err)
		}
	}}
}

// answerOf decodes the answer of a step.
func answerOf[T any](t *testing.T, step Step) (out T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(step.Answer, &out))
	return out
}

// made is what the database holds, without what each run makes anew and what goes by itself.
func made(t *testing.T, s *stack.Stack) map[string]string {
	t.Helper()
	s.Settled()
	out := digests(t, s)
	maps.DeleteFunc(out, func(table, _ string) bool { return table == "api_keys" })
	return out
}

func TestTheKnowledgeSetIsLoadedWalkedThroughAndRemoved(t *testing.T) {
	s := stack.Start(t)
	realWork(t, s)
	evidenceRows(t, s)
	before := digests(t, s)

	ctx, cancel := context.WithCancel(t.Context())
	_, err := RunKnowledge(ctx, Options{Store: s.Store, URL: s.URL, Progress: func(done, total int) {
		if done > total/3 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)

	report, err := RunKnowledge(t.Context(), knowledgeOptions(t, s))
	require.NoError(t, err)
	require.Equal(t, 2, report.Matched)
	require.Greater(t, report.Sent, 300)
	require.Zero(t, report.Deferred)
	require.Greater(t, report.New, report.Sent/3, "the run before was interrupted; this one has made the rest")
	require.Less(t, report.New, report.Items+report.Experiences+report.Sent)
	require.Len(t, report.Steps, 9)
	for _, step := range report.Steps {
		require.Empty(t, step.Note)
		require.NotEmpty(t, step.Text)
		require.NotContains(t, string(step.Request), "\n")
	}
	walked(t, report.Steps)
	told(t, s, report.Steps)

	t.Run("a second run adds nothing and is answered the same", func(t *testing.T) {
		first := made(t, s)
		again, err := RunKnowledge(t.Context(), Options{Store: s.Store, URL: s.URL})
		require.NoError(t, err)
		require.Equal(t, first, made(t, s))
		require.Zero(t, again.New)
		require.Equal(t, report.Sent, again.Sent)
		require.Equal(t, report.Matched, again.Matched)
		for i := range report.Steps {
			require.JSONEq(t, string(report.Steps[i].Request), string(again.Steps[i].Request))
		}
		walked(t, again.Steps)
	})
	t.Run("a removal leaves the database as it was before", func(t *testing.T) {
		removed, err := Remove(t.Context(), s.Store, nil)
		require.NoError(t, err)
		require.Equal(t, int64(report.Items+report.Experiences+1), removed.Contents)
		require.Zero(t, removed.KeptActors)
		require.Equal(t, before, digests(t, s))
	})
}

// walked checks that search, compare and get show what the walk promises.
func walked(t *testing.T, steps []Step) {
	t.Helper()
	for at, want := range []string{
		"Find the slow queries of a PostgreSQL server", "Retry a PostgreSQL transaction that failed with SQLSTATE 40001",
		"Let autovacuum keep up with a large, busy table",
	} {
		require.Equal(t, want, answerOf[evidence.SearchOutput](t, steps[at]).Results[0].Title)
	}
	require.Equal(t, strings.Replace(misspelt, "autovaccum", "autovacuum", 1), answerOf[evidence.SearchOutput](t, steps[2]).DidYouMean)

	alternatives := answerOf[evidence.SearchOutput](t, steps[3]).Results
	for _, result := range alternatives {
		require.Equal(t, "stated", result.Alternative.Relation, result.Title)
		require.Equal(t, "simpler", result.Alternative.Reason, result.Title)
		require.NotNil(t, result.Alternative.Own, result.Title)
		require.NotNil(t, result.Alternative.Target, result.Title)
		require.Greater(t, result.Alternative.Own.Lower, result.Alternative.Target.Upper, result.Title)
	}
	compared := answerOf[evidence.CompareOutput](t, steps[4]).Items
	require.Len(t, compared, 3)
	for i, name := range []string{"RabbitMQ", "NATS", "River"} {
		require.Equal(t, name, compared[i].Title)
		for _, dimension := range []string{"complexity", "reliability", "resource_use"} {
			d := compared[i].Dimensions[dimension]
			require.Equal(t, "exact_context", d.Basis, "%s %s", name, dimension)
			require.GreaterOrEqual(t, d.Raters, 3)
			require.Less(t, *d.Lower, *d.Score)
			require.Greater(t, *d.Upper, *d.Score)
		}
		require.NotEmpty(t, compared[i].Experiences, name)
	}
	require.NotEmpty(t, compared[0].Contradictions)

	whole := answerOf[evidence.GetOutput](t, steps[5])
	require.Equal(t, alternatives[0].ID, whole.ID)
	require.NotEmpty(t, whole.Explanation.Markdown)
	require.Contains(t, steps[5].Text, whole.Explanation.Markdown)
}

// told checks that the claim said in other words is suggested, and adopted.
func told(t *testing.T, s *stack.Stack, steps []Step) {
	t.Helper()
	first, second := answerOf[evidence.PublishOutput](t, steps[6]), answerOf[evidence.PublishOutput](t, steps[7])
	require.False(t, first.Claims[0].MatchedExisting)
	require.Equal(t, "near", first.Claims[0].Similar[0].Hint)
	require.True(t, second.Claims[0].MatchedExisting)
	require.Equal(t, first.ID, second.ID)
	require.Equal(t, first.Claims[0].Similar[0].ID, second.Claims[0].ID)
	require.NotContains(t, steps[7].Text, "similar")
	claim := answerOf[evidence.GetOutput](t, steps[8])
	require.Equal(t, second.Claims[0].ID, claim.ID)
	require.Zero(t, claim.Trust.Pending)
	require.Len(t, claim.Items, 2)

	reader := s.Client(s.Key)
	for text, good := range map[string]bool{
		"A plain VACUUM in PostgreSQL blocks writes to the table.": false, "A plain VACUUM in PostgreSQL does not block writes to the table.": true,
	} {
		var out evidence.SearchOutput
		s.Must(reader, "search", map[string]any{"query": text, "kinds": []string{"claim"}, "limit": 10}, &out)
		at := slices.IndexFunc(out.Results, func(r evidence.SearchResult) bool { return r.Title == text })
		require.GreaterOrEqual(t, at, 0, text)
		status := out.Results[at].Status
		require.Equal(t, good, out.Results[at].Trust.Value > .5, "%s: %s", text, status)
		require.Equal(t, good, status == "supported" || status == "high_confidence", "%s: %s", text, status)
	}
}

func TestWithoutStatisticsTheWalkGoesOnAndSaysSo(t *testing.T) {
	s := stack.Start(t, stack.WithoutWorkers())
	dialer, err := mcp.NewDialer(s.URL, 1)
	require.NoError(t, err)
	defer dialer.Close()
	b := newLibrarian(&library{}, &Options{Store: s.Store, URL: s.URL, Workers: 1}, dialer)
	require.NoError(t, b.load(t.Context()))
	w := newWalk(b)
	defer w.client.close()
	w.patience = 0
	known, err := w.awaitStatistics(t.Context())
	require.NoError(t, err)
	require.False(t, known)
	require.NoError(t, w.find(t.Context(), known))
	require.Contains(t, w.steps[2].Note, "no spelling is repaired")
	require.ErrorContains(t, w.decide(t.Context()), "search")
}

func TestTheWalkIsWrittenRequestByRequest(t *testing.T) {
	report := KnowledgeReport{Items: 2, Sent: 5, Deferred: 3, Steps: []Step{
		{About: "A question", Tool: "search", Request: json.RawMessage(`{"query":"<x>"}`), Text: "1. one\n\n   two\n", Note: "A note."},
	}}
	var out bytes.Buffer
	require.NoError(t, report.WriteText(&out))
	require.Contains(t, out.String(), "\n1. A question\n\n> search {\"query\":\"<x>\"}\n  1. one\n\n     two\n\n(A note.)\n")
	require.Contains(t, out.String(), "3 more met a rate limit")
	require.Contains(t, out.String(), "Loaded 2 items")
	for _, c := range []struct {
		fresh, deferred int
		begins          string
	}{{0, 0, "All was there already: 2 items"}, {1, 0, "Loaded 2 items"}, {0, 1, "Loaded 2 items"}} {
		out.Reset()
		require.NoError(t, (&KnowledgeReport{Items: 2, New: c.fresh, Deferred: c.deferred}).WriteText(&out))
		require.True(t, strings.HasPrefix(out.String(), c.begins), out.String())
	}
	full := errors.New("full")
	require.ErrorIs(t, report.WriteText(failing{full}), full)
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

var _ io.Writer = failing{}

package demo

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
)

// digests are the contents of all our tables, in a form that tells whether any row changed. The audit log stays by
// design, heads count how often they were woken, keys note when they were last used, how common words are is counted anew from time to time, and lists for
// further pages expire by themselves; scans come a moment later, and are looked at
// by themselves; the server's own keys are nobody's data.
func digests(t *testing.T, s *stack.Stack) map[string]string {
	t.Helper()
	pool := s.Store.Pool()
	rows, err := pool.Query(t.Context(), `
		select c.relname from pg_class c
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname !~ '^(mcp_calls|goose|search_(words|counts|statistics|cursors)$|rescans$|server_keys$|revision_scans$|text_)'`)
	require.NoError(t, err)
	var tables []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	require.NoError(t, rows.Err())
	require.Greater(t, len(tables), 20)
	out := map[string]string{}
	for _, table := range tables {
		row := "to_jsonb(t) - '{last_used_at,last_used_from,queued,need,wakes}'::text[]"
		var digest string
		require.NoError(t, pool.QueryRow(t.Context(),
			`select count(*) || ' ' || coalesce(md5(string_agg((`+row+`)::text, '' order by (`+row+`)::text)), '') from `+table+` t`).Scan(&digest))
		out[table] = digest
	}
	return out
}

// realWork is what real parties did: one item with a subject, a claim and a source, and two uses of it.
func realWork(t *testing.T, s *stack.Stack) (author, user string, item evidence.PublishOutput) {
	t.Helper()
	_, _, author = s.Party(store.Verification{Vouched: true})
	_, _, user = s.Party(store.Verification{Vouched: true})
	s.Must(s.Client(author), "publish", map[string]any{
		"content_type": "guide", "title": "A real guide", "body_markdown": "Text.",
		"new_subjects": []map[string]any{{"type": "software", "name": "PostgreSQL"}},
		"claims":       []map[string]any{{"text": "A real statement that stands by itself."}},
		"sources":      []map[string]any{{"url": "https://example.org/real"}}, "idempotency_key": "real",
	}, &item)
	use(t, s, user, item.ID, "success", nil)
	use(t, s, user, item.Claims[0].ID, "failure", nil)
	return author, user, item
}

func use(t *testing.T, s *stack.Stack, key, target, result string, out *evidence.RecordOutput) {
	t.Helper()
	if out == nil {
		out = &evidence.RecordOutput{}
	}
	s.Must(s.Client(key), "report_usage", map[string]any{"target": target, "result": result, "real_world_use": true}, out)
}

func TestARemovalLeavesTheDatabaseAsItWasBefore(t *testing.T) {
	s := stack.Start(t)
	realWork(t, s)
	evidenceRows(t, s)
	before := digests(t, s)

	report, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Limit: 400})
	require.NoError(t, err)
	require.NotEqual(t, before, digests(t, s))
	var done, total int
	removed, err := Remove(t.Context(), s.Store, func(d, n int) { done, total = d, n })
	require.NoError(t, err)
	require.Equal(t, before, digests(t, s))
	var scans int
	require.NoError(t, s.Store.Pool().QueryRow(t.Context(), `
		select count(*) from text_signatures s where not exists (select from revisions where id = s.object_id) and not exists (select from evidence where id = s.object_id)`).Scan(&scans))
	require.Zero(t, scans, "what scans have found goes with what they have scanned")
	require.Equal(t, total, done)
	require.Equal(t, int64(400), removed.Evidence)
	require.Equal(t, int64(report.Sets[0].Actors), removed.Actors)
	require.Zero(t, removed.KeptActors)

	again, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Limit: 400})
	require.NoError(t, err, "after a removal the demo can be run again")
	require.Equal(t, 400, again.Sets[0].Sent)
	require.NotEqual(t, report.Rows[0].ID, again.Rows[0].ID)
	require.InDelta(t, report.Sets[0].Accuracy, again.Sets[0].Accuracy, 1e-9)
	_, err = Remove(t.Context(), s.Store, nil)
	require.NoError(t, err)
	require.Equal(t, before, digests(t, s))
}

func TestARemovalOfNothingChangesNothing(t *testing.T) {
	s := stack.Start(t)
	realWork(t, s)
	evidenceRows(t, s)
	before := digests(t, s)
	removed, err := Remove(t.Context(), s.Store, nil)
	require.NoError(t, err)
	require.Equal(t, Removed{}, removed)
	require.Equal(t, before, digests(t, s))
}

func TestAnInterruptedRemovalIsRunAgain(t *testing.T) {
	s := stack.Start(t)
	before := digests(t, s)
	_, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Limit: 200})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Remove(ctx, s.Store, func(done, total int) {
		if done > total/4 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	var indexes int
	require.NoError(t, s.Store.Pool().QueryRow(t.Context(),
		`select count(*) from pg_class where starts_with(relname, 'demo_removal_')`).Scan(&indexes))
	require.Zero(t, indexes, "its indexes are dropped")
	_, err = Remove(t.Context(), s.Store, nil)
	require.NoError(t, err)
	require.Equal(t, before, digests(t, s))
}

// demoParty is a demo actor with a key that may do everything that a run does.
func demoParty(t *testing.T, s *stack.Stack, name string) string {
	t.Helper()
	ids, err := s.Store.EnsureDemoActors(t.Context(), []store.NewActor{{Kind: store.KindUser, Name: name, Verification: store.Verification{Vouched: true}}})
	require.NoError(t, err)
	keys, err := issueKeys(t.Context(), s.Store, ids)
	require.NoError(t, err)
	return keys[0]
}

func TestWhatRealContentBuildsOnIsKept(t *testing.T) {
	s := stack.Start(t)
	author, user, item := realWork(t, s)
	demo := demoParty(t, s, "Demo author")
	publish := func(key, title string, extra map[string]any) (out evidence.PublishOutput) {
		args := map[string]any{"content_type": "guide", "title": title, "body_markdown": "Text."}
		maps.Copy(args, extra)
		s.Must(s.Client(key), "publish", args, &out)
		return out
	}
	subject := func(name string) []map[string]any { return []map[string]any{{"type": "tool", "name": name}} }
	claim := func(text string) []map[string]any { return []map[string]any{{"text": text}} }
	source := func(url string) []map[string]any { return []map[string]any{{"url": url}} }
	relation := func(target string) []map[string]any {
		return []map[string]any{{"type": "derived_from", "target": target}}
	}

	root := publish(demo, "Demo root", nil)
	middle := publish(demo, "Demo middle", map[string]any{"relations": relation(root.ID)})
	shared := publish(demo, "Demo shared", map[string]any{
		"new_subjects": subject("shared tool"), "claims": claim("A shared statement says enough by itself."),
		"sources": source("https://example.com/shared"),
	})
	alone := publish(demo, "Demo alone", map[string]any{
		"new_subjects": subject("lone tool"), "claims": claim("A lone statement says enough by itself."),
		"sources": source("https://example.com/alone"), "relations": relation(shared.ID),
	})
	publish(author, "Real response", map[string]any{
		"relations": relation(middle.ID), "subjects": []string{shared.Subjects[0].ID},
		"claims": []map[string]any{{"id": shared.Claims[0].ID}}, "sources": []map[string]any{{"id": shared.Sources[0].ID}},
	})

	use(t, s, user, alone.ID, "success", nil) // goes with its target
	var kept evidence.RecordOutput
	use(t, s, demo, item.ID, "failure", nil)
	use(t, s, user, item.ID, "success", &kept)
	s.Must(s.Client(user), "report_usage", map[string]any{"retract": kept.ID}, nil)
	use(t, s, demo, item.Claims[0].ID, "success", nil)
	use(t, s, demo, shared.Claims[0].ID, "success", nil)
	use(t, s, user, shared.Claims[0].ID, "success", nil)
	require.Equal(t, int64(10), evidenceRows(t, s), "with the assertion of the real response")

	removed, err := Remove(t.Context(), s.Store, nil)
	require.NoError(t, err)
	require.Equal(t, Removed{Contents: 2, Claims: 1, Entities: 1, Sources: 1, Evidence: 4, Actors: 0, KeptActors: 1}, removed)
	require.Equal(t, int64(6), evidenceRows(t, s))

	reader := s.Client(author)
	for name, c := range map[string]struct {
		id   string
		kept bool
	}{
		"an item that real content relates to":   {middle.ID, true},
		"an item that a kept one relates to":     {root.ID, true},
		"an item that nobody relates to":         {alone.ID, false},
		"an item whose claim is shared":          {shared.ID, false},
		"a claim that real content states":       {shared.Claims[0].ID, true},
		"a claim of nobody else":                 {alone.Claims[0].ID, false},
		"an entity that real content is about":   {shared.Subjects[0].ID, true},
		"an entity of nobody else":               {alone.Subjects[0].ID, false},
		"a source that real content cites":       {shared.Sources[0].ID, true},
		"a source of nobody else":                {alone.Sources[0].ID, false},
		"real content":                           {item.ID, true},
		"a real record about a real item":        {kept.ID, true},
		"the entity that real content has made":  {item.Subjects[0].ID, true},
		"the source that only real content uses": {item.Sources[0].ID, true},
	} {
		err := s.Call(reader, "get", map[string]any{"id": c.id}, nil)
		require.Equal(t, c.kept, err == nil, "%s: %v", name, err)
	}
	requireUsage(t, s, author, item.ID, evidence.UsageCounts{Success: 1}, 1)
	requireUsage(t, s, author, item.Claims[0].ID, evidence.UsageCounts{Failure: 1}, 0)
	requireUsage(t, s, author, shared.Claims[0].ID, evidence.UsageCounts{Success: 1}, 0)
	require.Error(t, s.Call(s.Client(author), "get", map[string]any{"id": "usr_none"}, nil))

	removed, err = Remove(t.Context(), s.Store, nil)
	require.NoError(t, err)
	require.Equal(t, Removed{KeptActors: 1}, removed, "a second removal finds nothing more")
}

// requireUsage compares what trust counts about a target.
func requireUsage(t *testing.T, s *stack.Stack, key, id string, want evidence.UsageCounts, retracted int64) {
	t.Helper()
	var out evidence.GetOutput
	s.Must(s.Client(key), "get", map[string]any{"id": id, "include": []string{"evidence_summary"}}, &out)
	require.Equal(t, want, out.EvidenceSummary.Usage, id)
	require.Equal(t, retracted, out.EvidenceSummary.Retracted, id)
	require.Zero(t, out.Trust.Pending, id)
}

package actions_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgcut"
	"interai/internal/stack"
	"interai/store"
)

// article is what the tests publish.
func article() fields {
	return fields{
		"content_type": "procedure", "title": "Idempotent webhook handling", "body_markdown": "Deduplicate by delivery id.",
		"claims":          []fields{{"text": "Deduplicating by delivery id prevents double processing."}},
		"new_subjects":    []fields{{"type": "api", "name": "Webhooks"}, {"type": "api", "name": "Polling"}},
		"idempotency_key": "article",
	}
}

// TestEveryOperationAndEveryFailure takes all nine operations and every status that the document lists over the wire.
// What was said is kept for the validators of api/openapi/validate.
func TestEveryOperationAndEveryFailure(t *testing.T) {
	t.Parallel()
	k := start(t, stack.With("actions-concurrency", "4"))
	seen := &exchanges{valid: true}
	seen.Document = json.RawMessage(k.request(http.MethodGet, "/openapi.json", "").body)
	k.seen = seen

	theirs := k.theirItem()
	var item evidence.PublishOutput
	k.must("publish", article(), &item)
	webhooks, polling := item.Subjects[0].ID, item.Subjects[1].ID
	var found evidence.SearchOutput
	k.must("search", fields{"query": "webhook deduplicate delivery", "limit": 5}, &found)
	require.True(t, slices.ContainsFunc(found.Results, func(r evidence.SearchResult) bool { return r.ID == item.ID }))
	var read evidence.GetOutput
	k.must("get", fields{"id": item.ID, "include": []string{"body", "claims", "evidence", "evidence_summary", "revisions", "explanation"}}, &read)
	require.Equal(t, "Idempotent webhook handling", read.Title)
	var used, review, rating evidence.RecordOutput
	k.must("report_usage", fields{"target": theirs, "result": "success", "real_world_use": true}, &used)
	k.must("review", fields{"target": theirs, "verdict": "confirmed", "based_on_usage": used.ID}, &review)
	k.must("rate", fields{"target": webhooks, "dimension": "reliability", "score": 80}, &rating)
	k.must("submit_experience", fields{
		"title": "Webhooks under load", "result": "partial", "subjects": []string{webhooks}, "used": []fields{{"id": polling, "result": "failure"}},
	}, nil)
	var compared evidence.CompareOutput
	k.must("compare", fields{"ids": []string{polling, webhooks}}, &compared)
	require.Equal(t, polling, compared.Items[0].ID)
	var me evidence.WhoamiOutput
	k.must("whoami", fields{}, &me)
	require.Equal(t, k.Agent.String(), me.ActorID)
	require.NotContains(t, me.Scopes, "moderate")
	k.must("rate", fields{"retract": rating.ID}, nil)

	for status, got := range map[int]reply{
		404: k.post("get", fields{"id": "cnt_01m8p3wrg8f658qzehythpppe1"}),
		403: k.post("review", fields{"target": item.ID, "verdict": "confirmed"}),
		409: k.post("publish", with(article(), "title", "Another")),
		422: k.post("review", fields{"target": webhooks, "verdict": "confirmed"}),
	} {
		require.Equal(t, status, got.status, got.body)
	}
	seen.valid = false
	path, authorized := "/actions/v1/whoami", []string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}
	for status, got := range map[int]reply{
		400: k.post("search", fields{"limit": 51}),
		401: k.request("POST", path, "{}", "Content-Type", "application/json"),
		413: k.request("POST", path, strings.Repeat(" ", 1<<20+1), authorized...),
		415: k.request("POST", path, "{}", "Authorization", "Bearer "+token, "Content-Type", "text/plain"),
	} {
		require.Equal(t, status, got.status, got.body)
	}
	k.limitedAndAway()
	seen.save(t)
	k.audited("compare", "get", "publish", "rate", "report_usage", "review", "search", "submit_experience", "whoami")
}

// limitedAndAway takes the two failures that pass by themselves, on a second node of the same database.
func (k *kit) limitedAndAway() {
	k.t.Helper()
	proxy := pgcut.Start(k.t, k.ConnString)
	other := start(k.t, stack.On(proxy.ConnString), stack.WithoutWorkers(), stack.With("actions-calls-per-minute", "1"))
	other.seen = &exchanges{valid: true}
	require.Equal(k.t, http.StatusOK, other.post("whoami", fields{}).status)
	require.Equal(k.t, http.StatusTooManyRequests, other.post("whoami", fields{}).status)
	proxy.Down()
	require.Equal(k.t, http.StatusServiceUnavailable, other.post("whoami", fields{}).status)
	proxy.Up()
	k.seen.Exchanges = append(k.seen.Exchanges, other.seen.Exchanges...)
}

func with(in fields, name string, value any) fields {
	out := maps.Clone(in)
	out[name] = value
	return out
}

// theirItem is something of another party, which may be reviewed.
func (k *kit) theirItem() string {
	k.t.Helper()
	_, _, key := k.Party(store.Verification{})
	var item evidence.PublishOutput
	k.Must(k.Client(key), "publish", fields{"content_type": "note", "title": "Theirs"}, &item)
	return item.ID
}

// audited waits until the operations have audit rows of this interface, for the local agent.
func (k *kit) audited(operations ...string) {
	k.t.Helper()
	slices.Sort(operations)
	k.Eventually("the calls are audited", func() bool {
		var seen string
		k.query(`select coalesce(string_agg(distinct tool, ' ' order by tool), '') from mcp_calls
			where adapter = 'actions' and code = '' and actor_id = $1`, &seen, k.Agent.UUID)
		return seen == strings.Join(operations, " ")
	})
}

func TestAReplayOverActionsIsTheAnswerOfMCP(t *testing.T) {
	t.Parallel()
	k := start(t)
	client := k.Client(k.Key)
	var first, again, third json.RawMessage
	k.Must(client, "publish", article(), &first)
	k.must("publish", article(), &again)
	require.JSONEq(t, string(first), string(again), "one actor, one key, one answer")
	use := fields{"target": k.theirItem(), "result": "success", "idempotency_key": "use"}
	k.must("report_usage", use, &first)
	k.Must(client, "report_usage", use, &third)
	require.JSONEq(t, string(first), string(third))
	var records int
	k.query(`select count(*) from evidence`, &records)
	require.Equal(t, 1, records)
}

func TestActionsSpeakForTheActorThatIsConfigured(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	_, agent, _ := s.Party(store.Verification{})
	k := start(t, stack.On(s.ConnString), stack.With("actions-actor", agent.String()))
	var me evidence.WhoamiOutput
	k.must("whoami", fields{}, &me)
	require.Equal(t, agent.String(), me.ActorID)
	require.NoError(t, k.Store.DisableActor(t.Context(), agent))
	require.Equal(t, http.StatusUnauthorized, k.post("whoami", fields{}).status)
}

func TestEverybodyWithoutTheTokenGetsTheSameBytes(t *testing.T) {
	t.Parallel()
	k := start(t)
	var want reply
	for name, headers := range map[string][]string{
		"nothing": {}, "an empty header": {"Authorization", ""}, "the scheme alone": {"Authorization", "Bearer"},
		"an empty token": {"Authorization", "Bearer "}, "another token": {"Authorization", "Bearer " + strings.ToUpper(token)},
		"a part of it": {"Authorization", "Bearer " + token[:39]}, "more than it": {"Authorization", "Bearer " + token + "x"},
		"two blanks": {"Authorization", "Bearer  " + token}, "another scheme": {"Authorization", "Basic " + token},
		"no scheme": {"Authorization", token}, "an API key": {"Authorization", "Bearer " + k.Key},
		"the token twice":     {"Authorization", "Bearer " + token, "Authorization", "Bearer " + token},
		"a wrong one and it":  {"Authorization", "Bearer x", "Authorization", "Bearer " + token},
		"it and a wrong one":  {"Authorization", "Bearer " + token, "Authorization", "Bearer x"},
		"two in one":          {"Authorization", "Bearer " + token + ", Bearer " + token},
		"in another header":   {"X-Api-Key", token},
		"in a proxy's header": {"Proxy-Authorization", "Bearer " + token},
		"with a sign behind":  {"Authorization", "Bearer " + token + ","},
		"a very long one":     {"Authorization", "Bearer " + strings.Repeat("x", 20_000)},
	} {
		for _, method := range []string{"POST", "GET", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"} {
			for _, path := range []string{"/actions/v1/whoami", "/actions/v1/nothing", "/actions", "/actions/", "/actions/v2/x?token=" + token, "/actions%2Fv1/x"} {
				got := k.request(method, path, "{}", headers...)
				got.header.Del("X-Request-Id")
				got.header.Del("Date")
				require.Equal(t, http.StatusUnauthorized, got.status, name)
				if want.status == 0 {
					want = got
				}
				require.Equal(t, want, got, "%s: %s %s", name, method, path)
			}
		}
	}
	require.Equal(t, "unauthenticated", want.code(t))
	require.True(t, strings.HasPrefix(want.header.Get("Www-Authenticate"), "Bearer realm="))
	require.Equal(t, "no-store", want.header.Get("Cache-Control"))
	got := k.request("HEAD", "/actions/v1/whoami", "")
	require.Equal(t, http.StatusUnauthorized, got.status)
	require.Empty(t, got.body)
	require.Equal(t, 200, k.request("POST", "/actions/v1/whoami", "{}", "Authorization", "bearer "+token, "Content-Type", "application/json").status)
}

func TestTheTokenCanBeChangedWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	k := start(t)
	ask := func(token string) int {
		return k.request("POST", "/actions/v1/whoami", "{}", "Authorization", "Bearer "+token, "Content-Type", "application/json").status
	}
	next := strings.Repeat("0123456789", 4)
	require.Equal(t, 200, ask(token))
	require.Equal(t, 401, ask(next))
	beside := filepath.Join(filepath.Dir(k.path), "next")
	require.NoError(t, os.WriteFile(beside, []byte(next+"\n"), 0o600))
	require.NoError(t, os.Rename(beside, k.path))
	require.Equal(t, 401, ask(token))
	require.Equal(t, 200, ask(next))
	require.NoError(t, os.Chmod(k.path, 0o644))
	require.Equal(t, 401, ask(next), "others may read it")
	require.NoError(t, os.Chmod(k.path, 0o600))
	require.Equal(t, 200, ask(next))
	require.NoError(t, os.WriteFile(k.path, []byte(k.Key), 0o600))
	require.Equal(t, 401, ask(k.Key), "an API key is no token")
	require.NoError(t, os.Remove(k.path))
	require.Equal(t, 401, ask(next))
}

func TestActionsThatAreOffAreNowhere(t *testing.T) {
	t.Parallel()
	k := &kit{Stack: stack.Start(t, stack.With("public-url", origin)), t: t}
	unknown := k.request("POST", "/nowhere/v1/whoami", "{}")
	require.Equal(t, http.StatusNotFound, unknown.status)
	for _, path := range []string{"/actions", "/actions/", "/actions/v1/whoami", "/openapi.json"} {
		for _, method := range []string{"GET", "POST", "PUT", "BREW"} {
			got := k.request(method, path, "{}", "Authorization", "Bearer "+token)
			require.Equal(t, http.StatusNotFound, got.status, "%s %s", method, path)
			require.Empty(t, got.header.Get("Www-Authenticate"))
		}
	}
}

func TestTheDocumentIsWhereTheWorldReachesTheServer(t *testing.T) {
	t.Parallel()
	k := start(t)
	got := k.request("GET", "/openapi.json", "")
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, "application/json", got.header.Get("Content-Type"))
	require.NotEmpty(t, got.header.Get("Cache-Control"))
	var doc struct{ Servers []struct{ URL string } }
	got.into(t, &doc)
	require.Equal(t, origin, doc.Servers[0].URL)
	require.Equal(t, http.StatusNotModified, k.request("GET", "/openapi.json", "", "If-None-Match", got.header.Get("ETag")).status)
	for _, secret := range []string{token, k.path, k.ConnString, k.Key, k.Node.Config.DataDir, k.Agent.String(), "127.0.0.1", "/mcp", "/healthz"} {
		require.NotContains(t, got.body, secret)
	}
	for _, url := range []string{"http://inter-ai.invalid", "https://localhost:8443", "https://inter-ai.invalid/sub", ""} {
		k := start(t, stack.With("public-url", url))
		require.Equal(t, http.StatusNotFound, k.request("GET", "/openapi.json", "").status, url)
		k.must("whoami", fields{}, nil)
	}
}

func TestACallThatIsRefusedOverActionsIsAudited(t *testing.T) {
	t.Parallel()
	k := start(t, stack.With("actions-calls-per-minute", "3"))
	require.Equal(t, "validation_failed", k.post("search", fields{"limit": -1}).code(t))
	require.Equal(t, "not_found", k.post("get", fields{"id": "cnt_01m8p3wrg8f658qzehythpppe1"}).code(t))
	deep := k.request("POST", "/actions/v1/publish", `{"structured_data":`+strings.Repeat(`{"a":`, 5000), "Authorization", "Bearer "+token, "Content-Type", "application/json")
	require.Equal(t, http.StatusBadRequest, deep.status)
	var e struct{ Error ops.Error }
	deep.into(t, &e)
	require.Equal(t, "depth", e.Error.Details.Problems[0].Rule)
	got := k.post("whoami", fields{})
	require.Equal(t, "rate_limited: calls_limit", got.code(t))
	require.Equal(t, http.StatusTooManyRequests, got.status)
	require.NotEmpty(t, got.header.Get("Retry-After"))
	k.Eventually("the refused calls are audited", func() bool {
		var codes string
		k.query(`select coalesce(string_agg(code, ' ' order by code, tool), '') from mcp_calls where adapter = 'actions'`, &codes)
		return codes == "not_found validation_failed validation_failed"
	})
}

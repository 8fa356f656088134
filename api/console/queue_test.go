package console_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
)

var rowOf = regexp.MustCompile(`data-case="(cas_[0-9a-z]{26})"`)

func rows(body string) []string {
	var out []string
	for _, m := range rowOf.FindAllStringSubmatch(body, -1) {
		out = append(out, m[1])
	}
	return out
}

func TestTheQueueIsNarrowedAndCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	secret := b.rejected(b.Key, "First", dsn("one"))
	_, token := b.flagged(b.Key, "Maps", "The map needs "+weakToken())
	human, agent, agentKey := b.Party(store.Verification{})
	theirs := b.rejected(agentKey, "Theirs", dsn("one"))
	r := b.signedIn()
	rules := b.caseOf(token).Rules
	for query, want := range map[string][]string{
		"":                                {secret, token, theirs},
		"?origin=rejection":               {secret, theirs},
		"?origin=finding":                 {token},
		"?reason=secret&rule=" + rules[0]: {token},
		"?party=" + human.String():        {theirs},
		"?actor=" + agent.String():        {theirs},
		"?state=appealed":                 nil,
		"?state=decided":                  nil,
		"?state=all":                      {theirs, token, secret},
		"?reason=personal_data":           nil,
	} {
		a := r.get("/console" + query)
		require.Equal(t, http.StatusOK, a.status, query)
		require.Equal(t, want, rows(a.body), query)
	}
	for _, query := range []string{"?state=x", "?origin=x", "?rule=%3Cb%3E", "?party=x", "?actor=" + secret, "?after=x", "?after=usr_00000000000000000000000000"} {
		a := r.get("/console" + query)
		require.Equal(t, http.StatusBadRequest, a.status, query)
		require.Contains(t, a.body, "This filter cannot be used", query)
		require.NotContains(t, a.body, "<b>", query)
	}
	body := r.get("/console?origin=rejection").body
	require.Regexp(t, `Open <span class="count">2<`, body)
	require.Regexp(t, `All <span class="count">2<`, body)
	require.Contains(t, body, "value twice by 2 parties", "the same value was sent by two")
	require.Contains(t, body, "[secret:")
	require.NotContains(t, body, password())
	require.Contains(t, body, `/console/cases/`+secret+`?origin=rejection"`, "the filter is kept")
	require.Equal(t, http.StatusSeeOther, b.reader().get("/console").status)
}

func TestTheQueueIsPagedByKeys(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	ids := make([]string, 30)
	for i := range ids {
		ids[i] = b.rejected(b.Key, "Connecting", dsn(fmt.Sprint("user", i)))
	}
	r := b.signedIn()
	first := r.get("/console")
	require.Equal(t, ids[:25], rows(first.body))
	next := "/console?after=" + ids[24]
	require.Contains(t, first.body, `href="`+next+`"`)
	require.NotContains(t, first.body, "First page")
	second := r.get(next)
	require.Equal(t, ids[25:], rows(second.body))
	require.Contains(t, second.body, "First page")
	require.NotContains(t, second.body, "Next page")
	require.Regexp(t, `Open <span class="count">30<`, second.body)
	gone := r.get("/console?after=cas_00000000000000000000000000")
	require.Equal(t, http.StatusNotFound, gone.status, "it must not look as if nothing waited")
	require.Contains(t, gone.body, "This page is gone")
}

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"'>` + "\u202eevil [click](javascript:alert(3)) {{.CSRF}} "
	_, id := b.flagged(b.Key, "Maps <b>& more</b>", hostile+"needs "+weakToken())
	refused := b.rejected(b.Key, "Maps <i>", hostile+dsn("svc"))
	agent, err := b.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindUser, Name: `<u onclick="x">Mallory</u>`})
	require.NoError(t, err)
	third := b.rejected(b.KeyOf(agent.ID, "publish"), "x", dsn("svc"))
	r := b.signedIn()
	for _, path := range []string{"/console", "/console/statistics", "/console/cases/" + id, "/console/cases/" + refused, "/console/cases/" + third} {
		body := r.get(path).body
		require.NotContains(t, body, "<script>", path)
		require.NotContains(t, body, "<img", path)
		require.NotContains(t, body, "<b>", path)
		require.NotContains(t, body, "<i>", path)
		require.NotContains(t, body, "<u ", path)
		require.NotContains(t, body, "\u202e", path)
		require.NotContains(t, body, `href="javascript`, path)
		require.NotContains(t, body, password(), path)
	}
	require.Contains(t, r.get("/console/cases/"+refused).body, "&lt;script&gt;alert(1)")
}

func TestPagesAreGuarded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.rejected(b.Key, "Connecting", dsn("svc"))
	r := b.signedIn()
	for _, a := range []*answer{
		r.get("/console"), r.get("/console/cases/" + id), r.get("/console/statistics"), r.get("/console/cases/x"), b.reader().get("/console"),
		b.reader().get("/console/sign-in"), r.post("/console/decide", nil), b.reader().post("/console/sign-in", nil),
	} {
		require.Equal(t, "no-store", a.header.Get("Cache-Control"))
		require.Equal(t, "DENY", a.header.Get("X-Frame-Options"))
		require.Equal(t, "no-referrer", a.header.Get("Referrer-Policy"))
		require.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"))
		policy := a.header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			require.Contains(t, policy, part)
		}
		require.NotContains(t, policy, "unsafe")
		require.NotContains(t, strings.ToLower(a.body), " style=")
		require.NotRegexp(t, `(?i) on[a-z]+="`, a.body)
	}
	page := r.get("/console").body
	for _, asset := range regexp.MustCompile(`/console/assets/[0-9a-f]{12}-[a-z.]+`).FindAllString(page, -1) {
		a := b.reader().get(asset)
		require.Equal(t, http.StatusOK, a.status, asset)
		require.Contains(t, a.header.Get("Cache-Control"), "immutable", asset)
	}
}

func TestACaseShowsWhatWasFoundAndWhatIsStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item, _ := b.flagged(b.Key, "Maps", "The map needs "+weakToken()+"\nkept line\n")
	var second evidence.PublishOutput
	b.Must(b.Client(b.Key), "publish", fields{
		"content_type": "note", "title": "Maps", "body_markdown": "A map is drawn with " + weakToken() + "\nkept line\n", "revision_of": item.ID,
	}, &second)
	_, err := b.Client(b.Key).Call(t.Context(), "publish", fields{
		"content_type": "note", "title": "Maps", "body_markdown": "kept line\n" + dsn("svc"), "revision_of": item.ID,
	}, nil)
	require.Error(t, err)
	cases, _, err := b.Node.Moderation.Cases(t.Context(), store.CaseQuery{State: store.CasesAll, Limit: 10})
	require.NoError(t, err)
	r := b.signedIn()
	// Each revision that was stored with the flagged value has a case; in its masked texts the value gives way to its rule.
	flagged := r.get("/console/cases/" + cases[len(cases)-1].ID.String()).body
	require.Contains(t, flagged, `<mark id="m1"><span class="no">finding 1: </span>[secret:google_api_key]</mark>`)
	require.Contains(t, flagged, "accepted, to be looked at")
	require.Contains(t, flagged, "line 1, column 15, 39 characters")
	require.Contains(t, flagged, "What is stored now")
	require.Contains(t, flagged, `href="/`+item.RevisionID+`"`)

	refused := r.get("/console/cases/" + cases[0].ID.String()).body
	require.Contains(t, refused, "From what is stored to what was sent and refused.")
	require.Contains(t, refused, `<span class="hidden">removed: </span>`)
	require.Contains(t, refused, `<span class="hidden">added: </span><span class="body" dir="auto">postgres://svc:[secret:`)
	require.NotContains(t, refused, password())
	require.Contains(t, refused, "this value once by 1 party")

	b.exec(`update moderation_cases set object_id = $1 where id = $2`, b.id(second.RevisionID).UUID, cases[len(cases)-1].ID.UUID)
	require.Contains(t, r.get("/console/cases/"+cases[len(cases)-1].ID.String()).body, "From the revision before to this one.")
}

func TestStatisticsSayHowOftenRulesWereRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.signedIn()
	require.Contains(t, r.get("/console/statistics").body, "No rule has found anything yet.")
	for i, what := range []string{"uphold", "uphold", "uphold", "false_alarm"} {
		path := "/console/cases/" + b.rejected(b.Key, "Connecting", dsn(fmt.Sprint("user", i)))
		require.Equal(t, http.StatusSeeOther, r.post(path, r.form(path, "decision", what, "reason", "Looked at.")).status)
	}
	open := b.rejected(b.Key, "Connecting", dsn("last"))
	body := r.get("/console/statistics").body
	require.Contains(t, body, "75 %")
	require.Contains(t, body, `aria-label="3 of 4 were right"`)
	require.Contains(t, body, b.caseOf(open).Rules[0])
	require.Contains(t, body, "local operator", "cases by party")
}

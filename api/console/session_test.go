package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/node"
	"interai/internal/stack"
	"interai/store"
)

func TestOnlyAKeyThatModeratesSignsIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	unknown, err := auth.Generate()
	require.NoError(t, err)
	expired := store.Key{Actor: b.moderator, Scopes: []string{"moderate"}, ExpiresAt: new(time.Now().Add(-time.Hour))}
	old, err := node.MakeKey(t.Context(), b.Store, &expired)
	require.NoError(t, err)
	pages := map[string]bool{}
	for rule, key := range map[string]string{
		"no key": "", "no key of ours": "hello", "an unknown key": unknown.Reveal(), "a key without the scope": b.Key, "an expired key": old,
	} {
		a := b.reader().post("/console/sign-in", url.Values{"key": {key}})
		require.Equal(t, http.StatusUnauthorized, a.status, rule)
		require.Empty(t, a.header.Values("Set-Cookie"), rule)
		if key != "" {
			require.NotContains(t, a.body, key, rule)
		}
		pages[a.body] = true
	}
	require.Len(t, pages, 1, "nobody learns which of it was wrong")

	a := b.reader().post("/console/sign-in", url.Values{"key": {" " + b.key + "\n"}})
	require.Equal(t, http.StatusSeeOther, a.status)
	cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
	require.NoError(t, err)
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	require.Equal(t, "/console", cookie.Path)
	require.False(t, cookie.Secure, "the test speaks no TLS")
	require.Len(t, cookie.Value, 43, "256 bits")
	require.Zero(t, b.count(`select count(*) from console_sessions where encode(hash, 'escape') like '%' || $1 || '%'`, cookie.Value))
}

func TestCookiesOfASiteWithTLSNeverGoWithoutIt(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.With("public-url", "https://inter.example"))
	a := b.reader().post("/console/sign-in", url.Values{"key": {b.key}})
	cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
	require.NoError(t, err)
	require.True(t, cookie.Secure)
}

func TestFailedSignInsOfANetworkAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.With("failures-per-minute", "3"))
	r := b.reader()
	for range 3 {
		require.Equal(t, http.StatusUnauthorized, r.post("/console/sign-in", url.Values{"key": {"wrong"}}).status)
	}
	a := r.post("/console/sign-in", url.Values{"key": {b.key}})
	require.Equal(t, http.StatusTooManyRequests, a.status, "not even a good key is looked at")
	require.NotEmpty(t, a.header.Get("Retry-After"))
	status, _ := b.Raw(b.Key, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	require.Equal(t, http.StatusTooManyRequests, status, "the meter is that of all failed authentications")
}

func TestASessionEnds(t *testing.T) {
	t.Parallel()
	for rule, end := range map[string]func(b *bundle, r *reader){
		"when it is idle": func(b *bundle, _ *reader) {
			b.exec(`update console_sessions set seen_at = now() - interval '31 minutes'`)
		},
		"when it is too long": func(b *bundle, _ *reader) {
			b.exec(`update console_sessions set created_at = now() - interval '12 hours 1 second'`)
		},
		"when its key is revoked": func(b *bundle, _ *reader) {
			keys, err := b.Store.Keys(b.t.Context(), b.moderator)
			require.NoError(b.t, err)
			require.NoError(b.t, b.Store.RevokeKey(b.t.Context(), keys[0].ID, ""))
		},
		"when its key expires": func(b *bundle, _ *reader) {
			b.exec(`update api_keys set expires_at = now() where actor_id = $1`, b.moderator.UUID)
		},
		"when its actor is off": func(b *bundle, _ *reader) {
			b.exec(`update actors set disabled_at = now() where id = $1`, b.moderator.UUID)
		},
		"when it signs out": func(b *bundle, r *reader) {
			require.Equal(b.t, "/console/sign-in?ended=1", r.post("/console/sign-out", r.form("/console")).location())
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.rejected(b.Key, "Connecting", dsn("svc"))
			r := b.signedIn()
			form := r.form("/console/cases/"+id, "decision", "uphold", "reason", "It is one.")
			cookies := r.jar.Cookies(mustURL(t, b.site+"/console"))
			end(b, r)
			r.jar.SetCookies(mustURL(t, b.site+"/console"), cookies) // what a thief would have
			if rule == "when its key expires" {
				b.exec(`notify interai_keys`) // nobody tells of an expiry that is written by hand
			}
			b.Eventually("it has ended", func() bool { return r.get("/console").status == http.StatusSeeOther })
			r.jar.SetCookies(mustURL(t, b.site+"/console"), cookies)
			a := r.get("/console/cases/" + id)
			require.Equal(t, "/console/sign-in?next="+url.QueryEscape("/console/cases/"+id), a.location())
			r.jar.SetCookies(mustURL(t, b.site+"/console"), cookies)
			require.Equal(t, http.StatusUnauthorized, r.post("/console/cases/"+id, form).status)
			require.True(t, b.caseOf(id).Open)
		})
	}
}

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	require.NoError(t, err)
	return u
}

func TestASessionServesOnEveryNode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := stack.Start(t, stack.On(b.ConnString), stack.WithoutWorkers())
	r := b.signedIn()
	cookies := r.jar.Cookies(mustURL(t, b.site+"/console"))
	there := &bundle{Stack: other, t: t, site: strings.TrimSuffix(other.URL, "/mcp")}
	second := there.reader()
	second.jar.SetCookies(mustURL(t, there.site+"/console"), cookies)
	require.Equal(t, http.StatusOK, second.get("/console").status)
	r.post("/console/sign-out", r.form("/console"))
	require.Equal(t, http.StatusSeeOther, second.get("/console").status)
}

func TestAKeyHasABoundedNumberOfSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.signedIn()
	for range 10 {
		b.signedIn()
	}
	require.Equal(t, 10, b.count(`select count(*) from console_sessions`))
	require.Equal(t, http.StatusSeeOther, first.get("/console").status, "the oldest has given way")
}

func TestSigningInGoesOnInsideTheConsoleAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for next, want := range map[string]string{
		"":                                      "/console",
		"/console":                              "/console",
		"/console?state=all":                    "/console?state=all",
		"/console/cases/cas_x?reason=secret":    "/console/cases/cas_x?reason=secret",
		"https://evil.example/console":          "/console",
		"//evil.example/console":                "/console",
		"/\\evil.example":                       "/console",
		"/consoles":                             "/console",
		"/console/../mcp":                       "/console",
		"/console/sign-out":                     "/console",
		"javascript:alert(1)":                   "/console",
		"/console/" + strings.Repeat("x", 2000): "/console",
		"/console/%2e%2e/%2e%2e/evil":           "/console",
		"/console\r\nSet-Cookie: a=b":           "/console",
		" /console":                             "/console",
	} {
		a := b.reader().post("/console/sign-in", url.Values{"key": {b.key}, "next": {next}})
		require.Equal(t, want, a.location(), next)
	}
}

func TestWhatModeratorsDoIsAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.rejected(b.Key, "Connecting", dsn("svc"))
	b.reader().post("/console/sign-in", url.Values{"key": {b.Key}})
	r := b.signedIn()
	r.get("/console/statistics")
	form := r.form("/console/cases/"+id, "decision", "uphold", "reason", "It is one.")
	require.Equal(t, http.StatusSeeOther, r.post("/console/cases/"+id, form).status)
	require.Equal(t, http.StatusConflict, r.post("/console/cases/"+id, form).status)
	r.post("/console/sign-out", r.form("/console"))
	for tool, want := range map[string]int{
		"console.sign_in": 1, "console.statistics": 1, "console.case": 2, "console.queue": 1, "console.sign_out": 1, "moderation.decide": 2,
	} {
		b.Eventually(tool, func() bool {
			return b.count(`select count(*) from mcp_calls where adapter = 'console' and tool = $1 and actor_id = $2`, tool, b.moderator.UUID) == want
		})
	}
	b.Eventually("the failure", func() bool {
		return b.count(`select count(*) from mcp_calls where tool = 'console.sign_in' and actor_id is null and code = 'unauthenticated'`) == 1
	})
	require.Zero(t, b.count(`select count(*) from mcp_calls where request::text || result like '%' || $1 || '%'`, b.key[17:]))
}

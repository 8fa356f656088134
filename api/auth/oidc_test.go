package auth

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/store"
)

const resource = "https://inter.example/mcp"

// relying is a holder's database with an issuer whose subject "ann" is the agent.
type relying struct {
	*holder
	*issuer
	oidc *OIDC
}

func rely(t *testing.T) *relying {
	t.Helper()
	r := &relying{holder: setup(t), issuer: newIssuer(t)}
	var err error
	r.oidc, err = NewOIDC(OIDCConfig{Issuer: r.server.URL, Audience: resource}, r.db, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	r.oidc.now = func() time.Time { return r.now }
	r.link("ann", "read", "usage")
	return r
}

func (r *relying) link(subject string, scopes ...string) {
	r.holder.t.Helper()
	require.NoError(r.holder.t, r.db.LinkOIDC(r.holder.t.Context(), store.OIDCLink{
		Issuer: r.server.URL, Subject: subject, Actor: r.agent, Scopes: scopes,
	}))
}

// claims are those of a good token, with changes; a nil value takes a claim away.
func (r *relying) claims(more map[string]any) map[string]any {
	out := map[string]any{
		"iss": r.server.URL, "sub": "ann", "aud": resource, "exp": r.now.Add(time.Hour).Unix(), "iat": r.now.Unix(), "scope": "read publish",
	}
	maps.Copy(out, more)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	return out
}

func (r *relying) verify(token string) (*ops.Caller, error) {
	return r.oidc.Verify(r.holder.t.Context(), token)
}

func TestATokenSpeaksForTheLinkedActorAlone(t *testing.T) {
	t.Parallel()
	r := rely(t)
	at := func(d time.Duration) int64 { return r.now.Add(d).Unix() }
	good := r.sign("RS256", "at+jwt", r.claims(nil))
	header := func(more map[string]any) string {
		h := map[string]any{"alg": "RS256", "kid": "rsa"}
		maps.Copy(h, more)
		return r.signed(h, r.claims(nil))
	}
	for _, tt := range []struct {
		rule  string
		token string
		fails bool
	}{
		{"RS256", good, false},
		{"PS256", r.sign("PS256", "at+jwt", r.claims(nil)), false},
		{"ES256", r.sign("ES256", "application/at+jwt", r.claims(nil)), false},
		{"EdDSA", r.sign("EdDSA", "AT+JWT", r.claims(nil)), false},
		{"no type", r.sign("RS256", "", r.claims(nil)), false},
		{"an audience among others", r.sign("RS256", "", r.claims(map[string]any{"aud": []string{"https://other.example", resource}})), false},
		{"expired within the skew", r.sign("RS256", "", r.claims(map[string]any{"exp": at(-59 * time.Second)})), false},
		{"not yet valid within the skew", r.sign("RS256", "", r.claims(map[string]any{"nbf": at(59 * time.Second)})), false},
		{"expired", r.sign("RS256", "", r.claims(map[string]any{"exp": at(-61 * time.Second)})), true},
		{"never expires", r.sign("RS256", "", r.claims(map[string]any{"exp": nil})), true},
		{"not yet valid", r.sign("RS256", "", r.claims(map[string]any{"nbf": at(62 * time.Second)})), true},
		{"another audience", r.sign("RS256", "", r.claims(map[string]any{"aud": "https://inter.example"})), true},
		{"no audience", r.sign("RS256", "", r.claims(map[string]any{"aud": nil})), true},
		{"another issuer", r.sign("RS256", "", r.claims(map[string]any{"iss": "https://evil.example"})), true},
		{"an unknown subject", r.sign("RS256", "", r.claims(map[string]any{"sub": "bob"})), true},
		{"no subject", r.sign("RS256", "", r.claims(map[string]any{"sub": nil})), true},
		{"a huge subject", r.sign("RS256", "", r.claims(map[string]any{"sub": strings.Repeat("s", 256)})), true},
		{"an ID token", r.sign("RS256", "JWT", r.claims(nil)), true},
		{"a logout token", r.sign("RS256", "logout+jwt", r.claims(nil)), true},
		{"an algorithm without a key", header(map[string]any{"alg": "none"}), true},
		{"a shared secret", header(map[string]any{"alg": "HS256"}), true},
		{"an unknown key", header(map[string]any{"kid": "other"}), true},
		{"a critical extension", header(map[string]any{"crit": []string{"b64"}}), true},
		{"a forged signature", forge(good), true},
		{"two parts", strings.Join(strings.Split(good, ".")[:2], "."), true},
		{"encrypted form", good + ".a.b", true},
		{"a header that is no JSON", "e30x." + strings.SplitN(good, ".", 2)[1], true},
		{"a header that is no base64", "*." + strings.SplitN(good, ".", 2)[1], true},
		{"too long", good + strings.Repeat("a", maxTokenBytes), true},
		{"nothing", "", true},
	} {
		caller, err := r.verify(tt.token)
		if tt.fails {
			require.ErrorIs(t, err, ErrUnauthenticated, tt.rule)
			require.Nil(t, caller, tt.rule)
			continue
		}
		require.NoError(t, err, tt.rule)
		require.Equal(t, r.agent.String(), caller.Actor)
		require.Equal(t, []string{"read"}, caller.Scopes, "only what the token and the link both give")
		require.Empty(t, caller.KeyID)
	}
	require.Equal(t, 1, r.count("/.well-known/openid-configuration"), "the issuer is asked once")
}

func TestScopesComeInTwoForms(t *testing.T) {
	t.Parallel()
	r := rely(t)
	for _, tt := range []struct {
		rule   string
		claims map[string]any
		want   []string
	}{
		{"a string", map[string]any{"scope": "usage  read"}, []string{"read", "usage"}},
		{"a list", map[string]any{"scope": nil, "scp": []string{"usage"}}, []string{"usage"}},
		{"none", map[string]any{"scope": nil}, []string{}},
		{"others", map[string]any{"scope": "moderate openid"}, []string{}},
		{"another form", map[string]any{"scope": 7}, []string{}},
	} {
		caller, err := r.verify(r.sign("ES256", "", r.claims(tt.claims)))
		require.NoError(t, err, tt.rule)
		require.Equal(t, tt.want, caller.Scopes, tt.rule)
	}
}

func TestALinkIsChangedAndTakenAwayAtOnce(t *testing.T) {
	t.Parallel()
	r := rely(t)
	token := r.sign("ES256", "", r.claims(nil))
	r.link("ann", "publish")
	caller, err := r.verify(token)
	require.NoError(t, err)
	require.Equal(t, []string{"publish"}, caller.Scopes)
	links, err := r.db.OIDCLinks(t.Context(), r.agent)
	require.NoError(t, err)
	require.Len(t, links, 1)
	other, err := r.db.CreateActor(t.Context(), store.NewActor{Kind: store.KindUser, Name: "Other"})
	require.NoError(t, err)
	require.ErrorIs(t, r.db.LinkOIDC(t.Context(), store.OIDCLink{Issuer: r.server.URL, Subject: "ann", Actor: other.ID, Scopes: []string{"read"}}), store.ErrExists)
	missing, err := store.NewID(store.KindUser)
	require.NoError(t, err)
	require.ErrorIs(t, r.db.LinkOIDC(t.Context(), store.OIDCLink{Issuer: "i", Subject: "s", Actor: missing, Scopes: []string{"read"}}), store.ErrNotFound)
	require.NoError(t, r.db.DisableActor(t.Context(), r.agent))
	_, err = r.verify(token)
	require.ErrorIs(t, err, ErrUnauthenticated)
	require.NoError(t, r.db.UnlinkOIDC(t.Context(), r.server.URL, "ann"))
	require.ErrorIs(t, r.db.UnlinkOIDC(t.Context(), r.server.URL, "ann"), store.ErrNotFound)
	_, err = r.verify(token)
	require.ErrorIs(t, err, ErrUnauthenticated)
}

func TestAnIssuerThatIsDownMakesTokensUncheckableAndIsNotFlooded(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusFound} {
		r := rely(t)
		r.set(status)
		token := r.sign("ES256", "", r.claims(nil))
		for range 5 {
			_, err := r.verify(token)
			require.ErrorIs(t, err, ErrUnavailable)
		}
		require.Equal(t, 1, r.count("/.well-known/openid-configuration"))
		require.Zero(t, r.count("/elsewhere"), "redirects are not followed")
		r.set(http.StatusOK)
		r.now = r.now.Add(discoveryPause)
		_, err := r.verify(token)
		require.NoError(t, err)
	}
}

func TestKeysThatCannotBeReadAreAnOutageAndNewOnesAreFetched(t *testing.T) {
	t.Parallel()
	r := rely(t)
	r.mu.Lock()
	keys := r.keys
	r.keys = keys[:1]
	r.mu.Unlock()
	_, err := r.verify(r.sign("RS256", "", r.claims(nil)))
	require.NoError(t, err)
	r.set(http.StatusBadGateway)
	_, err = r.verify(r.sign("RS256", "", r.claims(nil)))
	require.NoError(t, err, "known keys are kept")
	_, err = r.verify(r.sign("ES256", "", r.claims(nil)))
	require.ErrorIs(t, err, ErrUnavailable)
	r.mu.Lock()
	r.status, r.keys = http.StatusOK, keys
	r.mu.Unlock()
	// The library ends a fetch shortly after it has answered those who waited for it: until then its failure is shared.
	require.Eventually(t, func() bool {
		_, err := r.verify(r.sign("ES256", "", r.claims(nil)))
		return err == nil
	}, 30*time.Second, time.Millisecond)
}

func TestTheIssuersKeysComeOnlyFromConfiguredHosts(t *testing.T) {
	t.Parallel()
	elsewhere := newIssuer(t)
	for _, configured := range []bool{false, true} {
		r := rely(t)
		r.keys, elsewhere.keys = nil, r.keys
		r.discovery["jwks_uri"] = elsewhere.server.URL + "/keys"
		if configured {
			var err error
			r.oidc.fetch, err = newFetcher(r.server.URL, []string{strings.TrimPrefix(elsewhere.server.URL, "http://")})
			require.NoError(t, err)
		}
		_, err := r.verify(r.sign("ES256", "", r.claims(nil)))
		require.Equal(t, configured, err == nil, "%v", err)
	}
}

func TestWhatIsFetchedIsBounded(t *testing.T) {
	t.Parallel()
	for issuer, ok := range map[string]bool{
		"https://id.example.org": true, "http://127.0.0.1:8080/realm": true, "http://localhost:1": true, "http://[::1]:1": true,
		"http://id.example.org": false, "": false, "id.example.org": false, "https://u@id.example.org": false,
		"https://id.example.org?x=1": false, "https://id.example.org#x": false, "ftp://127.0.0.1": false,
	} {
		_, err := newFetcher(issuer, nil)
		require.Equal(t, ok, err == nil, issuer)
	}
	far, err := newFetcher("https://id.example.org", nil)
	require.NoError(t, err)
	near, err := newFetcher("http://127.0.0.1:1", nil)
	require.NoError(t, err)
	for _, tt := range []struct {
		fetch   *fetcher
		address string
		ok      bool
	}{
		{far, "93.184.216.34:443", true},
		{far, "[2606:2800:220:1::1]:443", true},
		{far, "127.0.0.1:443", false},
		{far, "10.0.0.1:443", false},
		{far, "169.254.169.254:80", false},
		{far, "[fd00::1]:443", false},
		{far, "[::ffff:192.168.0.1]:443", false},
		{far, "0.0.0.0:1", false},
		{near, "127.0.0.1:1", true},
		{near, "10.0.0.1:1", false},
		{near, "nonsense", false},
	} {
		require.Equal(t, tt.ok, tt.fetch.control("tcp", tt.address, nil) == nil, tt.address)
	}
	large := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"issuer":"` + strings.Repeat("x", 2<<20) + `"}`))
	}))
	defer large.Close()
	local, err := newFetcher(large.URL, nil)
	require.NoError(t, err)
	response, err := local.client.Get(large.URL)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Error(t, json.NewDecoder(response.Body).Decode(&struct{}{}), "it is cut")
}

func TestTheBearerLayerTellsKeysFromTokens(t *testing.T) {
	t.Parallel()
	r := rely(t)
	b := NewBearer(r.node(false).Verify, WithTokens(r.oidc.Verify), WithResourceMetadata("https://inter.example"+MetadataPath+"/mcp", "read", "usage"))
	h := b.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(CallerFrom(r.Context()).Actor)) }))
	send := func(token string) *httptest.ResponseRecorder {
		req := httptest.NewRequest(http.MethodPost, "/mcp", http.NoBody)
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		return w
	}
	require.Equal(t, r.agent.String(), send(r.key.Reveal()).Body.String())
	require.Equal(t, r.agent.String(), send(r.sign("ES256", "", r.claims(nil))).Body.String())
	w := send("")
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Equal(t, `Bearer realm="inter-ai", resource_metadata="https://inter.example/.well-known/oauth-protected-resource/mcp", scope="read usage"`,
		w.Header().Get("WWW-Authenticate"))
	w = send(r.sign("ES256", "JWT", r.claims(nil)))
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Contains(t, w.Header().Get("WWW-Authenticate"), `error="invalid_token"`)
	before := r.count("/keys")
	require.Equal(t, http.StatusUnauthorized, send("iai_nonsense.a.b").Code)
	require.Equal(t, before, r.count("/keys"), "what looks like a key is no token")
}

func FuzzTokenHeader(f *testing.F) {
	f.Add("eyJhbGciOiJFUzI1NiJ9.e30.c2ln")
	f.Add("..")
	f.Add("e30.e30.")
	f.Fuzz(func(t *testing.T, token string) {
		if acceptableType(token) && strings.Count(token, ".") != 2 {
			t.Fatal("a token has three parts")
		}
	})
}

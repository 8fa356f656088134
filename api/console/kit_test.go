package console_test

import (
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

type fields = map[string]any

// dsn is a made-up address of a database with a password that ends in a text: no file has it as such.
func dsn(end string) string {
	return "postgres://svc:" + password() + end + "@db.acme-prod.net:5432/main"
}

func password() string { return "k9Xq2" + "Lm7Vt4" + "Rz" }

// weakToken is a made-up key of a kind that may be public: it passes, and a moderator looks at it.
func weakToken() string { return "AI" + "za" + "SyD3x9Qk2LmV7tR4pWz8bNc6YfHj1Ua" + "5Eo0" }

// bundle is a node with its console and a moderator of a party of its own.
type bundle struct {
	*stack.Stack

	t         *testing.T
	site, key string
	moderator store.ID
}

func setup(t *testing.T, options ...stack.Option) *bundle {
	t.Helper()
	s := stack.Start(t, options...)
	human, _, _ := s.Party(store.Verification{})
	return &bundle{Stack: s, t: t, site: strings.TrimSuffix(s.URL, "/mcp"), key: s.KeyOf(human, "read", "moderate"), moderator: human}
}

// rejected publishes what is refused, and answers its case.
func (b *bundle) rejected(key, title, body string) string {
	b.t.Helper()
	_, err := b.Client(key).Call(b.t.Context(), "publish", fields{"content_type": "note", "title": title, "body_markdown": body}, nil)
	e, ok := errors.AsType[*ops.Error](err)
	require.True(b.t, ok, "%v", err)
	require.Equal(b.t, ops.ContentRejected, e.Code)
	return strings.Trim(string(e.Details.Extra["case"]), `"`)
}

// flagged publishes something that a moderator looks at, and answers the item and its case.
func (b *bundle) flagged(key, title, body string) (evidence.PublishOutput, string) {
	b.t.Helper()
	var out evidence.PublishOutput
	b.Must(b.Client(key), "publish", fields{"content_type": "note", "title": title, "body_markdown": body}, &out)
	cases, _, err := b.Node.Moderation.Cases(b.t.Context(), store.CaseQuery{State: store.CasesOpen, Limit: 50})
	require.NoError(b.t, err)
	require.NotEmpty(b.t, cases)
	return out, cases[len(cases)-1].ID.String()
}

func (b *bundle) id(text string) store.ID {
	b.t.Helper()
	id, err := store.ParseID(text)
	require.NoError(b.t, err)
	return id
}

func (b *bundle) caseOf(id string) store.Case {
	b.t.Helper()
	c, err := b.Node.Moderation.Case(b.t.Context(), b.id(id))
	require.NoError(b.t, err)
	return c
}

func (b *bundle) exec(sql string, args ...any) {
	b.t.Helper()
	_, err := b.Store.Pool().Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
}

func (b *bundle) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.Store.Pool().QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// reader is a browser without scripts: it keeps cookies and does not follow redirections.
type reader struct {
	b      *bundle
	client *http.Client
	jar    *cookiejar.Jar
}

func (b *bundle) reader() *reader {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(b.t, err)
	return &reader{b: b, jar: jar, client: &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signedIn is a reader with a session.
func (b *bundle) signedIn() *reader {
	b.t.Helper()
	r := b.reader()
	a := r.post("/console/sign-in", url.Values{"key": {b.key}})
	require.Equal(b.t, http.StatusSeeOther, a.status, a.body)
	require.Equal(b.t, "/console", a.location())
	return r
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a *answer) location() string { return a.header.Get("Location") }

func (r *reader) do(method, path string, form url.Values, headers ...string) *answer {
	r.b.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(r.b.t.Context(), method, r.b.site+path, body)
	require.NoError(r.b.t, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		request.Header.Set("Origin", "null") // as browsers send it from a page without referrers
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			request.Header.Del(headers[i])
		}
	}
	response, err := r.client.Do(request)
	require.NoError(r.b.t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(r.b.t, err)
	return &answer{status: response.StatusCode, header: response.Header, body: string(raw)}
}

func (r *reader) get(path string) *answer {
	r.b.t.Helper()
	return r.do(http.MethodGet, path, nil)
}

func (r *reader) post(path string, form url.Values, headers ...string) *answer {
	r.b.t.Helper()
	return r.do(http.MethodPost, path, form, headers...)
}

var field = regexp.MustCompile(`name="(csrf|seen)" value="([^"]*)"`)

// form reads the hidden fields of a page, and adds more in pairs.
func (r *reader) form(path string, more ...string) url.Values {
	r.b.t.Helper()
	a := r.get(path)
	require.Equal(r.b.t, http.StatusOK, a.status, a.body)
	out := url.Values{}
	for _, m := range field.FindAllStringSubmatch(a.body, -1) {
		out.Set(m[1], html.UnescapeString(m[2]))
	}
	require.NotEmpty(r.b.t, out.Get("csrf"))
	for i := 0; i+1 < len(more); i += 2 {
		out.Add(more[i], more[i+1])
	}
	return out
}

package moderation_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/evidence/moderation"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

type fields = map[string]any

// password is a made-up password, and dsn where it stands: no file has it as such.
func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func password() string { return "k9Xq2" + "Lm7Vt4" + "Rz" }

func dsn() string { return "postgres://svc:" + password() + "@db.acme-prod.net:5432/main" }

// weakToken is a made-up key of a kind that may be public: it passes, and a moderator looks at it.
func weakToken(end string) string { return "AI" + "za" + "SyD3x9Qk2LmV7tR4pWz8bNc6YfHj1Ua" + end }

// bundle is a node with an author, a reader of another party, and a moderator of a third.
type bundle struct {
	*stack.Stack

	t              *testing.T
	author, reader *mcp.Client
	readerID       store.ID
	moderator      moderation.Moderator
}

func setup(t *testing.T, options ...stack.Option) *bundle {
	t.Helper()
	s := stack.Start(t, options...)
	b := &bundle{Stack: s, t: t, author: s.Client(s.Key)}
	_, id, key := s.Party(store.Verification{Vouched: true})
	b.reader, b.readerID = s.Client(key), id
	human, _, _ := s.Party(store.Verification{})
	b.moderator = moderation.Moderator{Actor: human, Root: human, Scopes: []string{"read", "moderate"}, Adapter: "test"}
	return b
}

func draft(more fields) fields {
	out := fields{"content_type": "note", "title": "Connecting to the database", "body_markdown": "Use a pool."}
	maps.Copy(out, more)
	return out
}

func (b *bundle) publish(client *mcp.Client, more fields) evidence.PublishOutput {
	b.t.Helper()
	var out evidence.PublishOutput
	b.Must(client, "publish", draft(more), &out)
	return out
}

// rejection is what a refused call says.
type rejection struct {
	Reason, Case string
	Findings     []moderation.Place
	Suggested    []moderation.Suggestion
}

func (b *bundle) rejected(client *mcp.Client, tool string, args any) rejection {
	b.t.Helper()
	_, err := client.Call(b.t.Context(), tool, args, nil)
	e, ok := errors.AsType[*ops.Error](err)
	require.True(b.t, ok, "%v", err)
	require.Equal(b.t, ops.ContentRejected, e.Code)
	out := rejection{Reason: e.Details.Reason}
	for name, target := range map[string]any{"case": &out.Case, "findings": &out.Findings, "suggested": &out.Suggested} {
		if raw, given := e.Details.Extra[name]; given {
			require.NoError(b.t, json.Unmarshal(raw, target))
		}
	}
	require.NotContains(b.t, e.Error()+string(e.Structured()), password())
	return out
}

func (b *bundle) get(client *mcp.Client, id string) evidence.GetOutput {
	b.t.Helper()
	var out evidence.GetOutput
	b.Must(client, "get", fields{"id": id}, &out)
	return out
}

func (b *bundle) id(text string) store.ID {
	b.t.Helper()
	id, err := store.ParseID(text)
	require.NoError(b.t, err)
	return id
}

func (b *bundle) decide(id, what string) store.Case {
	b.t.Helper()
	c, err := b.Node.Moderation.Decide(b.t.Context(), b.moderator, b.id(id), moderation.Decision{What: what, Reason: "Looked at.", WritesPerHour: 7})
	require.NoError(b.t, err)
	return c
}

func (b *bundle) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.Store.Pool().QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// open lists the open cases of the author.
func (b *bundle) open() []store.Case {
	b.t.Helper()
	cases, _, err := b.Node.Moderation.Cases(b.t.Context(), store.CaseQuery{State: store.CasesOpen, Limit: 50})
	require.NoError(b.t, err)
	return cases
}

func (b *bundle) found(client *mcp.Client, query string) []string {
	b.t.Helper()
	var out evidence.SearchOutput
	b.Must(client, "search", fields{"query": query}, &out)
	ids := make([]string, len(out.Results))
	for i := range out.Results {
		ids[i] = out.Results[i].ID
	}
	return ids
}

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interai/evidence"
)

// planted finds the values that the test plants, wherever they are left. Each is another one.
var planted = regexp.MustCompile(`q7Zt[0-9]{4}XnB9LwK4`)

// sower makes values that nobody may keep, in the forms in which they come.
type sower struct{ made int }

func (s *sower) value() string {
	s.made++
	return fmt.Sprintf("q7Zt%04dXnB9LwK4", s.made)
}

// secrets are texts that hold a fresh value, one for each way in which a secret may stand in a text.
func (s *sower) secrets() []string {
	return []string{
		"postgres://svc:" + s.value() + "@db.acme-prod.net:5432/main",
		"export API_SECRET_KEY=" + s.value() + "\n",
	}
}

func (s *sower) dsn() string { return "postgres://svc:" + s.value() + "@db.acme-prod.net:5432/main" }

// schema is as much of a JSON Schema as the test needs.
type schema struct {
	Type       string            `json:"type"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
	Required   []string          `json:"required"`
	Enum       []any             `json:"enum"`
}

// wire speaks JSON-RPC as anybody can write it, with any bytes anywhere.
type wire struct {
	t       *testing.T
	s       *server
	key     string
	answers bytes.Buffer
}

func (w *wire) send(method, path, body string, headers map[string]string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+w.s.addr+path, strings.NewReader(body))
	require.NoError(w.t, err)
	r.Header.Set("Authorization", "Bearer "+w.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-06-18")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return // a header that no client can send
	}
	defer func() { _ = answer.Body.Close() }()
	_, err = io.Copy(&w.answers, io.LimitReader(answer.Body, 1<<20))
	require.NoError(w.t, err)
	w.answers.WriteByte('\n')
}

func (w *wire) rpc(method string, params any, headers map[string]string) {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	require.NoError(w.t, err)
	w.send(http.MethodPost, "/mcp", string(body), headers)
}

func (w *wire) call(tool string, args any) {
	w.t.Helper()
	w.rpc("tools/call", fields{"name": tool, "arguments": args}, nil)
}

// valid are arguments with which each tool works, so that nothing else is wrong with a call.
func valid(item string) map[string]fields {
	return map[string]fields{
		"search":            {"query": "pools"},
		"get":               {"id": item},
		"compare":           {"ids": []any{item, item}},
		"publish":           {"content_type": "note", "title": "Pools", "body_markdown": "Use one."},
		"submit_experience": {"title": "Pools", "result": "success"},
		"report_usage":      {"target": item, "result": "success"},
		"review":            {"target": item, "verdict": "confirmed"},
		"rate":              {"target": item, "dimension": "cost", "score": 3},
		"whoami":            {},
	}
}

// sow plants a secret at every place of a schema, each in a call of its own: as a text, in place of what is no text, as
// the name of a member, and inside of free objects.
func sow(s *sower, at schema, plant func(value any)) {
	switch at.Type {
	case "object":
		if len(at.Properties) == 0 {
			for _, text := range s.secrets() {
				plant(fields{"field": text})
				plant(fields{text: "value"})
				plant(fields{"deep": []any{fields{"er": text}}})
			}
			plant(fields{"password": s.value()})
			return
		}
		for name, member := range at.Properties {
			sow(s, member, func(value any) { plant(fields{name: value}) })
			if len(at.Required) > 0 {
				sow(s, member, func(value any) { plant(with(required(at), name, value)) })
			}
		}
		plant(fields{s.dsn(): 1})
	case "array":
		sow(s, *at.Items, func(value any) { plant([]any{value}) })
		plant(s.dsn())
	default:
		for _, text := range s.secrets() {
			plant(text)
		}
		plant(fields{"a": s.dsn()})
	}
}

// required are values for the members that an object must have.
func required(of schema) fields {
	out := fields{}
	for _, name := range of.Required {
		switch member := of.Properties[name]; {
		case len(member.Enum) > 0:
			out[name] = member.Enum[0]
		case member.Type == "string":
			out[name] = "a"
		}
	}
	return out
}

func with(base fields, name string, value any) fields {
	out := fields{name: value}
	for other, kept := range base {
		if other != name {
			out[other] = kept
		}
	}
	return out
}

// TestAPlantedSecretIsKeptNowhere plants secrets in every field of every tool and on every other way in, and then looks
// for them in all answers, all logs, all metrics and every file of the data directory, the write-ahead log included.
func TestAPlantedSecretIsKeptNowhere(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	limits := []string{"INTERAI_WRITES_PER_HOUR=10000000", "INTERAI_REJECTIONS_PER_HOUR=10000000", "INTERAI_LOG_LEVEL=debug", "INTERAI_READS_PER_HOUR=10000000"}
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte(actionsToken+"\n"), 0o600))
	server := serve(t, dir, append(limits, "INTERAI_ACTIONS_TOKEN_FILE="+token, "INTERAI_ACTIONS_CALLS_PER_MINUTE=100000")...)
	item := call[evidence.PublishOutput](t, server.dial(server.credentials.Key), "publish", fields{
		"content_type": "note", "title": "Pools", "body_markdown": "Use one.",
	})
	w := &wire{t: t, s: server, key: server.credentials.Key}
	s := &sower{}
	plantTools(w, s, item.ID)
	plantElsewhere(w, s)
	plantActions(w, s, item.ID)
	require.Greater(t, s.made, 300)
	w.send(http.MethodGet, "/metrics", "", nil)
	answers := w.answers.String()
	require.Contains(t, answers, `content_rejected`)
	require.Contains(t, answers, "validation_failed")
	assert.Empty(t, found(answers), "in answers and metrics")
	eventually(t, "the audit is written", func() bool { return strings.Count(answers, "correlation_id") > 0 })
	server.stop()
	assert.Empty(t, found(server.out.String()+server.errs.String()), "in logs")
	assert.Empty(t, leaksIn(t, dir), "in files")
}

func plantTools(w *wire, s *sower, item string) {
	w.rpc("tools/list", fields{}, nil)
	var listed struct {
		Result struct {
			Tools []struct {
				Name        string `json:"name"`
				InputSchema schema `json:"inputSchema"`
			} `json:"tools"`
		} `json:"result"`
	}
	body := w.answers.String()
	start, end := strings.Index(body, `{"jsonrpc"`), strings.LastIndex(body, "}")
	require.NoError(w.t, json.Unmarshal([]byte(body[start:end+1]), &listed))
	require.Len(w.t, listed.Result.Tools, 9)
	base := valid(item)
	for _, tool := range listed.Result.Tools {
		for name, member := range tool.InputSchema.Properties {
			sow(s, member, func(value any) { w.call(tool.Name, with(base[tool.Name], name, value)) })
		}
		w.call(tool.Name, with(base[tool.Name], s.dsn(), 1))
		w.call(tool.Name, s.dsn())
	}
	w.call("publish", with(base["publish"], "assets", []any{fields{
		"filename": "a.env", "media_type": "text/plain", "base64": base64.StdEncoding.EncodeToString([]byte("DB=" + s.dsn())),
	}}))
	for _, name := range []string{"publish", "report_usage"} {
		args := with(base[name], "idempotency_key", "k")
		w.call(name, args)
		for _, field := range []string{"note", "body_markdown", "rationale_markdown"} {
			w.call(name, with(args, field, s.dsn())) // a conflict: another request under the same key
		}
	}
}

func plantElsewhere(w *wire, s *sower) {
	w.call(s.dsn(), fields{})
	w.call("export PASSWORD="+s.value(), fields{})
	w.rpc(s.dsn(), fields{}, nil)
	w.rpc("initialize", fields{
		"protocolVersion": s.dsn(), "capabilities": fields{}, "clientInfo": fields{"name": s.dsn(), "version": s.dsn()},
	}, nil)
	w.rpc("resources/read", fields{"uri": "interai://" + s.dsn()}, nil)
	w.rpc("resources/read", fields{"uri": s.dsn()}, nil)
	w.rpc("prompts/get", fields{"name": s.dsn(), "arguments": fields{"task": s.dsn()}}, nil)
	w.rpc("completion/complete", fields{
		"ref": fields{"type": "ref/resource", "uri": "interai://{id}"}, "argument": fields{"name": "id", "value": s.dsn()},
	}, nil)
	w.rpc("tools/call", fields{"name": "whoami", "arguments": fields{}, "_meta": fields{
		"interai/run": fields{"model": s.dsn(), "provider": s.dsn(), "run_id": s.dsn()}, "traceparent": s.dsn(),
		"openmcpspec/envelope": fields{"id": s.dsn(), "idempotency_key": s.dsn(), "trace_id": s.dsn()}, "progressToken": s.dsn(), s.dsn(): 1,
	}}, nil)
	w.rpc("tools/call", fields{"name": "publish", "arguments": valid("")["publish"], "_meta": fields{
		"openmcpspec/envelope": fields{"idempotency_key": s.dsn()},
	}}, nil)
	whoami := fields{"name": "whoami", "arguments": fields{}}
	for _, header := range []string{
		"User-Agent", "Mcp-Session-Id", "Last-Event-ID", "Traceparent", "Cookie", "Referer", "X-Request-Id", "X-Forwarded-For",
		"Origin", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Content-Type", "Accept", "X-Api-Key",
	} {
		w.rpc("tools/call", whoami, map[string]string{header: s.dsn()})
	}
	for _, credential := range []string{"Bearer ", "Basic ", ""} {
		w.rpc("tools/call", whoami, map[string]string{"Authorization": credential + s.dsn()})
		w.rpc("tools/call", whoami, map[string]string{"Authorization": credential + "iai_" + s.value()})
	}
	for _, path := range []string{"/", "/cnt_", "/console/", "/mcp/", "/.well-known/"} {
		w.send(http.MethodGet, path+s.value()+"?token="+s.value()+"&password="+s.value(), "", nil)
		w.send(http.MethodPost, path+s.value(), "password="+s.value(), map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"publish","arguments":{"title":"` + s.dsn() + `"`,
		`"` + s.dsn() + `"`, s.dsn(), `{"jsonrpc":"2.0","id":"` + s.dsn() + `","method":"ping"}`,
		`{"jsonrpc":"` + s.dsn() + `","id":1}`, `[{"jsonrpc":"2.0","method":"` + s.dsn() + `"}]`,
		strings.Repeat(`{"a":`, 200) + `"` + s.dsn() + `"` + strings.Repeat(`}`, 200),
	} {
		w.send(http.MethodPost, "/mcp", body, nil)
	}
}

// actionsToken is the credential of the interface for other hosts: no secret of the planted kind.
const actionsToken = "planted-test-planted-test-planted-test"

// plantActions plants on the ways in beside /mcp: Actions, and the endpoint of two tools.
func plantActions(w *wire, s *sower, item string) {
	let := map[string]string{"Authorization": "Bearer " + actionsToken}
	post := func(path string, body any, headers map[string]string) {
		raw, err := json.Marshal(body)
		require.NoError(w.t, err)
		w.send(http.MethodPost, path, string(raw), headers)
	}
	for name, args := range valid(item) {
		for field := range args {
			post("/actions/v1/"+name, with(args, field, s.dsn()), let)
		}
		post("/actions/v1/"+name, with(args, s.dsn(), 1), let)
		post("/actions/v1/"+name, args, map[string]string{"Authorization": "Bearer " + s.value()})
	}
	post("/actions/v1/"+s.value(), fields{}, let)
	w.send(http.MethodPost, "/actions/v1/publish", `{"title":"`+s.dsn(), let)
	for tool, args := range map[string]fields{
		"search": {"query": s.dsn()}, "fetch": {"id": s.dsn()}, s.dsn(): {"id": s.dsn()}, "whoami": {s.dsn(): 1},
	} {
		post("/mcp/fetch", fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": fields{"name": tool, "arguments": args}}, nil)
	}
}

// echoes are answers that JSON-RPC and HTTP must give back as they came, to whoever sent them.
var echoes = regexp.MustCompile(`"(id|progressToken)":"[^"]*"`)

// found lists the planted values in a text, each with what stands before it.
func found(text string) []string {
	text = echoes.ReplaceAllString(text, "")
	var out []string
	for _, at := range planted.FindAllStringIndex(text, 40) {
		out = append(out, text[max(0, at[0]-160):at[1]])
	}
	return out
}

// leaksIn lists the files below a directory that hold a planted value.
func leaksIn(t *testing.T, dir string) []string {
	t.Helper()
	var leaks []string
	read := 0
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		read += len(content)
		for _, value := range planted.FindAll(content, 3) {
			at := bytes.Index(content, value)
			leaks = append(leaks, fmt.Sprintf("%s: %q", strings.TrimPrefix(name, dir), content[max(0, at-80):min(len(content), at+40)]))
		}
		return nil
	}))
	require.Greater(t, read, 16<<20, "the data directory holds a database with its log")
	sort.Strings(leaks)
	return leaks
}

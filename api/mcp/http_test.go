package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

func TestToolsAreListedAsDefined(t *testing.T) {
	s := newStand(t, Options{Version: "1.2.3"})
	url := s.serve(t)
	for _, e := range eras() {
		t.Run(e.name, func(t *testing.T) {
			session := connect(t, s, url, e.version)
			init := session.InitializeResult()
			require.Equal(t, s.opts.Guide.Instructions(), init.Instructions)
			require.NotContains(t, init.Instructions, "submit_experience", "an operation that is not served")
			require.Equal(t, "inter-ai", init.ServerInfo.Name)
			require.NotNil(t, init.Capabilities.Tools)
			require.False(t, init.Capabilities.Tools.ListChanged)
			require.Nil(t, init.Capabilities.Logging) //nolint:staticcheck // deprecated, yet on the wire when set
			require.Nil(t, init.Capabilities.Prompts)
			require.Nil(t, init.Capabilities.Resources)
			list, err := session.ListTools(context.Background(), nil)
			require.NoError(t, err)
			require.Len(t, list.Tools, 3)
			for _, tool := range list.Tools {
				a := tool.Annotations
				require.NotNil(t, a.DestructiveHint, "%s: explicit", tool.Name)
				require.NotNil(t, a.OpenWorldHint)
				require.False(t, *a.DestructiveHint)
				require.Equal(t, tool.Name != "save", a.ReadOnlyHint)
				require.True(t, a.IdempotentHint)
				require.Equal(t, "object", tool.InputSchema.(map[string]any)["type"])
				require.NotContains(t, tool.OutputSchema, "required")
			}
		})
	}
}

func TestACallGoesThroughInBothEras(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, e := range eras() {
		t.Run(e.name, func(t *testing.T) {
			a := call(t, e, s, url, "echo", `{"text":"<b> é","big":9007199254740993,"tags":null,"limit":null}`, `{}`)
			require.False(t, a.Result.IsError)
			require.JSONEq(t, `{"text":"<b> é","big":9007199254740993,"tags":[],"limit":10,"actor":"ai_1"}`, string(a.Result.StructuredContent))
			require.Contains(t, string(a.Result.StructuredContent), "9007199254740993", "exact on the wire")
			require.Equal(t, "echo: <b> é", a.Result.Content[0].Text)
			require.Contains(t, a.Result.Meta, "interai/correlation_id")
			require.Contains(t, a.Result.Meta, "interai/test")
			require.Equal(t, "ai_1", s.audit.last(t).Caller.Actor)
		})
	}
}

func TestEveryErrorIsInBand(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, e := range eras() {
		for _, code := range ops.Codes() {
			t.Run(e.name+" "+string(code), func(t *testing.T) {
				a := call(t, e, s, url, "act", `{"mode":"`+string(code)+`"}`, `{}`)
				require.Nil(t, a.Error)
				require.True(t, a.Result.IsError)
				var body struct{ Error *ops.Error }
				require.NoError(t, json.Unmarshal(a.Result.StructuredContent, &body))
				require.Equal(t, code, body.Error.Code)
				require.Equal(t, "It went <wrong>.", body.Error.Message)
				require.Equal(t, `"`+body.Error.Details.CorrelationID+`"`, string(a.Result.Meta["interai/correlation_id"]))
				require.Contains(t, a.Result.Content[0].Text, string(code))
				require.Contains(t, a.Result.Content[0].Text, "Retry:")
			})
		}
	}
}

func TestFaultsOfHandlersAreInBandAndHidden(t *testing.T) {
	for mode, deadline := range map[string]time.Duration{"panic": time.Minute, "error": time.Minute, "wait": 50 * time.Millisecond} {
		s := newStand(t, Options{}, ops.WithDeadlines(deadline, 0))
		url := s.serve(t)
		for _, e := range eras() {
			t.Run(e.name+" "+mode, func(t *testing.T) {
				a := call(t, e, s, url, "act", `{"mode":"`+mode+`"}`, `{}`)
				require.True(t, a.Result.IsError)
				require.Contains(t, string(a.Result.StructuredContent), `"internal_error"`)
				require.NotContains(t, string(a.Result.StructuredContent)+a.Result.Content[0].Text, "secret")
				require.Equal(t, mode == "wait", strings.Contains(string(a.Result.StructuredContent), "deadline_exceeded"))
				require.Equal(t, mode == "panic", strings.Contains(s.log.String(), "operation panicked"))
			})
		}
	}
}

func TestValidationIsInBand(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for rule, args := range map[string]string{
		"unknown field": `{"text":"t","nope":1}`, "missing": `{}`, "not an object": `[1]`, "twice": `{"text":"t","text":"u"}`, "nul": `{"text":"\u0000"}`,
	} {
		t.Run(rule, func(t *testing.T) {
			a := call(t, eras()[0], s, url, "echo", args, `{}`)
			require.True(t, a.Result.IsError)
			require.Contains(t, string(a.Result.StructuredContent), `"validation_failed"`)
		})
	}
}

func TestAPanicInTheProtocolLayerDoesNotEndTheProcess(t *testing.T) {
	s := newStand(t, Options{Features: Features{Prompts: true, Register: func(server *sdk.Server) {
		server.AddPrompt(&sdk.Prompt{Name: "p"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) { panic("secret") })
		server.AddPrompt(&sdk.Prompt{Name: "q"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return nil, errors.New("secret")
		})
	}}})
	url := s.serve(t)
	session := connect(t, s, url, "")
	for _, name := range []string{"p", "q"} {
		_, err := session.GetPrompt(context.Background(), &sdk.GetPromptParams{Name: name})
		require.ErrorContains(t, err, "internal error")
		require.NotContains(t, err.Error(), "secret")
	}
	list, err := session.ListPrompts(context.Background(), nil)
	require.NoError(t, err)
	require.Len(t, list.Prompts, 2)
	require.NotNil(t, session.InitializeResult().Capabilities.Prompts)
	require.Contains(t, s.log.String(), "protocol handler panicked")
}

func TestWhatIsNotServedIsNotFound(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, e := range eras() {
		session := connect(t, s, url, e.version)
		_, err := session.ListPrompts(context.Background(), nil)
		require.ErrorContains(t, err, "method not found", e.name)
		_, err = session.ListResources(context.Background(), nil)
		require.ErrorContains(t, err, "method not found", e.name)
		_, err = session.CallTool(context.Background(), &sdk.CallToolParams{Name: "nope"})
		require.ErrorContains(t, err, "unknown tool", e.name)
	}
}

func TestHangUpEndsTheHandler(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, e := range eras() {
		t.Run(e.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			r := e.request(t, s, url, "act", `{"mode":"wait"}`, `{}`).WithContext(ctx)
			done := make(chan error, 1)
			go func() {
				resp, err := http.DefaultClient.Do(r)
				if err == nil {
					_ = resp.Body.Close()
				}
				done <- err
			}()
			receive(t, s.started)
			cancel()
			require.ErrorIs(t, receive(t, done), context.Canceled)
			require.ErrorIs(t, receive(t, s.ended), context.Canceled, "long before the deadline of 10 s")
		})
	}
	http.DefaultClient.CloseIdleConnections()
}

// receive waits for an event that must come.
func receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(soon):
		t.Fatal("the event did not come")
		panic("unreachable")
	}
}

func TestTheReadTimeoutDoesNotEndAHandler(t *testing.T) {
	s := newStand(t, Options{}, ops.WithDeadlines(1500*time.Millisecond, 0))
	url := s.serve(t, func(h *http.Server) { h.ReadTimeout = 500 * time.Millisecond })
	a := call(t, eras()[0], s, url, "act", `{"mode":"wait"}`, `{}`)
	require.ErrorIs(t, receive(t, s.ended), context.DeadlineExceeded, "its own deadline, not the listener's")
	require.Contains(t, string(a.Result.StructuredContent), "deadline_exceeded")
}

func TestProgressGetsAnEventStream(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, e := range eras() {
		t.Run(e.name, func(t *testing.T) {
			status, header, body := do(t, e.request(t, s, url, "echo", `{"text":"t"}`, `{"progressToken":"p"}`))
			require.Equal(t, 200, status)
			require.Equal(t, "text/event-stream", header.Get("Content-Type"))
			require.Equal(t, "no", header.Get("X-Accel-Buffering"))
			require.Contains(t, body, "data: ")
			require.Contains(t, body, "echo: t")
		})
	}
}

func TestAcceptIsRepaired(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	tests := []struct {
		rule   string
		accept []string
		want   string
	}{
		{"none", nil, "application/json"},
		{"anything", []string{"*/*"}, "application/json"},
		{"JSON only", []string{"application/json"}, "application/json"},
		{"both in two headers", []string{"application/json", "text/event-stream"}, "application/json"},
		{"events only", []string{"text/event-stream;q=0.9"}, "text/event-stream"},
		{"a browser's", []string{"text/html,*/*;q=0.8"}, "application/json"},
		{"nonsense", []string{";;,"}, "application/json"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			r := eras()[0].request(t, s, url, "echo", `{"text":"t"}`, `{}`)
			r.Header["Accept"] = tt.accept
			if tt.accept == nil {
				r.Header.Del("Accept")
			}
			status, header, body := do(t, r)
			require.Equal(t, 200, status, body)
			require.Equal(t, tt.want, header.Get("Content-Type"))
			require.Contains(t, body, "echo: t")
		})
	}
}

func TestRefusalsOfTheHTTPLayer(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	big := `{"text":"` + strings.Repeat("x", 250_000) + `"}`
	tests := []struct {
		rule   string
		args   string
		change func(*http.Request)
		status int
		want   string
	}{
		{"no key", `{}`, func(r *http.Request) { r.Header.Del("Authorization") }, 401, `"unauthenticated"`},
		{"a wrong key", `{}`, func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }, 401, `"unauthenticated"`},
		{"a key in the query", `{}`, func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "token=" + s.key.Reveal()
		}, 401, `"unauthenticated"`},
		{"a foreign host", `{}`, func(r *http.Request) { r.Host = "evil.example" }, 403, "INTERAI_ALLOWED_HOSTS"},
		{"a foreign origin", `{}`, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403, "INTERAI_ALLOWED_ORIGINS"},
		{"a null origin", `{}`, func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, "origin_not_allowed"},
		{"a declared body over the cap", big, nil, 413, "body_too_large"},
		{"an undeclared body over the cap", big, func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(io.MultiReader(r.Body)), -1
		}, 413, "body_too_large"},
		{"not JSON", `{}`, func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader(`{"a`)), 3 }, 400, "-32700"},
		{"another media type", `{}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, ""},
		{"another method", `{}`, func(r *http.Request) { r.Method = http.MethodGet }, 405, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			before := len(s.audit.entries)
			r := eras()[0].request(t, s, url, "echo", tt.args, `{}`)
			if tt.change != nil {
				tt.change(r)
			}
			status, header, body := do(t, r)
			require.Equal(t, tt.status, status, body)
			require.Contains(t, body, tt.want)
			if status == 401 {
				require.Contains(t, header.Get("WWW-Authenticate"), `Bearer realm="inter-ai"`)
				require.Contains(t, body, "interai key create")
			}
			require.Len(t, s.audit.entries, before, "no operation ran")
		})
	}
}

func TestBothPathsServe(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	a := call(t, eras()[0], s, url+"/", "echo", `{"text":"t"}`, `{}`)
	require.False(t, a.Result.IsError)
}

func TestMetaIsRead(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	r := eras()[1].request(t, s, url, "save", `{"text":"t"}`, `{"interai/run":{"model":"m\u0000\n","provider":"p","run_id":"r","thoughts":"private"},
		"interai/wait_ms":99999,"traceparent":"`+trace+`","openmcpspec/envelope":{"id":"e1","idempotency_key":"k1","deadline_ms":5000}}`)
	r.Header.Set("User-Agent", strings.Repeat("u", 300))
	status, _, body := do(t, r)
	require.Equal(t, 200, status)
	require.Contains(t, body, `"key":"k1"`)
	e := s.audit.last(t)
	require.Equal(t, ops.Meta{
		Adapter: AdapterHTTP, Client: "raw/9", UserAgent: strings.Repeat("u", 256),
		Run: ops.Run{Model: "m", Provider: "p", RunID: "r"}, TraceParent: trace, Wait: ops.MaxWait,
		Enveloped: true, EnvelopeID: "e1", EnvelopeKey: "k1", Deadline: 5 * time.Second,
	}, e.Meta)
	require.Equal(t, "k1", e.IdempotencyKey)
}

func TestOddMetaIsIgnored(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	call(t, eras()[0], s, url, "echo", `{"text":"t"}`, `{"interai/run":"x","interai/wait_ms":-5,"traceparent":"nope","openmcpspec/envelope":null}`)
	e := s.audit.last(t)
	require.Equal(t, ops.Run{}, e.Meta.Run)
	require.Zero(t, e.Meta.Wait)
	require.Empty(t, e.Meta.TraceParent)
}

func TestTheKeyOfTheEnvelopeMayNotDiffer(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	a := call(t, eras()[0], s, url, "save", `{"text":"t","idempotency_key":"a"}`, `{"openmcpspec/envelope":{"idempotency_key":"b"}}`)
	require.Contains(t, string(a.Result.StructuredContent), `"validation_failed"`)
}

func TestListsAreCachedPrivately(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	r := eras()[1].request(t, s, url, "echo", `{}`, `{}`)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	r.Header.Set("Mcp-Method", "tools/list")
	r.Header.Del("Mcp-Name")
	status, _, answer := do(t, r)
	require.Equal(t, 200, status, answer)
	require.Contains(t, answer, `"cacheScope":"private"`)
	require.Contains(t, answer, `"ttlMs":300000`)
	require.NotContains(t, answer, `"null"`)
}

func TestTheSDKDoesNotLogEachSession(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	call(t, eras()[0], s, url, "echo", `{"text":"t"}`, `{}`)
	require.NotContains(t, s.log.String(), "session")
}

func TestProgressStreamsOneAnswer(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	_, _, body := do(t, eras()[0].request(t, s, url, "act", `{"mode":"panic"}`, `{"progressToken":1}`))
	events := 0
	for scanner := bufio.NewScanner(strings.NewReader(body)); scanner.Scan(); {
		if strings.HasPrefix(scanner.Text(), "data:") {
			events++
		}
	}
	require.Equal(t, 1, events)
	require.Contains(t, body, "internal_error")
}

package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

const (
	initialize  = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	modernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

func asLocal(context.Context) (*ops.Caller, error) { return local(), nil }

func local() *ops.Caller {
	return &ops.Caller{Actor: "ai_local", Kind: "ai", Root: "usr_1", Scopes: []string{"read", "publish"}}
}

// pipe runs one whole session over given input and returns its lines by ID.
func pipe(t testing.TB, s *stand, input string) (map[string]answer, []string) {
	t.Helper()
	var out syncBuffer
	require.NoError(t, s.ServeStdio(context.Background(), strings.NewReader(input), &out, asLocal))
	byID := map[string]answer{}
	var lines []string
	for scanner := bufio.NewScanner(strings.NewReader(out.String())); scanner.Scan(); {
		var head struct{ ID any }
		var a answer
		require.NoError(t, json.Unmarshal(scanner.Bytes(), &head), "only protocol on stdout: %s", scanner.Text())
		require.NoError(t, json.Unmarshal(scanner.Bytes(), &a))
		byID[fmt.Sprint(head.ID)] = a
		lines = append(lines, scanner.Text())
	}
	return byID, lines
}

func stdioCall(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

func TestNoAnswerIsLostAtTheEndOfInput(t *testing.T) {
	s := newStand(t, Options{})
	for run := range 20 {
		input := strings.Join([]string{initialize, initialized, stdioCall(1, "echo", `{"text":"a"}`), stdioCall(2, "save", `{"text":"b"}`)}, "\n")
		if run%2 == 0 {
			input += "\n" // with and without a last newline
		}
		answers, lines := pipe(t, s, input)
		require.Len(t, lines, 3, "run %d", run)
		require.Equal(t, "echo: a", answers["1"].Result.Content[0].Text)
		require.False(t, answers["2"].Result.IsError)
	}
	require.Equal(t, "ai_local", s.audit.last(t).Caller.Actor)
	require.Equal(t, AdapterStdio, s.audit.last(t).Meta.Adapter)
	require.Equal(t, "pipe/1", s.audit.last(t).Meta.Client)
}

func TestStdioServesTheModernEra(t *testing.T) {
	s := newStand(t, Options{})
	input := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}` + "\r\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"t"},` + modernMeta + `}}` + "\r\n"
	answers, _ := pipe(t, s, input)
	require.Nil(t, answers["1"].Error)
	require.Equal(t, "echo: t", answers["2"].Result.Content[0].Text)
}

func TestGarbageIsAnsweredAndTheSessionGoesOn(t *testing.T) {
	s := newStand(t, Options{})
	input := strings.Join([]string{
		"npm notice", initialize, "", `{"broken`, initialized, `[` + stdioCall(9, "echo", `{"text":"a"}`) + `]`, `{"no":"message"}`, `{"a":1} {"b":2}`,
		strings.Repeat("x", maxLineBytes+1), "\x00", stdioCall(1, "echo", `{"text":"still here"}`),
	}, "\n") + "\n"
	answers, lines := pipe(t, s, input)
	require.Equal(t, "echo: still here", answers["1"].Result.Content[0].Text)
	counts := map[int]int{}
	for _, line := range lines {
		var a struct {
			ID    any
			Error *struct{ Code int }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &a))
		if a.Error != nil {
			require.Nil(t, a.ID)
			counts[a.Error.Code]++
		}
	}
	require.Equal(t, map[int]int{-32700: 4, -32600: 3}, counts)
}

func TestAPanicOverStdioIsAnswered(t *testing.T) {
	s := newStand(t, Options{})
	answers, _ := pipe(t, s, strings.Join([]string{initialize, initialized, stdioCall(1, "act", `{"mode":"panic"}`), stdioCall(2, "echo", `{"text":"t"}`)}, "\n"))
	require.True(t, answers["1"].Result.IsError)
	require.False(t, answers["2"].Result.IsError)
}

func TestTheEndOfInputDoesNotWaitForever(t *testing.T) {
	var waited time.Duration
	synctest.Test(t, func(t *testing.T) {
		l := newLines(strings.NewReader(stdioCall(1, "act", `{}`)+"\n"), io.Discard)
		r := l.reader(8 * time.Second)
		start := time.Now()
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NotEmpty(t, got)
		waited = time.Since(start)
	})
	require.Equal(t, 8*time.Second, waited)
}

func TestTheEndOfInputWaitsForTheLastAnswerOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := newLines(strings.NewReader(stdioCall(1, "act", `{}`)+"\n"+stdioCall(2, "act", `{}`)+"\n"), &out)
		w := l.writer()
		go func() {
			for id := 1; id <= 2; id++ {
				time.Sleep(time.Second) // of the bubble's clock
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", id)
			}
		}()
		start := time.Now()
		_, err := io.ReadAll(l.reader(8 * time.Second))
		require.NoError(t, err)
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}

func TestStdioEndsWithItsContext(t *testing.T) {
	s := newStand(t, Options{})
	in, feed := io.Pipe()
	var out syncBuffer
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(ctx, in, &out, asLocal) }()
	_, err := io.WriteString(feed, initialize+"\n"+initialized+"\n"+stdioCall(1, "act", `{"mode":"wait"}`)+"\n")
	require.NoError(t, err)
	receive(t, s.started)
	cancel()
	require.NoError(t, receive(t, done))
	require.Error(t, receive(t, s.ended), "the handler was cancelled")
	require.NoError(t, feed.Close())
}

func TestTheSDKClientWorksOverPipes(t *testing.T) {
	s := newStand(t, Options{})
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(context.Background(), serverIn, serverOut, asLocal) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &sdk.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	require.NoError(t, err)
	result, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "t"}})
	require.NoError(t, err)
	require.Equal(t, "echo: t", result.Content[0].(*sdk.TextContent).Text)
	require.NoError(t, session.Close())
	require.NoError(t, receive(t, done))
}

func TestStdioNeedsACaller(t *testing.T) {
	s := newStand(t, Options{})
	require.Error(t, s.ServeStdio(context.Background(), strings.NewReader(""), io.Discard, nil))
}

func FuzzLines(f *testing.F) {
	f.Add([]byte(initialize + "\n" + "x\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		l := newLines(bytes.NewReader(input), &out)
		passed, err := io.ReadAll(l.reader(0))
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range [][]byte{passed, out.Bytes()} {
			for line := range bytes.Lines(side) {
				if !json.Valid(line) {
					t.Fatalf("not a message: %q", line)
				}
			}
		}
	})
}

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// attackers are clients that hold what they can of a server until the attack ends.
type attackers struct {
	t     testing.TB
	addr  string
	key   string
	large string // an ID whose answer is as large as answers get

	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup
	// begun counts what an attacker has done at least once; ended, what the server ended.
	begun, ended atomic.Int64
}

// attack is one way to hold a server up. Its run starts the attackers, and begun says how many deeds make an attack.
type attack struct {
	name  string
	begun int64
	run   func(a *attackers)
}

func attacks() []attack {
	return []attack{
		{"heads that never end", 500, func(a *attackers) { a.each(500, a.drip) }},
		{"idle connections", 1000, func(a *attackers) { a.each(1000, a.idle) }},
		{"deep JSON", 200, func(a *attackers) { a.each(8, a.deep) }},
		{"huge bodies", 24, func(a *attackers) { a.each(8, a.huge) }},
		{"bodies that stop", 200, func(a *attackers) { a.each(200, a.stall) }},
		{"readers that stop", 200, func(a *attackers) { a.each(200, a.deaf) }},
	}
}

// lone are the attacks of one client: with hundreds at full speed, attackers and server share the machine's processors,
// and what is measured is them.
func lone() []attack {
	return []attack{
		{"one client of deep JSON", 2, func(a *attackers) { a.each(1, a.deep) }},
		{"one client of huge bodies", 1, func(a *attackers) { a.each(1, a.huge) }},
		{"a huge body now and then", 1, func(a *attackers) {
			a.each(1, func() error {
				err := a.huge()
				a.pause(2 * time.Second)
				return err
			})
		}},
		{"one body that stops", 1, func(a *attackers) { a.each(1, a.stall) }},
		{"one reader that stops", 1, func(a *attackers) { a.each(1, a.deaf) }},
	}
}

func attackOn(t testing.TB, s *server, large string) *attackers {
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	return &attackers{t: t, addr: s.addr, key: s.credentials.Key, large: large, ctx: ctx, stop: stop}
}

// each runs n attackers until the attack ends; one whose connection is ended comes again.
func (a *attackers) each(n int, once func() error) {
	for range n {
		a.all.Go(func() {
			for a.ctx.Err() == nil {
				if once() != nil {
					a.pause(10 * time.Millisecond) // as an attacker that is refused would
				}
			}
		})
	}
}

// end stops the attackers.
func (a *attackers) end() {
	a.stop()
	a.all.Wait()
}

// pause waits, and reports whether the attack goes on.
func (a *attackers) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-a.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// connect opens a connection that ends with the attack.
func (a *attackers) connect() (net.Conn, func(), error) {
	conn, err := (&net.Dialer{}).DialContext(a.ctx, "tcp", a.addr)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(a.ctx, func() { _ = conn.Close() })
	return conn, func() { stop(); _ = conn.Close() }, nil
}

// untilEnded waits for the server to end a connection.
func (a *attackers) untilEnded(conn net.Conn) {
	_, _ = io.Copy(io.Discard, conn)
	if a.ctx.Err() == nil {
		a.ended.Add(1)
	}
}

// drip sends a head one byte at a time.
func (a *attackers) drip() error {
	conn, leave, err := a.connect()
	if err != nil {
		return err
	}
	defer leave()
	a.begun.Add(1)
	for _, b := range []byte("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", 10_000)) {
		if _, err := conn.Write([]byte{b}); err != nil {
			a.ended.Add(1)
			return nil
		}
		if !a.pause(200 * time.Millisecond) {
			return nil
		}
	}
	return nil
}

// idle sends one request and then nothing.
func (a *attackers) idle() error {
	conn, leave, err := a.connect()
	if err != nil {
		return err
	}
	defer leave()
	if _, err = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	a.begun.Add(1)
	a.untilEnded(conn)
	return nil
}

// head is that of an authenticated call with a body of n bytes; n < 0 announces none.
func (a *attackers) head(n int) string {
	length := fmt.Sprint("Content-Length: ", n)
	if n < 0 {
		length = "Transfer-Encoding: chunked"
	}
	return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + a.key +
		"\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + length + "\r\n\r\n"
}

// exchange sends a body and answers the status of the response. A length of -1 is not declared.
func (a *attackers) exchange(body io.Reader, length int64) (status int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(a.ctx, http.MethodPost, "http://"+a.addr+"/mcp", body)
	if err != nil {
		return 0, nil, err
	}
	request.ContentLength = length
	request.Header.Set("Authorization", "Bearer "+a.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response.StatusCode, answer, err
}

// deep sends calls whose arguments are nested 129 and half a million levels deep.
func (a *attackers) deep() error {
	for _, levels := range []int{129, 500_000} {
		nested := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"publish","arguments":{"structured_data":{"a":` + nested + `}}}}`
		status, answer, err := a.exchange(strings.NewReader(body), int64(len(body)))
		if err != nil {
			return err
		}
		if !bytes.Contains(answer, []byte("nested")) {
			a.t.Errorf("%d levels: status %d %s", levels, status, answer)
		}
		a.begun.Add(1)
	}
	return nil
}

// huge sends bodies of 100 MB, declared and not.
func (a *attackers) huge() error {
	const bytes = 100 << 20
	for _, length := range []int64{bytes, -1} {
		status, _, err := a.exchange(io.LimitReader(endless{}, bytes), length)
		if a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		a.begun.Add(1)
		if err == nil && status != http.StatusRequestEntityTooLarge && status != http.StatusServiceUnavailable && status != http.StatusRequestTimeout {
			a.t.Errorf("100 MB were answered with %d", status)
		}
	}
	return nil
}

// endless gives the same character for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// stall announces a body of 12 MB and stops after one of them.
func (a *attackers) stall() error {
	conn, leave, err := a.connect()
	if err != nil {
		return err
	}
	defer leave()
	a.begun.Add(1)
	_, _ = io.WriteString(conn, a.head(12<<20)+strings.Repeat("x", 1<<20)) // the server may not read all of it
	a.untilEnded(conn)
	return nil
}

// deaf asks for large answers one after the other and reads none.
func (a *attackers) deaf() error {
	conn, leave, err := a.connect()
	if err != nil {
		return err
	}
	defer leave()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","arguments":{"id":"` + a.large + `"}}}`
	a.begun.Add(1)
	for i := 0; ; i++ {
		if _, err = io.WriteString(conn, a.head(len(body))+body); err != nil {
			if a.ctx.Err() == nil {
				a.ended.Add(1)
			}
			return nil
		}
		if i >= 20 && !a.pause(200*time.Millisecond) { // the buffers of the system are full by then
			return nil
		}
	}
}

// floodedServer serves with short timeouts, and answers a large object's ID.
func floodedServer(t testing.TB, env ...string) (s *server, large string) {
	t.Helper()
	env = append(env, "INTERAI_READ_TIMEOUT=5s", "INTERAI_WRITE_TIMEOUT=5s",
		"INTERAI_READS_PER_HOUR=100000000", "INTERAI_FAILURES_PER_MINUTE=10000000")
	s = serve(t, t.TempDir(), env...)
	client := s.dial(s.credentials.Key)
	raw, err := client.Call(t.Context(), "publish", fields{
		"content_type": "dataset", "title": "Large",
		"assets": []fields{{"filename": "a.txt", "media_type": "text/plain", "base64": strings.Repeat("YWJj", 256<<10/4)}},
	}, nil)
	require.NoError(t, err)
	found := assetID.Find(raw)
	require.NotNil(t, found, string(raw))
	return s, string(found)
}

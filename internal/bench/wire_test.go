package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"strconv"
	"time"
)

// connection is a client of one keep-alive HTTP/1.1 connection. The request's bytes are made once, and each call
// patches key and target into them: net/http's client would take the CPU that is to be measured.
type connection struct {
	conn    net.Conn
	request []byte
	key     []byte // of request: the place of the idempotency key, empty when calls carry none
	target  []byte // of request: the place of the target
	targets []string
	pick    func() int
	random  *rand.Rand
	answer  []byte
}

// Places in the request that each call fills; their lengths are those of what is put there.
const (
	keyPlace    = "key-0000000000000000000000000000000000000000"
	targetPlace = "ent_00000000000000000000000000"
)

// usageArguments are those of one call as an agent makes it.
type usageArguments struct {
	Target         string         `json:"target"`
	UsageType      string         `json:"usage_type"`
	Result         string         `json:"result"`
	RealWorldUse   bool           `json:"real_world_use"`
	Context        map[string]any `json:"context"`
	Note           string         `json:"note"`
	IdempotencyKey string         `json:"idempotency_key,omitempty"`
}

const (
	exampleNote   = "Worked as described once the retry limit was raised; the second run needed no change at all."
	exampleType   = "implementation"
	exampleResult = "success"
)

func exampleContext() map[string]any {
	return map[string]any{"language": "go", "runtime": "linux", "scale": "medium"}
}

// newRequest is the whole HTTP request of a tools/call.
func newRequest(host, bearer string, withKey bool) ([]byte, error) {
	arguments := usageArguments{
		Target: targetPlace, UsageType: exampleType, Result: exampleResult, RealWorldUse: true,
		Context: exampleContext(), Note: exampleNote,
	}
	if withKey {
		arguments.IdempotencyKey = keyPlace
	}
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": "report_usage", "arguments": arguments},
	})
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	return fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUser-Agent: interai-bench\r\n"+
		"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"MCP-Protocol-Version: 2025-11-25\r\nContent-Length: %d\r\n\r\n%s", host, bearer, len(body), body), nil
}

// dial opens a connection whose calls are about targets as pick says. The seed makes its keys its own.
func dial(ctx context.Context, host, bearer string, withKey bool, targets []string, pick func() int, seed int64) (*connection, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c := &connection{
		conn: conn, targets: targets, pick: pick, answer: make([]byte, 0, 16<<10),
		random: rand.New(rand.NewSource(seed)),
	}
	if c.request, err = newRequest(host, bearer, withKey); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	c.target = place(c.request, targetPlace)
	c.key = place(c.request, keyPlace)
	return c, nil
}

// place is the part of the request that holds text, empty when it is absent.
func place(request []byte, text string) []byte {
	at := bytes.Index(request, []byte(text))
	if at < 0 {
		return nil
	}
	return request[at : at+len(text)]
}

func (c *connection) close() { _ = c.conn.Close() }

// call sends the request with a fresh key and checks the answer.
func (c *connection) call(context.Context) error {
	copy(c.target, c.targets[c.pick()])
	if len(c.key) > 0 {
		c.freshKey()
	}
	if err := c.exchange(); err != nil {
		return err
	}
	return checkAnswer(c.answer)
}

const hexDigits = "0123456789abcdef"

// freshKey writes 160 random bits, as agents that make a random key for each call do.
func (c *connection) freshKey() {
	const prefix, perDraw = len("key-"), 15
	for at := prefix; at < len(c.key); {
		bits := c.random.Uint64()
		for range perDraw {
			if at == len(c.key) {
				return
			}
			c.key[at] = hexDigits[bits&15]
			bits >>= 4
			at++
		}
	}
}

// exchange sends the request and reads one whole answer.
func (c *connection) exchange() error {
	if _, err := c.conn.Write(c.request); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	c.answer = c.answer[:0]
	for {
		n, err := c.conn.Read(c.answer[len(c.answer):cap(c.answer)])
		c.answer = c.answer[:len(c.answer)+n]
		if whole, parseErr := complete(c.answer); parseErr != nil || whole {
			return parseErr
		}
		if err != nil {
			return fmt.Errorf("receive: %w", err)
		}
		if len(c.answer) == cap(c.answer) {
			return fmt.Errorf("receive: the answer is longer than %d bytes", cap(c.answer))
		}
	}
}

var (
	endOfHead     = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
)

// complete reports whether an answer is whole: its head, and as many bytes as Content-Length says.
func complete(answer []byte) (bool, error) {
	head := bytes.Index(answer, endOfHead)
	if head < 0 {
		return false, nil
	}
	at := bytes.Index(answer[:head], contentLength)
	if at < 0 {
		return false, fmt.Errorf("the answer has no Content-Length: %.300s", answer)
	}
	digits := answer[at+len(contentLength) : head]
	if end := bytes.IndexByte(digits, '\r'); end >= 0 {
		digits = digits[:end]
	}
	length, err := strconv.ParseUint(string(digits), 10, 31)
	if err != nil {
		return false, fmt.Errorf("read Content-Length: %w", err)
	}
	want := head + len(endOfHead) + int(length)
	if len(answer) > want {
		return false, fmt.Errorf("the answer has %d bytes instead of %d", len(answer), want)
	}
	return len(answer) == want, nil
}

var (
	statusOK   = []byte("HTTP/1.1 200 ")
	isResult   = []byte(`"result":`)
	isErrorSet = []byte(`"isError":true`)
)

// checkAnswer refuses everything but the result of a tool that succeeded.
func checkAnswer(answer []byte) error {
	if !bytes.HasPrefix(answer, statusOK) || !bytes.Contains(answer, isResult) || bytes.Contains(answer, isErrorSet) {
		return fmt.Errorf("the call failed: %.800s", answer)
	}
	return nil
}

// dialTimeout bounds the opening of all connections of one measurement.
const dialTimeout = 10 * time.Second

// dialAll opens connections for one measurement, each with the key of the next party. One deadline for all that a
// connection does costs nothing in each call.
func dialAll(ctx context.Context, host string, bearers []string, p point, targets []string, seed int64, w window) ([]caller, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	deadline := time.Now().Add(dialTimeout + w.WarmUp + w.Measure + callTimeout)
	var opened []*connection
	closeAll := func() {
		for _, c := range opened {
			c.close()
		}
	}
	callers := make([]caller, p.Conns)
	for i := range callers {
		own := seed + int64(i)
		c, err := dial(ctx, host, bearers[i%len(bearers)], !p.NoKeys, targets, p.Targets.pick(len(targets), own), own)
		if err == nil {
			opened = append(opened, c)
			err = c.conn.SetDeadline(deadline)
		}
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		callers[i] = c
	}
	return callers, closeAll, nil
}

package mcp

import (
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/ops"
)

// Members of a request's _meta that are read. All others are dropped.
const (
	metaRun         = "interai/run"
	metaWait        = "interai/wait_ms"
	metaTraceParent = "traceparent"
	metaEnvelope    = ops.EnvelopeMember
)

// Bounds of what a client says about itself, in bytes.
const (
	maxClientBytes    = 128
	maxUserAgentBytes = 256
	maxRunBytes       = 128
)

var traceParent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

// request is what all requests to the server say beside their own parameters.
type request interface {
	sdk.Request
	ClientInfo() *sdk.Implementation
}

// metaOf reads what a request says besides its arguments. Everything is the
// client's claim: it is bounded and recorded, and decides nothing but the wait, the
// deadline and the idempotency key.
func metaOf(req request, adapter string) ops.Meta {
	m := ops.Meta{Adapter: adapter}
	raw := req.GetParams().GetMeta()
	if info := req.ClientInfo(); info != nil {
		m.Client = bound(strings.Trim(info.Name+"/"+info.Version, "/"), maxClientBytes)
	}
	var header http.Header
	if extra := req.GetExtra(); extra != nil {
		header = extra.Header
	}
	m.UserAgent = bound(header.Get("User-Agent"), maxUserAgentBytes)
	m.TraceParent = firstTraceParent(member(raw, metaTraceParent), header.Get("Traceparent"))
	if run, ok := raw[metaRun].(map[string]any); ok {
		m.Run = ops.Run{
			Model:    bound(member(run, "model"), maxRunBytes),
			Provider: bound(member(run, "provider"), maxRunBytes),
			RunID:    bound(member(run, "run_id"), maxRunBytes),
		}
	}
	m.Wait = milliseconds(raw[metaWait], ops.MaxWait)
	readEnvelope(&m, raw[metaEnvelope])
	return m
}

// member returns a string member, "" when it is absent or of another type.
func member(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

// firstTraceParent returns the first well-formed W3C traceparent.
func firstTraceParent(candidates ...string) string {
	for _, c := range candidates {
		if traceParent.MatchString(c) {
			return c
		}
	}
	return ""
}

// milliseconds reads a positive duration and bounds it.
func milliseconds(value any, limit time.Duration) time.Duration {
	ms, ok := value.(float64)
	if !ok || !(ms > 0) { // NaN is not positive either
		return 0
	}
	if ms >= float64(limit/time.Millisecond) {
		return limit
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// bound makes a client's text storable: valid UTF-8, printable, at most n bytes.
func bound(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	for len(s) > n {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}

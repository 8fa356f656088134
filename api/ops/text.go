package ops

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxTextBytes bounds the readable rendering: beyond about 25,000 tokens clients
// refuse a result as a whole.
const MaxTextBytes = 32 << 10

// cutAtRune returns the longest prefix of s with at most n bytes that does not
// split a character.
func cutAtRune(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// boundText caps a rendering and says what was cut.
func boundText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= MaxTextBytes {
		return text
	}
	const room = 200 // bytes for the notice
	head := cutAtRune(text, MaxTextBytes-room)
	return head + fmt.Sprintf("\n\n[cut here: %d of %d bytes left out; ask for less with limit, cursor or include, or read the structured result]",
		len(text)-len(head), len(text))
}

// renderText renders a successful answer.
func renderText(out any, structured []byte) string {
	if t, ok := out.(Texter); ok {
		return boundText(t.Text())
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, structured, "", "  "); err != nil {
		return boundText(string(structured))
	}
	return boundText(indented.String())
}

func linksOf(out any) []Link {
	var links []Link
	if l, ok := out.(Linker); ok {
		l.EachLink(func(uri, name, title string) { links = append(links, Link{URI: uri, Name: name, Title: title}) })
	}
	return links
}

// Text renders the error so that it is sufficient alone: some clients show the
// model nothing but the text of a failed call.
func (e *Error) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Error %s: %s\n", e.Code, e.Message)
	d := e.Details
	if d.Reason != "" {
		fmt.Fprintf(&b, "Reason: %s\n", d.Reason)
	}
	for _, p := range d.Problems {
		path := p.Path
		if path == "" {
			path = "(arguments)"
		}
		fmt.Fprintf(&b, "- %s %s [%s]\n", path, p.Message, p.Rule)
	}
	if len(d.Existing) > 0 {
		fmt.Fprintf(&b, "Existing: %s\n", strings.Join(d.Existing, ", "))
	}
	if d.Use != "" {
		fmt.Fprintf(&b, "Use: %s\n", d.Use)
	}
	if d.Outcome != "" {
		fmt.Fprintf(&b, "Outcome: %s\n", d.Outcome)
	}
	for _, hint := range d.RecoveryHints {
		fmt.Fprintf(&b, "Hint: %s\n", hint)
	}
	switch {
	case d.Retryable && d.RetryAfter > 0:
		fmt.Fprintf(&b, "Retry: yes, after %d s\n", d.RetryAfter)
	case d.Retryable:
		b.WriteString("Retry: yes\n")
	default:
		b.WriteString("Retry: no, not unchanged\n")
	}
	if d.CorrelationID != "" {
		fmt.Fprintf(&b, "Correlation ID: %s\n", d.CorrelationID)
	}
	return boundText(strings.TrimSuffix(b.String(), "\n"))
}

// Structured encodes {"error": {code, message, details}} without HTML escaping.
func (e *Error) Structured() json.RawMessage {
	raw, err := marshalPlain(map[string]*Error{"error": e})
	if err != nil { // only an Extra that is not JSON can do this
		plain := *e
		plain.Details.Extra = nil
		return plain.Structured()
	}
	return raw
}

package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// View is how a page is looked at.
type View struct {
	// Width and Height are those of the window, in CSS pixels.
	Width, Height int
	// Dark prefers dark colours.
	Dark bool
}

// Page is an open page.
type Page struct {
	t       testing.TB
	conn    *websocket.Conn
	session string
	last    int
	// Complaints are what the browser wrote to its console: errors, refused resources, violations of the policy.
	Complaints []string
	loaded     bool
}

// message is one of the DevTools protocol, in either direction.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"` //nolint:tagliatelle // the protocol names it
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// Open loads a page in a window of its own and waits until it is complete.
func (b *Browser) Open(t testing.TB, url string, view View) *Page {
	t.Helper()
	conn, err := websocket.Dial(b.url, "", origin)
	if err != nil {
		t.Fatal("connect to the browser: ", err)
	}
	conn.MaxPayloadBytes = 64 << 20 // screenshots
	t.Cleanup(func() { _ = conn.Close() })
	p := &Page{t: t, conn: conn}
	var context struct{ BrowserContextID string }
	p.call("Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &context)
	var target struct{ TargetID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context.BrowserContextID}, &target)
	var attached struct{ SessionID string }
	p.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	for _, step := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", nil},
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", nil},
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": view.Width, "height": view.Height, "deviceScaleFactor": 1, "mobile": false}},
		{"Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}},
		{"Page.navigate", map[string]any{"url": url}},
	} {
		p.call(step.method, step.params, nil)
	}
	for !p.loaded {
		p.receive()
	}
	return p
}

// call sends a command and waits for its answer.
func (p *Page) call(method string, params, result any) {
	p.t.Helper()
	p.last++
	if params == nil {
		params = map[string]any{}
	}
	if err := websocket.JSON.Send(p.conn, message{ID: p.last, Session: p.session, Method: method, Params: params}); err != nil {
		p.t.Fatalf("send %s: %v", method, err)
	}
	for {
		m := p.receive()
		if m.ID != p.last {
			continue
		}
		if m.Error != nil {
			p.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				p.t.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

// receive takes the next message, and notes what the browser says by itself.
func (p *Page) receive() message {
	p.t.Helper()
	var m struct {
		message

		Params struct {
			Entry struct {
				Level string `json:"level"`
				Text  string `json:"text"`
				URL   string `json:"url"`
			} `json:"entry"`
			Type string `json:"type"`
		} `json:"params"`
	}
	if err := p.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		p.t.Fatal(err)
	}
	if err := websocket.JSON.Receive(p.conn, &m); err != nil {
		p.t.Fatal("hear from the browser: ", err)
	}
	switch m.Method {
	case "Page.loadEventFired":
		p.loaded = true
	case "Log.entryAdded":
		if e := m.Params.Entry; e.Level != "verbose" && e.Level != "info" {
			p.Complaints = append(p.Complaints, fmt.Sprintf("%s: %s %s", e.Level, e.Text, e.URL))
		}
	case "Runtime.exceptionThrown":
		p.Complaints = append(p.Complaints, "a script failed")
	case "Runtime.consoleAPICalled":
		if m.Params.Type == "error" || m.Params.Type == "warning" {
			p.Complaints = append(p.Complaints, "console "+m.Params.Type)
		}
	}
	return m.message
}

// Eval runs an expression in the page and decodes its value into out.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"` //nolint:tagliatelle // the protocol names it
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		p.t.Fatalf("evaluate %s: %s", expression, answer.ExceptionDetails)
	}
	if err := json.Unmarshal(answer.Result.Value, out); err != nil {
		p.t.Fatalf("evaluate %s: %v", expression, err)
	}
}

// Node is one node of the accessibility tree.
type Node struct{ Role, Name string }

// Accessible lists what a screen reader is told of the page.
func (p *Page) Accessible() []Node {
	p.t.Helper()
	type value struct {
		Value any `json:"value"`
	}
	var tree struct {
		Nodes []struct {
			Ignored    bool `json:"ignored"`
			Role, Name value
		} `json:"nodes"`
	}
	p.call("Accessibility.getFullAXTree", nil, &tree)
	var out []Node
	for _, n := range tree.Nodes {
		if !n.Ignored {
			out = append(out, Node{Role: fmt.Sprint(n.Role.Value), Name: fmt.Sprint(n.Name.Value)})
		}
	}
	return out
}

// Screenshot writes a picture of the whole page, as PNG.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	var shot struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.t.Fatal("decode a screenshot: ", err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		p.t.Fatal("write a screenshot: ", err)
	}
}

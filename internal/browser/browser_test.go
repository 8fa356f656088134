package browser_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/browser"
)

// The kit sees what the tests of pages rely on: a page that breaks its own policy is found out.
func TestComplaintsOfTheBrowserAreHeard(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header().Set("Content-Type", "text/html")
		body := `<!doctype html><html><body><h1>Good</h1><svg role="img" aria-label="A drawing"></svg>`
		switch r.URL.Path {
		case "/script":
			body += `<script>document.title = "it ran"</script>`
		case "/picture":
			body += `<img src="https://elsewhere.example/x.png">`
		case "/style":
			body += `<p style="width:3000px">wide</p>`
		}
		_, _ = w.Write([]byte(body + `</body></html>`))
	}))
	t.Cleanup(server.Close)
	for path, complains := range map[string]bool{"/good": false, "/script": true, "/picture": true, "/style": true} {
		page := chromium.Open(t, server.URL+path, browser.View{Width: 400, Height: 300, Dark: true})
		var heading string
		page.Eval(`document.querySelector("h1").innerText`, &heading)
		require.Equal(t, "Good", heading)
		said := strings.Join(page.Complaints(), "\n")
		require.Equal(t, complains, strings.Contains(said, "Content Security Policy"), "%s: %s", path, said)
		require.Contains(t, page.Accessible(), browser.Node{Role: "image", Name: "A drawing"})
		var dark bool
		page.Eval(`matchMedia("(prefers-color-scheme: dark)").matches && innerWidth === 400`, &dark)
		require.True(t, dark)
	}
}

// Scripts of a page without a policy run, and what they say is heard.
func TestFailuresOfScriptsAreHeard(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		script := map[string]string{"/error": `console.error("a")`, "/warning": `console.warn("b")`, "/exception": `throw new Error("c")`, "/log": `console.log("d")`}[r.URL.Path]
		_, _ = w.Write([]byte(`<!doctype html><html><head><link rel="icon" href="data:,"></head><body><script>` + script + `</script></body></html>`))
	}))
	t.Cleanup(server.Close)
	for path, want := range map[string][]string{
		"/error": {"console error"}, "/warning": {"console warning"}, "/exception": {"a script failed: Uncaught"}, "/log": nil,
	} {
		require.Equal(t, want, chromium.Open(t, server.URL+path, browser.View{Width: 400, Height: 300}).Complaints(), path)
	}
}

package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSuspicious(t *testing.T) {
	t.Parallel()
	random := strings.Repeat("Zk3Vq9LxT1bWc7Rf5Hn2", 12)
	for address, want := range map[string]bool{
		"https://example.org/a?b=c": false, "https://example.org:8080/": false, "mailto:a@example.org": false, "/a/b": false, "#a": false,
		"http://127.0.0.1:8080/": false, "http://10.0.3.4/": false, "http://[::1]/": false, "https://example.org/?q=" + strings.Repeat("a", 300): false,
		"https://user@example.org/": true, "https://example.org@evil.example/": true, "http://93.184.216.34/a": true, "//93.184.216.34/a": true, "http://3627734734/": true,
		"http://0x7f.1/": true, "http://[2606:4700::1111]/": true, "https://xn--pypal-4ve.com/": true, "https://p\u0430ypal.com/": true, "HTTPS://A@b/": true,
		"https://example.org/?d=" + random: true, "https://example.org/" + strings.Repeat("a", 500): true, "http://[bad": true,
		"https://аррӏе.com/": true, "https://пример.com/": false, "https://пример.рф/": false, "https://bücher.example/": false,
	} {
		require.Equal(t, want, Suspicious(address), address)
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"": true, "a.md": true, "/a:b": true, "?a:b": true, "#a:b": true, "HTTP://x": true, "interai://content/x": true, "mailto:a@b.example": true, "https://x/?u=javascript%3Ax": true,
		"javascript:x": false, "java\nscript:x": false, "\x01javascript:x": false, "javascript%3Ax": false, "java%0ascript%253Ax": false, "data:x": false, "java\u00adscript:x": false, "blob:x": false, "x%zz:y": false, "&#106;avascript&colon;x": false,
	} {
		require.Equal(t, want, harmless(address), address)
	}
}

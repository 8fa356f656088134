package openapi

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOriginsInTheirNormalForm(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://example.org":             "https://example.org",
		"https://example.org:443":         "https://example.org",
		"HTTPS://Inter-AI.Example.ORG":    "https://inter-ai.example.org",
		"https://inter-ai.invalid":        "https://inter-ai.invalid",
		"https://bücher.example":          "https://xn--bcher-kva.example",
		"https://BÜCHER.example":          "https://xn--bcher-kva.example",
		"https://xn--bcher-kva.example":   "https://xn--bcher-kva.example",
		"https://1.example.org":           "https://1.example.org",
		"https://8.8.8.8":                 "https://8.8.8.8",
		"https://8.8.8.8:443":             "https://8.8.8.8",
		"https://[2606:4700::1111]":       "https://[2606:4700::1111]",
		"https://[2606:4700:0::1111]:443": "https://[2606:4700::1111]",
		"https://internal.example.org":    "https://internal.example.org",
		"https://mylocal.example":         "https://mylocal.example",
	} {
		got, err := ParseOrigin(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got, given)
	}
}

func TestOriginsThatAreRefused(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"": "origin length",
		"https://" + strings.Repeat("a.", 600) + "org": "origin length",
		"http://example.org":                           "scheme https",
		"example.org":                                  "scheme https",
		"https:/example.org":                           "scheme https",
		"ftp://example.org":                            "scheme https",
		" https://example.org":                         "scheme https",
		"https://":                                     "host name",
		"https://user@example.org":                     "origin userinfo",
		"https://user:x@example.org":                   "origin userinfo",
		"https://example.org/":                         "origin host_only",
		"https://example.org/api":                      "origin host_only",
		"https://example.org?x=1":                      "origin host_only",
		"https://example.org?":                         "origin host_only",
		"https://example.org#":                         "origin host_only",
		`https://example.org\x`:                        "origin host_only",
		"https://example.org:":                         "port https_port",
		"https://example.org:8443":                     "port https_port",
		"https://example.org:0443":                     "port https_port",
		"https://example.org:443:443":                  "port https_port",
		"https://example.org:80":                       "port https_port",
		"https://example.org ":                         "host name",
		"https://example.org\n":                        "host name",
		"https://exam ple.org":                         "host name",
		"https://example..org":                         "host name",
		"https://example.org.":                         "host name",
		"https://.example.org":                         "host name",
		"https://-a.example":                           "host name",
		"https://a_b.example":                          "host name",
		"https://*.example.org":                        "host name",
		"https://%65xample.org":                        "host name",
		"https://" + strings.Repeat("a", 64) + ".org":  "host name",
		"https://localhost":                            "host public_name",
		"https://LOCALHOST:443":                        "host public_name",
		"https://app.localhost":                        "host public_name",
		"https://printer.local":                        "host public_name",
		"https://db.internal":                          "host public_name",
		"https://intranet":                             "host public_name",
		"https://box.home.arpa":                        "host public_name",
		"https://ｌｏｃａｌｈｏｓｔ":                            "host public_name",
		"https://127.0.0.1":                            "host public_address",
		"https://１２７.0.0.1":                            "host address",
		"https://127.1":                                "host address",
		"https://2130706433":                           "host address",
		"https://0x7f000001":                           "host address",
		"https://0177.0.0.1":                           "host address",
		"https://10.1.2.3":                             "host public_address",
		"https://172.16.0.1":                           "host public_address",
		"https://192.168.0.1":                          "host public_address",
		"https://169.254.169.254":                      "host public_address",
		"https://0.0.0.0":                              "host public_address",
		"https://100.64.0.1":                           "host public_address",
		"https://224.0.0.1":                            "host public_address",
		"https://255.255.255.255":                      "host public_address",
		"https://[::1]":                                "host public_address",
		"https://[::]":                                 "host public_address",
		"https://[::ffff:127.0.0.1]":                   "host public_address",
		"https://[::127.0.0.1]":                        "host public_address",
		"https://[64:ff9b::7f00:1]":                    "host public_address",
		"https://[fe80::1]":                            "host public_address",
		"https://[fd00::1]":                            "host public_address",
		"https://[fe80::1%25eth0]":                     "host address",
		"https://[2606:4700::1111]x":                   "host address",
		"https://[2606:4700::1111":                     "host address",
		"https://[example.org]":                        "host address",
		"https://2606:4700::1111":                      "port https_port",
	} {
		_, err := ParseOrigin(given)
		var refused *OriginError
		require.ErrorAs(t, err, &refused, given)
		require.Equal(t, want, refused.Field+" "+refused.Rule, given)
		require.Contains(t, err.Error(), refused.Message)
	}
}

func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{
		"https://example.org", "https://example.org:443", "HTTPS://BÜCHER.example", "https://[2606:4700::1111]:443", "https://8.8.8.8",
		"https://user@example.org", "https://127.1", "https://[::ffff:10.0.0.1]", "https://a。b", "https://xn--a.example", "https://\u00ad.org", "https://0000000.000\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		origin, err := ParseOrigin(text)
		if err != nil {
			var refused *OriginError
			require.ErrorAs(t, err, &refused)
			require.Empty(t, origin)
			return
		}
		again, err := ParseOrigin(origin)
		require.NoError(t, err, origin)
		require.Equal(t, origin, again, "the normal form is its own")
		u, err := url.Parse(origin)
		require.NoError(t, err)
		require.Equal(t, origin, u.Scheme+"://"+u.Host, "nothing but a scheme and a host")
		require.Equal(t, strings.ToLower(origin), origin)
		require.Empty(t, u.Port())
		require.Contains(t, u.Host+".", ".")
	})
}

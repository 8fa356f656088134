package antiabuse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse"
)

func TestParseSourceGivesOneFormToOnePlace(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ in, url, family string }{
		"scheme, case, port and fragment": {"HTTP://Example.COM:80/Path#top", "https://example.com/Path", "example.com"},
		"mobile and www hosts":            {"https://www.m.example.co.uk/a/", "https://example.co.uk/a", "example.co.uk"},
		"tracking parameters":             {"https://example.com/?utm_source=x&b=2&a=1&gclid=9", "https://example.com?a=1&b=2", "example.com"},
		"another port stays":              {"https://example.com:8443/x", "https://example.com:8443/x", "example.com"},
		"a port with zeros in front":      {"https://example.com:00443/x", "https://example.com/x", "example.com"},
		"international host":              {"https://bücher.example.org/", "https://xn--bcher-kva.example.org", "example.org"},
		"a work by DOI":                   {"https://doi.org/10.1000/ABC.1", "https://doi.org/10.1000/ABC.1", "doi:10.1000/abc.1"},
		"the same work at its publisher":  {"https://dl.acm.org/doi/10.1000/ABC.1", "https://dl.acm.org/doi/10.1000/ABC.1", "doi:10.1000/abc.1"},
		"a preprint, any version":         {"https://arxiv.org/pdf/2101.00001v3.pdf", "https://arxiv.org/pdf/2101.00001v3.pdf", "arxiv:2101.00001"},
		"an RFC at its editor":            {"https://www.rfc-editor.org/rfc/rfc9562.html", "https://rfc-editor.org/rfc/rfc9562.html", "rfc:9562"},
		"a vulnerability":                 {"https://nvd.nist.gov/vuln/detail/CVE-2021-42574", "https://nvd.nist.gov/vuln/detail/CVE-2021-42574", "cve-2021-42574"},
		"an account of a code host":       {"https://github.com/Golang/go/issues/1", "https://github.com/Golang/go/issues/1", "github.com/golang"},
		"a page of a private suffix":      {"https://someone.github.io/x", "https://someone.github.io/x", "someone.github.io"},
		"the site of a private suffix":    {"https://www.freedesktop.org/wiki/", "https://freedesktop.org/wiki", "freedesktop.org"},
		"a blog on a shared host":         {"https://alice.substack.com/p/x", "https://alice.substack.com/p/x", "alice.substack.com"},
		"sites of one operator":           {"https://serverfault.com/q/1", "https://serverfault.com/q/1", "stackexchange.com"},
		"a package":                       {"https://www.npmjs.com/package/left-pad/v/1.0.0", "https://npmjs.com/package/left-pad/v/1.0.0", "npmjs.com/package/left-pad"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := antiabuse.ParseSource(tc.in)
			require.NoError(t, err)
			require.Equal(t, antiabuse.Source{URL: tc.url, Family: tc.family}, got)
		})
	}
}

func TestParseSourceRefusesWhatIsNoSource(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in   string
		want error
	}{
		"another scheme":       {"ftp://example.com/x", antiabuse.ErrNotWebURL},
		"no host":              {"https:///x", antiabuse.ErrNotWebURL},
		"port zero":            {"https://example.com:0/x", antiabuse.ErrNotWebURL},
		"a port beyond all":    {"https://example.com:65536/x", antiabuse.ErrNotWebURL},
		"words":                {"see the manual", antiabuse.ErrNotWebURL},
		"a credential":         {"https://user:pw@example.com/", antiabuse.ErrURLUserinfo},
		"an IPv4 address":      {"http://192.0.2.1/x", antiabuse.ErrNotPublicHost},
		"an IPv6 address":      {"http://[2001:db8::1]/x", antiabuse.ErrNotPublicHost},
		"a decimal address":    {"http://2130706433/", antiabuse.ErrNotPublicHost},
		"the local host":       {"http://localhost:8080/x", antiabuse.ErrNotPublicHost},
		"a local name":         {"http://printer.local/", antiabuse.ErrNotPublicHost},
		"a bare public suffix": {"https://com/", antiabuse.ErrNotPublicHost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := antiabuse.ParseSource(tc.in)
			require.ErrorIs(t, err, tc.want)
		})
	}
}

func TestRegisteredDomain(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"mail.Example.co.uk": "example.co.uk", "example.com.": "example.com", "a.github.io": "a.github.io", "com": "", "": "", "..": "",
	} {
		require.Equal(t, want, antiabuse.RegisteredDomain(host), host)
	}
}

func FuzzParseSourceIsIdempotent(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/a?b=c", "http://www.Example.com:80/%7Ea/../b#x", "https://doi.org/10.1/x", "https://a.b.c.d.co.uk",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		first, err := antiabuse.ParseSource(raw)
		if err != nil {
			return
		}
		again, err := antiabuse.ParseSource(first.URL)
		if err != nil || again != first {
			t.Fatalf("%q gives %+v, and that again %+v (%v)", raw, first, again, err)
		}
	})
}

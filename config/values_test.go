package config

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{
		"400d": 400 * day, "1d12h": 36 * time.Hour, "90s": 90 * time.Second, "0s": 0, "0": 0, "1.5h": 90 * time.Minute, "0d": 0,
	} {
		got, err := parseDuration(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "d", "1", "-1s", "-1d", "1d-1h", "1.5d", "1d1d", "200000d", "106751d24h", "x"} {
		_, err := parseDuration(in)
		require.Error(t, err, in)
	}
	for in, want := range map[time.Duration]string{
		0: "0s", 2 * time.Second: "2s", 2 * time.Minute: "2m", time.Hour: "1h", 90 * time.Minute: "1h30m", 400 * day: "400d", 36 * time.Hour: "1d12h",
	} {
		require.Equal(t, want, showDuration(in))
	}
}

func TestShownDurationsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(36500*day)).Draw(t, "d"))
		got, err := parseDuration(showDuration(d))
		require.NoError(t, err)
		require.Equal(t, d, got)
	})
}

func TestBytes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"0": 0, "17": 17, "17B": 17, "1KiB": 1024, "1kb": 1000, "2k": 2048, "512MiB": 512 << 20, "2GB": 2e9, "2 GiB": 2 << 30, "1t": 1 << 40, "1TB": 1e12,
	} {
		got, err := parseBytes(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "B", "-1", "1.5G", "1XB", "9223372036854775807K", "1 0"} {
		_, err := parseBytes(in)
		require.Error(t, err, in)
	}
}

func TestShownBytesReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.Map(rapid.Int64Range(0, 1<<20), func(i int64) int64 { return i << 20 })).Draw(t, "n")
		got, err := parseBytes(showBytes(n))
		require.NoError(t, err)
		require.Equal(t, n, got)
	})
}

// FuzzValues holds every parser to its promises: it never panics, and what it
// accepts it accepts again in the form in which it is shown.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"400d", "2GiB", "127.0.0.1:80", "https://a.example/x/", "postgres://u:p@h/d", "a.example:1", "host=h password='x y'", "warn", "true", "a,b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, o := range Options() {
			var c Config
			if o.Secret || o.Name == "tls-cert" || o.Name == "tls-key" || o.parse(&c, in) != nil {
				continue
			}
			shown := o.show(&c)
			if err := o.parse(&c, shown); err != nil {
				t.Fatalf("%s accepts %q but not %q, as which it shows it: %v", o.Name, in, shown, err)
			}
			if again := o.show(&c); again != shown {
				t.Fatalf("%s shows %q as %q and that as %q", o.Name, in, shown, again)
			}
		}
		_ = DatabaseURL(in).String()
	})
}

func TestAddressesAndNames(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		parse func(string) (string, error)
		good  map[string]string
		bad   []string
	}{
		"addr": {
			parseAddr,
			map[string]string{"127.0.0.1:0": "127.0.0.1:0", ":80": ":80", "[::1]:65535": "[::1]:65535"},
			[]string{"", "localhost", "h:http", "h:65536", "h:-1", "http://h:1", "a b:1", "::1:80"},
		},
		"public-url": {
			parsePublicURL,
			map[string]string{"": "", "https://a.example/": "https://a.example", "http://h:1/base/": "http://h:1/base"},
			[]string{"a.example", "ftp://a", "https://", "https://u:p@a", "https://a/?q", "https://a?q=1", "https://a/#f", "://"},
		},
		"host": {
			parseHost,
			map[string]string{"A.example": "a.example", "a.example:8443": "a.example:8443", "[::1]:1": "[::1]:1", "127.0.0.1": "127.0.0.1"},
			[]string{"https://a", "a/b", "*", "*.a.example", "a:b", "u@a", "", ":80"},
		},
		"origin": {
			parseOrigin,
			map[string]string{"HTTPS://A.example": "https://a.example", "http://h:1": "http://h:1"},
			[]string{"a.example", "https://a/", "https://a/x", "https://*", "https://u@a", "null", "https://", "file://a"},
		},
	} {
		for in, want := range tc.good {
			got, err := tc.parse(in)
			require.NoError(t, err, "%s %s", name, in)
			require.Equal(t, want, got, "%s %s", name, in)
		}
		for _, in := range tc.bad {
			_, err := tc.parse(in)
			require.Error(t, err, "%s %q", name, in)
		}
	}
}

func TestListsAreTrimmedAndUnique(t *testing.T) {
	t.Parallel()
	c, err := load(map[string]string{"allowed-hosts": " B.example , a.example,,b.example"}, ordinary(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"b.example", "a.example"}, c.AllowedHosts)
}

func TestTogglesAndChoices(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"true": true, "YES": true, "on": true, "1": true, "false": false, "no": false, "Off": false, "0": false} {
		c, err := load(map[string]string{"auto-migrate": in}, ordinary(), "")
		require.NoError(t, err, in)
		require.Equal(t, want, c.AutoMigrate, in)
	}
	for option, in := range map[string]string{"auto-migrate": "maybe", "log-format": "xml", "log-level": "loud"} {
		got, _ := problems(t, map[string]string{option: in}, ordinary(), "")
		require.Len(t, got, 1)
		require.True(t, strings.HasPrefix(got[0], option+" "))
	}
	c, err := load(map[string]string{"log-format": "JSON", "log-level": "Error"}, ordinary(), "")
	require.NoError(t, err)
	require.Equal(t, "json", c.LogFormat)
	require.Equal(t, "error", showLevel(c.LogLevel))
}

func TestNumbersStayWithinTheirBounds(t *testing.T) {
	t.Parallel()
	for option, bounds := range map[string][2][]string{ // accepted, refused
		"workers":               {{"1", "1000"}, {"0", "1001", "x", "1.5", ""}},
		"db-conns":              {{"8", "150"}, {"7", "2001"}},
		"writes-per-hour":       {{"1", "10_000_000"}, {"0", "10000001"}},
		"actor-writes-per-hour": {{"0", "10000000"}, {"-1", "10000001"}},
		"claims-per-day":        {{"50", "10000000"}, {"49", "10000001"}},
		"reads-per-hour":        {{"1", "1000000000"}, {"0", "1000000001"}},
		"failures-per-minute":   {{"1", "10000000"}, {"0", "10000001"}},
		"trusted-proxies":       {{"", "10.1.2.3/8", "::1", "2001:db8::/32, 192.0.2.1"}, {"10.0.0.0/33", "host", "fe80::1%eth0", "10.0.0"}},
		"oidc-hosts":            {{"", "id.example,id.example:8443"}, {"https://id.example", "*"}},
		"db-wait":               {{"0s", "60s"}, {"61s"}},
		"audit-retention":       {{"1d", "36500d"}, {"23h", "36501d"}},
		"idempotency-retention": {{"24h"}, {"1h"}},
		"sweep-interval":        {{"1s", "1h"}, {"999ms", "61m"}},
		"epoch-interval":        {{"1m", "30d"}, {"59s", "31d"}},
		"signals-interval":      {{"1m", "30d"}, {"59s", "31d"}},
		"max-connections":       {{"1"}, {"0"}},
		"max-active-calls":      {{"1"}, {"0"}},
		"max-streams":           {{"4"}, {"3"}},
		"max-nesting":           {{"16", "256"}, {"15", "257"}},
		"header-timeout":        {{"10ms", "1m"}, {"0", "61s"}},
		"read-timeout":          {{"10ms", "10m"}, {"0", "11m"}},
		"write-timeout":         {{"10ms", "10m"}, {"0", "11m"}},
		"idle-timeout":          {{"10ms", "1h"}, {"0", "61m"}},
		"stream-lifetime":       {{"10ms", "1d"}, {"0", "25h"}},
		"body-memory":           {{"24MiB", "1GiB"}, {"23MiB", "16KiB"}},
		"memory-limit":          {{"0", "64MiB"}, {"1MiB"}},
		"body-limit":            {{"16KiB", "12MiB"}, {"0", "1KiB", "65MiB"}},
		"publish-body-limit":    {{"1MiB", "256MiB"}, {"257MiB"}},
	} {
		for _, in := range bounds[0] {
			got, err := problems(t, map[string]string{option: in}, ordinary(), "")
			require.Empty(t, got, "%s %s: %v", option, in, err)
		}
		for _, in := range bounds[1] {
			got, _ := problems(t, map[string]string{option: in}, ordinary(), "")
			require.Len(t, got, 1, "%s %s", option, in)
		}
	}
}

func TestSuggestionsAreCloseOrNone(t *testing.T) {
	t.Parallel()
	l := &loader{options: Options()}
	for in, want := range map[string]string{
		"data_dir": "; did you mean data-dir?", "worker": "; did you mean workers?", "databse-url": "; did you mean database-url?",
		"zzz": "", "": "",
	} {
		require.Equal(t, want, l.hint("", in, func(o Option) string { return o.Name }), in)
	}
	require.Equal(t, 3, distance("kitten", "sitting"))
	require.Equal(t, 4, distance("", "four"))
	require.Zero(t, distance("same", "same"))
}

func TestAnIssuerIsAnHTTPSURLAndNeedsAPublicOne(t *testing.T) {
	t.Parallel()
	for issuer, ok := range map[string]bool{
		"https://id.example/realm": true, "http://127.0.0.1:8081": true, "http://localhost:1/x": true, "": true,
		"http://id.example": false, "id.example": false, "https://a@id.example": false, "https://id.example?x": false,
	} {
		c, err := load(map[string]string{"oidc-issuer": issuer, "public-url": "https://ai.example"}, ordinary(), "")
		require.Equal(t, ok, err == nil, issuer)
		if ok {
			require.Equal(t, issuer, c.OIDCIssuer, "as it is written")
		}
	}
	got, _ := problems(t, map[string]string{"oidc-issuer": "https://id.example"}, ordinary(), "")
	require.Equal(t, []string{"oidc-issuer " + RuleTogether}, got)
}

func TestAMailServerIsAURLWhosePasswordIsNeverShown(t *testing.T) {
	t.Parallel()
	const password = "pass" + "phrase"
	c, err := load(map[string]string{"smtp-url": "smtp://ann:" + password + "@mail.example:587", "smtp-from": "a@ai.example"}, ordinary(), "")
	require.NoError(t, err)
	require.Contains(t, c.SMTPURL.Plain(), password)
	raw, err := json.Marshal(c)
	require.NoError(t, err)
	for _, shown := range []string{fmt.Sprintf("%v %+v %#v %s", c.SMTPURL, c.SMTPURL, c.SMTPURL, c.SMTPURL), c.SMTPURL.LogValue().String(), string(raw)} {
		require.NotContains(t, shown, password)
		require.Contains(t, shown, "ann:***@mail.example:587")
	}
	require.Equal(t, mask, ServerURL("smtp://%zz:"+password).String())
	for _, bad := range []string{"mail.example:587", "http://mail.example", "smtp://", "smtp://a:" + password + "%zz@mail.example", "smtp://mail.example/path"} {
		_, err := load(map[string]string{"smtp-url": bad, "smtp-from": "a@ai.example"}, ordinary(), "")
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), password)
	}
	for _, bad := range []string{"nobody", "Ann <a@ai.example>", "a@b@c"} {
		_, err := load(map[string]string{"smtp-url": "smtp://mail.example", "smtp-from": bad}, ordinary(), "")
		require.Error(t, err, bad)
	}
	got, _ := problems(t, map[string]string{"smtp-url": "smtp://mail.example"}, ordinary(), "")
	require.Equal(t, []string{"smtp-url " + RuleTogether}, got)
	got, _ = problems(t, map[string]string{"smtp-from": "a@ai.example"}, ordinary(), "")
	require.Equal(t, []string{"smtp-from " + RuleTogether}, got)
}

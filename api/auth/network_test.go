package auth

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/gcra"
	"interai/api/ops"
)

func prefixes(texts ...string) (out []netip.Prefix) {
	for _, text := range texts {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

func TestOnlyTrustedProxiesMayNameTheClient(t *testing.T) {
	proxies := prefixes("10.0.0.0/8", "2001:db8:1::/48")
	for _, tt := range []struct {
		rule      string
		clients   Clients
		peer      string
		forwarded []string
		want      string
	}{
		{"without a proxy the connection counts", NewClients(false, nil), "192.0.2.1:9", []string{"203.0.113.7"}, "192.0.2.1"},
		{"behind an unnamed proxy nothing is known", NewClients(true, nil), "10.0.0.1:9", []string{"203.0.113.7"}, ""},
		{"a trusted proxy is believed", NewClients(true, proxies), "10.0.0.1:9", []string{"203.0.113.7"}, "203.0.113.7"},
		{"and its IPv6 neighbour", NewClients(true, proxies), "[2001:db8:1::5]:9", []string{"2001:db8:2::1"}, "2001:db8:2::1"},
		{"another peer is not", NewClients(true, proxies), "192.0.2.1:9", []string{"203.0.113.7"}, "192.0.2.1"},
		{"what stands before the last untrusted hop is made up", NewClients(false, proxies), "10.0.0.1:9", []string{"127.0.0.1, 203.0.113.7, 10.0.0.2"}, "203.0.113.7"},
		{"several headers are one list", NewClients(false, proxies), "10.0.0.1:9", []string{"127.0.0.1", "203.0.113.7"}, "203.0.113.7"},
		{"no header, no client", NewClients(false, proxies), "10.0.0.1:9", nil, ""},
		{"rubbish is no client", NewClients(false, proxies), "10.0.0.1:9", []string{"203.0.113.7, unknown"}, ""},
		{"nobody but proxies", NewClients(false, proxies), "10.0.0.1:9", []string{"10.0.0.9"}, ""},
		{"mapped addresses are IPv4", NewClients(false, nil), "[::ffff:192.0.2.1]:9", nil, "192.0.2.1"},
		{"zones are dropped", NewClients(false, nil), "[fe80::1%eth0]:9", nil, "fe80::1"},
		{"a peer without a form is unknown", NewClients(false, nil), "@", nil, ""},
		{"a very long list ends", NewClients(false, proxies), "10.0.0.1:9", []string{"203.0.113.7" + strings.Repeat(",10.0.0.2", 100)}, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/mcp", http.NoBody)
			r.RemoteAddr = tt.peer
			r.Header["X-Forwarded-For"] = tt.forwarded
			addr := tt.clients.Addr(r)
			if tt.want == "" {
				require.False(t, addr.IsValid(), addr)
				return
			}
			require.Equal(t, tt.want, addr.String())
		})
	}
}

func TestANetworkIsAllThatIsKeptOfAnAddress(t *testing.T) {
	for addr, want := range map[string]string{"192.0.2.77": "192.0.2.0/24", "2001:db8:1:2::3": "2001:db8:1::/48"} {
		require.Equal(t, want, Network(netip.MustParseAddr(addr)).String())
	}
	require.False(t, Network(netip.Addr{}).IsValid())
}

func TestANetworkWithTooManyFailuresIsRefusedUnheard(t *testing.T) {
	good, looked := newKey(t), 0
	verify := func(_ context.Context, k Key) (*ops.Caller, error) {
		looked++
		if k == good {
			return &ops.Caller{Actor: "ai_1"}, nil
		}
		return nil, ErrUnauthenticated
	}
	rate, err := gcra.New(3, time.Minute)
	require.NoError(t, err)
	now := time.Unix(1_700_000_000, 0)
	b := NewBearer(verify, WithFailures(gcra.NewMeters(rate, 100)))
	b.now = func() time.Time { return now }
	h := b.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	send := func(peer, authorization string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/mcp", http.NoBody)
		r.RemoteAddr = peer
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for range 10 {
		require.Equal(t, http.StatusUnauthorized, send("192.0.2.1:1", "").Code, "no credential is no failure")
	}
	require.Equal(t, http.StatusUnauthorized, send("192.0.2.1:1", "Bearer nonsense").Code)
	require.Equal(t, http.StatusUnauthorized, send("192.0.2.2:1", "Bearer "+newKey(t).Reveal()).Code)
	require.Equal(t, http.StatusUnauthorized, send("192.0.2.3:1", "Bearer "+newKey(t).Reveal()).Code)
	looked = 0
	w := send("192.0.2.4:1", "Bearer "+good.Reveal())
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.Equal(t, "20", w.Header().Get("Retry-After"))
	require.Contains(t, w.Body.String(), `"rate_limited"`)
	require.Zero(t, looked)
	require.Equal(t, http.StatusUnauthorized, send("192.0.2.4:1", "").Code, "who sends none is told what is missing")
	require.Equal(t, http.StatusOK, send("198.51.100.1:1", "Bearer "+good.Reveal()).Code, "other networks go on")
	now = now.Add(20 * time.Second)
	require.Equal(t, http.StatusOK, send("192.0.2.4:1", "Bearer "+good.Reveal()).Code)
	b.clients = NewClients(true, nil)
	for range 10 {
		require.Equal(t, http.StatusUnauthorized, send("10.0.0.1:1", "Bearer nonsense").Code, "an unknown address is never blamed")
	}
}

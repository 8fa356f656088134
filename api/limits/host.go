package limits

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"interai/api/ops"
	"interai/api/refusal"
)

// Hosts is the allow-list of names by which the server may be addressed. It
// defeats DNS rebinding: a page of evil.example that resolves to this machine
// still sends its own name.
type Hosts struct {
	names map[string]bool // "name" matches any port, "name:port" one
}

// NewHosts allows the names of this machine's loopback, the host of publicURL
// ("" = none) and the further hosts, each "name" or "name:port".
func NewHosts(publicURL string, hosts ...string) *Hosts {
	h := &Hosts{names: map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true}}
	if u, err := url.Parse(publicURL); err == nil && u.Host != "" {
		hosts = append(slices.Clone(hosts), u.Hostname())
	}
	for _, host := range hosts {
		if host = strings.TrimSpace(host); host != "" {
			h.names[canonicalHost(host)] = true
		}
	}
	return h
}

// Allowed reports whether a Host header value is on the list.
func (h *Hosts) Allowed(host string) bool {
	full := canonicalHost(host)
	if full == "" {
		return false
	}
	return h.names[full] || h.names[hostName(full)]
}

// Middleware refuses other hosts with 403. The answer names the setting, because
// a reverse proxy in front is the usual cause and looks like a fault of the key.
func (h *Hosts) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.Allowed(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		e := ops.NewError(ops.ValidationFailed, "The Host header is not on this server's allow-list. The credential was not looked at.").
			WithReason("host_not_allowed").
			WithHints("Add the host name to INTERAI_ALLOWED_HOSTS, or set INTERAI_PUBLIC_URL.")
		refusal.Write(w, http.StatusForbidden, e)
	})
}

// canonicalHost lower-cases a host, drops a final dot and the brackets of a
// literal IPv6 address without port.
func canonicalHost(host string) string {
	host = strings.ToLower(host)
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	}
	name = strings.TrimSuffix(name, ".")
	if port == "" {
		return name
	}
	return net.JoinHostPort(name, port)
}

// hostName returns a canonical host without its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

package limits

import (
	"net/http"
	"net/url"
	"strings"

	"interai/api/ops"
	"interai/api/refusal"
)

// Origins is the allow-list of web origins. A request without Origin does not come
// from a script of a page and passes. "null" (sandboxed frames, files) passes only if
// the browser itself says that the request is of the same origin, as it is when a page
// that sends no referrer sends a form: no page can write Sec-Fetch-Site (Fetch Metadata).
type Origins struct {
	allowed map[string]bool
}

// NewOrigins allows the origin of publicURL ("" = none) and the further origins,
// each "scheme://host[:port]". The server's own origin is always allowed.
func NewOrigins(publicURL string, origins ...string) *Origins {
	o := &Origins{allowed: map[string]bool{}}
	for _, origin := range append([]string{publicURL}, origins...) {
		if c, _, ok := canonicalOrigin(origin); ok {
			o.allowed[c] = true
		}
	}
	return o
}

// Allowed reports whether the request's Origin is absent, allowed, or its own host.
func (o *Origins) Allowed(r *http.Request) bool {
	values := r.Header.Values("Origin")
	if len(values) == 0 {
		return true
	}
	if len(values) > 1 {
		return false
	}
	if values[0] == "null" {
		return r.Header.Get("Sec-Fetch-Site") == "same-origin"
	}
	origin, host, ok := canonicalOrigin(values[0])
	return ok && (o.allowed[origin] || host == defaultPort(canonicalHost(r.Host), origin))
}

// Middleware refuses foreign origins with 403, on every method: a page must not
// read either.
func (o *Origins) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if o.Allowed(r) {
			next.ServeHTTP(w, r)
			return
		}
		e := ops.NewError(ops.ValidationFailed, "The Origin header is not on this server's allow-list. The credential was not looked at.").
			WithReason("origin_not_allowed").
			WithHints("Add the web origin to INTERAI_ALLOWED_ORIGINS; clients that are not web pages send no Origin.")
		refusal.Write(w, http.StatusForbidden, e)
	})
}

// canonicalOrigin returns an origin as scheme://host:port and its host:port.
func canonicalOrigin(origin string) (canonical, host string, ok bool) {
	u, err := url.Parse(strings.TrimSpace(origin))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return "", "", false
	}
	host = defaultPort(canonicalHost(u.Host), u.Scheme)
	return u.Scheme + "://" + host, host, true
}

// defaultPort appends the scheme's port to a host that has none.
func defaultPort(host, scheme string) string {
	if hostName(host) != host {
		return host
	}
	if strings.HasPrefix(scheme, "https") {
		return host + ":443"
	}
	return host + ":80"
}

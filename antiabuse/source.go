package antiabuse

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// maxURLBytes bounds a source's URL.
const maxURLBytes = 2048

// Reasons why a URL is not a source.
var (
	ErrNotWebURL     = errors.New("must be an absolute http or https URL")
	ErrURLTooLong    = errors.New("must have at most 2048 bytes")
	ErrURLUserinfo   = errors.New("must not carry a user name or a password")
	ErrNotPublicHost = errors.New("must name a public host: addresses and local names are not sources")
)

// Source is one citable place on the web.
type Source struct {
	// URL is the canonical form: equal places have equal URLs.
	URL string
	// Family says which sources are one voice: an identifier such as doi:10.1000/182, a host's account such as
	// github.com/golang, or the registrable domain.
	Family string
}

// ParseSource reads a URL. The canonical form is https, with a lower-case ASCII host without www., m. or amp., no
// default port, no fragment, no tracking parameters, and a sorted query.
func ParseSource(raw string) (Source, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxURLBytes {
		return Source{}, ErrURLTooLong
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return Source{}, ErrNotWebURL
	}
	if u.User != nil {
		return Source{}, ErrURLUserinfo
	}
	host, err := publicHost(u.Hostname())
	if err != nil {
		return Source{}, err
	}
	port, ok := cleanPort(u.Port())
	if !ok {
		return Source{}, ErrNotWebURL
	}
	canonical := url.URL{Scheme: "https", Host: host, Path: cleanPath(u.Path), RawPath: cleanPath(u.EscapedPath()), RawQuery: cleanQuery(u.Query())}
	canonical.Host += port
	out := Source{URL: canonical.String(), Family: family(host, canonical.Path)}
	if len(out.URL) > maxURLBytes {
		return Source{}, ErrURLTooLong
	}
	return out, nil
}

// hostName is a DNS name in its lower-case ASCII form (RFC 1123): at least two labels of letters, digits and hyphens.
var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// publicHost folds a host name and refuses addresses and names that only resolve locally.
func publicHost(name string) (string, error) {
	host, err := idna.Lookup.ToASCII(strings.TrimSuffix(name, "."))
	if err != nil || !hostName.MatchString(host) {
		return "", ErrNotPublicHost
	}
	if again, err := idna.Lookup.ToASCII(host); err != nil || again != host {
		return "", ErrNotPublicHost
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return "", ErrNotPublicHost
	}
	host = withoutVariant(host)
	suffix, _ := publicsuffix.PublicSuffix(host)
	if !strings.Contains(host, ".") || isReservedName(suffix) || isNumeric(suffix) {
		return "", ErrNotPublicHost
	}
	return host, nil
}

// withoutVariant drops the labels that only name another presentation of the same site.
func withoutVariant(host string) string {
	for {
		label, rest, _ := strings.Cut(host, ".")
		if (label != "www" && label != "m" && label != "amp") || !strings.Contains(rest, ".") {
			return host
		}
		host = rest
	}
}

// isReservedName knows the top-level names that never resolve publicly (RFC 6761, RFC 6762, RFC 8375).
func isReservedName(suffix string) bool {
	switch suffix[strings.LastIndexByte(suffix, '.')+1:] {
	case "local", "localhost", "internal", "intranet", "lan", "home", "corp", "invalid", "test", "onion", "arpa":
		return true
	}
	return false
}

func isNumeric(label string) bool { return strings.Trim(label, "0123456789") == "" }

// cleanPort is a port with its colon; the two that web sites have by default are none.
func cleanPort(port string) (clean string, ok bool) {
	if port == "" {
		return "", true
	}
	switch number, err := strconv.ParseUint(port, 10, 16); {
	case err != nil || number == 0:
		return "", false
	case number == 80 || number == 443:
		return "", true
	default:
		return ":" + strconv.FormatUint(number, 10), true
	}
}

func cleanPath(path string) string { return strings.TrimRight(path, "/") }

// cleanQuery drops what only says how a reader came, and sorts the rest.
func cleanQuery(query url.Values) string {
	for name := range query {
		if isTracking(strings.ToLower(name)) {
			delete(query, name)
		}
	}
	for _, values := range query {
		slices.Sort(values)
	}
	return query.Encode()
}

func isTracking(name string) bool {
	switch name {
	case "gclid", "fbclid", "msclkid", "dclid", "yclid", "igshid", "mc_cid", "mc_eid", "ref", "ref_src", "referrer":
		return true
	}
	return strings.HasPrefix(name, "utm_")
}

package openapi

import (
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
)

// maxOriginBytes bounds what is looked at: a name has at most 253 bytes, in Unicode some more.
const maxOriginBytes = 1024

// OriginError says what of an origin is refused, by which rule.
type OriginError struct {
	// Field is "origin", "scheme", "host" or "port"; Rule is a snake_case word.
	Field, Rule string
	// Message says what is expected.
	Message string
}

// Error names the field, the rule and what is expected.
func (e *OriginError) Error() string {
	return fmt.Sprintf("origin: %s: rule %s: %s", e.Field, e.Rule, e.Message)
}

// ParseOrigin reads the origin under which the world reaches a server: https, a public host, no port but 443, nothing
// else. It answers its one normal form: lower case, punycode, no port. The error is an *OriginError.
func ParseOrigin(text string) (string, error) {
	if text == "" || len(text) > maxOriginBytes {
		return "", &OriginError{"origin", "length", fmt.Sprintf("it needs 1 to %d bytes, such as https://example.org", maxOriginBytes)}
	}
	const scheme = "https://"
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return "", &OriginError{"scheme", "https", "it must be https, as in https://example.org"}
	}
	rest := text[len(scheme):]
	if strings.Contains(rest, "@") {
		return "", &OriginError{"origin", "userinfo", "it must have no user"}
	}
	if strings.ContainsAny(rest, "/?#\\") {
		return "", &OriginError{"origin", "host_only", "it must have no path, query or fragment, and no slash at its end"}
	}
	host, port, err := splitPort(rest)
	if err != nil {
		return "", err
	}
	if port != "" && port != ":443" {
		return "", &OriginError{"port", "https_port", "it must be absent or 443"}
	}
	if strings.HasPrefix(host, "[") {
		return parseAddress(strings.Trim(host, "[]"))
	}
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is4() {
		return parseAddress(host)
	}
	return parseName(host)
}

// splitPort cuts a port off, with its colon. An address of IPv6 has colons of its own and stands in brackets.
func splitPort(rest string) (host, port string, err error) {
	if strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 0 || strings.ContainsAny(rest[1:end], "[%") || len(rest) > end+1 && rest[end+1] != ':' {
			return "", "", &OriginError{"host", "address", "an IPv6 address stands in brackets, without a zone"}
		}
		return rest[:end+1], rest[end+1:], nil
	}
	if i := strings.IndexByte(rest, ':'); i >= 0 {
		return rest[:i], rest[i:], nil
	}
	return rest, "", nil
}

// parseAddress accepts addresses of the public internet only.
func parseAddress(host string) (string, error) {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return "", &OriginError{"host", "address", "it is not an IP address"}
	}
	if addr = addr.Unmap(); !public(addr) {
		return "", &OriginError{"host", "public_address", "it must not be an address of loopback, private, link-local or reserved networks"}
	}
	if addr.Is6() {
		return "https://[" + addr.String() + "]", nil
	}
	return "https://" + addr.String(), nil
}

// public tells whether an address may be one of the public internet.
func public(addr netip.Addr) bool {
	if !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return false
	}
	for _, reserved := range []netip.Prefix{
		netip.PrefixFrom(netip.AddrFrom4([4]byte{0}), 8),                      // this network (RFC 791)
		netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10),               // carriers (RFC 6598)
		netip.PrefixFrom(netip.AddrFrom4([4]byte{240}), 4),                    // future use (RFC 1112)
		netip.PrefixFrom(netip.AddrFrom16([16]byte{0, 0x64, 0xff, 0x9b}), 32), // IPv4 by translation (RFC 6052, 8215)
		netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20, 0x02}), 16),          // IPv4 by 6to4 (RFC 3056)
		netip.PrefixFrom(netip.AddrFrom16([16]byte{0xfe, 0xc0}), 10),          // site-local (RFC 3879)
		netip.PrefixFrom(netip.AddrFrom16([16]byte{}), 96),                    // IPv4-compatible (RFC 4291)
	} {
		if reserved.Contains(addr) {
			return false
		}
	}
	return true
}

// parseName accepts names of the public DNS, in Unicode or punycode (IDNA, UTS 46).
func parseName(host string) (string, error) {
	name, err := idna.Lookup.ToASCII(host)
	// A name that the profile makes and would not take again, as of broken UTF-8, is none.
	if again, broken := idna.Lookup.ToASCII(name); err != nil || broken != nil || again != name {
		return "", &OriginError{"host", "name", "it is not a host name"}
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if !isLabel(label) {
			return "", &OriginError{"host", "name", "it is not a host name: letters, digits and hyphens, 1 to 63 between two dots"}
		}
	}
	last := labels[len(labels)-1]
	switch {
	case len(name) > 253:
		return "", &OriginError{"host", "name", "it has more than 253 characters"}
	case last[0] >= '0' && last[0] <= '9': // browsers read all of these as addresses, such as 127.1 and 0x7f000001
		return "", &OriginError{"host", "address", "it is neither an IP address nor a name"}
	case len(labels) == 1, isLocal(name):
		return "", &OriginError{"host", "public_name", "it must be a name of the public DNS, not a local one"}
	}
	return "https://" + name, nil
}

// isLabel holds a label against RFC 1123, in lower case.
func isLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// isLocal tells whether a name is reserved for use within a machine or network (RFC 6761, 6762, 8375; ICANN 2024).
func isLocal(name string) bool {
	for _, reserved := range []string{"localhost", "localdomain", "local", "internal", "home.arpa"} {
		if name == reserved || strings.HasSuffix(name, "."+reserved) {
			return true
		}
	}
	return false
}

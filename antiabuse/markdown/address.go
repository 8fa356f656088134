package markdown

import (
	"html"
	"math"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/util"
)

// Bounds of an address that raises no suspicion.
const (
	maxPlainURLBytes = 512
	maxQueryBytes    = 200
	// randomBits is the entropy of a byte, in bits, above which a long query looks like data carried away.
	randomBits = 4.2
	// maxDecodings is how many layers of escapes are taken off an address.
	maxDecodings = 3
)

// destination is what an address in the source of a link stands for.
func destination(raw []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(raw))))
}

// harmless reports whether an address may be followed: one of the web, of a mailbox, of this server, or a relative one.
func harmless(address string) bool {
	for range maxDecodings {
		switch scheme(address) {
		case "", "http", "https", "mailto", "interai":
		default:
			return false
		}
		decoded := html.UnescapeString(unescapePercent(address))
		if decoded == address {
			return true
		}
		if scheme(address) != "" { // what follows a scheme cannot be another one
			return true
		}
		address = decoded
	}
	return false
}

// scheme is the scheme of an address as a browser sees it, which drops blanks and control characters and folds case.
func scheme(address string) string {
	end := strings.IndexAny(address, ":/?#")
	if end < 0 || address[end] != ':' {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			return -1
		}
		return unicode.ToLower(r)
	}, address[:end])
}

// unescapePercent takes off one layer of percent escapes and leaves those that are none.
func unescapePercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// Suspicious reports whether a web address hides where it leads, or carries much that looks like data: a user name before
// the host, a bare IP address, a host in mixed scripts or in punycode, more than 512 bytes, or a long random query.
func Suspicious(address string) bool {
	lower := strings.ToLower(address[:min(len(address), len("https://"))])
	if !strings.HasPrefix(lower, "http:") && !strings.HasPrefix(lower, "https:") && !strings.HasPrefix(lower, "//") {
		return false
	}
	if len(address) > maxPlainURLBytes {
		return true
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.User != nil {
		return true
	}
	query := parsed.RawQuery
	return suspiciousHost(parsed.Hostname()) || len(query) > maxQueryBytes && entropy(query) > randomBits
}

func suspiciousHost(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return !address.IsLoopback() && !address.IsPrivate() && !address.IsUnspecified() && !address.IsLinkLocalUnicast()
	}
	host = strings.ToLower(host)
	for label := range strings.SplitSeq(host, ".") {
		if strings.HasPrefix(label, "xn--") || mixedScript(label) || isLookAlike(label) && host[len(host)-1] < 0x80 {
			return true
		}
	}
	return host != "" && numeric(host)
}

// numeric knows the other ways to write an IP address: one number, or numbers in hexadecimal.
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
}

// mixedScript reports whether a label has letters of Latin beside those of a script with look-alikes.
func mixedScript(label string) bool {
	latin, other := false, false
	for _, r := range label {
		switch {
		case r < 0x80:
			latin = latin || r >= 'a' && r <= 'z'
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee):
			other = true
		}
	}
	return latin && other
}

// isLookAlike reports whether a label has no letters of Latin but only such as pass for them.
func isLookAlike(label string) bool {
	const alike = "аеорсухіјӏԁһѕԛԝвкмнтαορνυικχϲ"
	letters := 0
	for _, r := range label {
		switch {
		case strings.ContainsRune(alike, r):
			letters++
		case r >= 0x80 || r >= 'a' && r <= 'z':
			return false
		}
	}
	return letters > 1
}

// entropy is how many bits a byte of s carries.
func entropy(s string) float64 {
	var counts [256]float64
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range &counts {
		if n > 0 {
			p := n / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

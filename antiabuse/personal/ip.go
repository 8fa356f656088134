package personal

import (
	"net/netip"
	"slices"
	"strings"
)

// nearVisitor is how far from an address a word may stand that makes it one of a visitor.
const nearVisitor = 60

// infrastructure are addresses of well-known resolvers and services.
var infrastructure = []string{
	"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "149.112.112.112", "208.67.222.222", "208.67.220.220", "4.2.2.1", "4.2.2.2", "94.140.14.14", "94.140.15.15",
	"76.76.2.0", "76.76.10.0", "64.6.64.6", "185.228.168.9", "77.88.8.8", "114.114.114.114", "223.5.5.5", "119.29.29.29", "2001:4860:4860::8888", "2606:4700:4700::1111", "2620:fe::fe", "1.2.3.4",
}

// reserved are the networks that are not somebody's: those of documentation, and those shared behind carriers.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("3fff::/20"),
}

// address reports whether an IP address begins at i, and flags it where it is a visitor's.
func (s *scan) address(i int) bool {
	const longest = 45
	end, dots, colons := i, 0, 0
	for end < len(s.text) && end-i <= longest {
		c := s.text[end]
		switch {
		case c == '.':
			dots++
		case c == ':':
			colons++
		case !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f'):
			c = 0
		}
		if c == 0 {
			break
		}
		end++
	}
	if dots < 3 && colons < 2 {
		return false
	}
	text := strings.TrimRight(s.text[i:end], ".:")
	if colons < 2 {
		text, _, _ = strings.Cut(text, ":") // a port
	}
	if len(text) == len("00:00:00:00:00:00") && colons == 5 {
		s.device(i, i+len(text))
	}
	address, err := netip.ParseAddr(text)
	if err != nil || !s.begins(i) {
		return false
	}
	end = i + len(text)
	s.until = end
	if isPublic(address) && s.isVisitor(i, end) {
		s.flag("client_ip", i, end)
	}
	return true
}

func isPublic(a netip.Addr) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() || slices.Contains(infrastructure, a.String()) {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isVisitor knows lines of access logs, and words for visitors.
func (s *scan) isVisitor(start, end int) bool {
	line := s.text[end:min(len(s.text), end+nearVisitor)]
	line, _, _ = strings.Cut(line, "\n")
	if strings.HasPrefix(line, " - ") || strings.Contains(line, "\"GET ") || strings.Contains(line, "\"POST ") {
		return true
	}
	return s.last[visitorWord] >= start-nearVisitor && !strings.Contains(s.text[max(0, s.last[visitorWord]):start], "\n\n") ||
		s.follows(end).has(visitorWord)
}

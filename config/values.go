package config

import (
	"log/slog"
	"math"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// parseDuration reads Go durations and, before them, whole days: "400d",
// "1d12h", "90s".
func parseDuration(s string) (time.Duration, error) {
	bad := violates(RuleFormat, "%q is not a duration such as 30s, 12h or 400d", s)
	var days time.Duration
	rest := s
	if head, after, found := strings.Cut(s, "d"); found {
		n, err := strconv.ParseUint(head, 10, 31)
		if err != nil || n > math.MaxInt64/uint64(day) {
			return 0, bad
		}
		days, rest = time.Duration(n)*day, after
		if rest == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 || d > math.MaxInt64-days {
		return 0, bad
	}
	return days + d, nil
}

// showDuration is the inverse of parseDuration, in its shortest form.
func showDuration(d time.Duration) string {
	if d < day {
		return shortDuration(d)
	}
	days := strconv.FormatInt(int64(d/day), 10) + "d"
	if rest := d % day; rest > 0 {
		days += shortDuration(rest)
	}
	return days
}

// shortDuration drops the zero units that time.Duration prints ("2m0s").
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// units of bytes, longest suffix first: KiB, K count by 1024 and KB by 1000.
func units() []struct {
	suffix string
	bytes  int64
} {
	return []struct {
		suffix string
		bytes  int64
	}{
		{"kib", 1 << 10},
		{"mib", 1 << 20},
		{"gib", 1 << 30},
		{"tib", 1 << 40},
		{"kb", 1e3},
		{"mb", 1e6},
		{"gb", 1e9},
		{"tb", 1e12},
		{"k", 1 << 10},
		{"m", 1 << 20},
		{"g", 1 << 30},
		{"t", 1 << 40},
		{"b", 1},
	}
}

// parseBytes reads a whole number of bytes with an optional unit.
func parseBytes(s string) (int64, error) {
	number, unit := strings.ToLower(strings.TrimSpace(s)), int64(1)
	for _, u := range units() {
		if head, found := strings.CutSuffix(number, u.suffix); found {
			number, unit = strings.TrimSpace(head), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, violates(RuleFormat, "%q is not a number of bytes such as 512MiB or 2GB", s)
	}
	return n * unit, nil
}

// showBytes uses the largest binary unit that divides n.
func showBytes(n int64) string {
	for _, u := range []struct {
		suffix string
		bytes  int64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

// parseAddr reads host:port with a numeric port; the host may be empty.
func parseAddr(s string) (string, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", violates(RuleFormat, "%q is not host:port, such as 127.0.0.1:8080", s)
	}
	if strings.ContainsAny(host, "/ \t") {
		return "", violates(RuleFormat, "%q is not a host", host)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", violates(RuleRange, "port %q is not within 0 and 65535", port)
	}
	return s, nil
}

// isLoopback reports that only this machine can reach a listener on addr.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// parsePublicURL reads the address that the world uses.
func parsePublicURL(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return "", violates(RuleFormat, "it is not an absolute http or https URL")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", violates(RuleFormat, "it must have no user, query or fragment")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// parseHost reads host or host:port, as it stands in a Host header.
func parseHost(s string) (string, error) {
	u, err := url.Parse("//" + s)
	if err != nil || u.Host != s || u.Hostname() == "" || strings.Contains(s, "*") {
		return "", violates(RuleFormat, "%q is not a host such as example.org or example.org:8443", s)
	}
	return strings.ToLower(s), nil
}

// parseIssuer reads the URL of an OpenID issuer, which is compared as it is written.
func parseIssuer(s string) (string, error) {
	u, err := url.Parse(s)
	if s == "" {
		return "", nil
	}
	local := err == nil && u.Scheme == "http" && isLoopback(u.Host)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !local {
		return "", violates(RuleFormat, "%q is not an https URL such as https://id.example.org", s)
	}
	return s, nil
}

// parseMailServer checks the form only; its messages never repeat the value.
func parseMailServer(s string) (ServerURL, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return "", violates(RuleFormat, "it is neither smtp://user:password@host:587 nor smtps://… (is the password percent-encoded?)")
	}
	return ServerURL(s), nil
}

// parseMailAddress reads one plain address.
func parseMailAddress(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s {
		return "", violates(RuleFormat, "%q is not an address such as inter-ai@example.org", s)
	}
	return s, nil
}

// parseNetwork reads a network in CIDR form, or one address.
func parseNetwork(s string) (string, error) {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
		return netip.PrefixFrom(addr, addr.BitLen()).String(), nil
	}
	network, err := netip.ParsePrefix(s)
	if err != nil {
		return "", violates(RuleFormat, "%q is not a network such as 10.0.0.0/8", s)
	}
	return network.Masked().String(), nil
}

// parseLanguage reads a primary subtag (BCP 47).
func parseLanguage(s string) (string, error) {
	if len(s) < 2 || len(s) > 3 || strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", violates(RuleFormat, "%q is not a language such as en", s)
	}
	return strings.ToLower(s), nil
}

// parseOrigin reads scheme://host[:port], as it stands in an Origin header.
func parseOrigin(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" ||
		!strings.EqualFold(u.Scheme+"://"+u.Host, s) || strings.Contains(s, "*") {
		return "", violates(RuleFormat, "%q is not an origin such as https://example.org", s)
	}
	return strings.ToLower(s), nil
}

// parseDatabaseURL checks the form only; its messages never repeat the value.
func parseDatabaseURL(s string) (DatabaseURL, error) {
	if s == "" {
		return "", nil
	}
	if isURL(s) {
		if _, err := url.Parse(s); err != nil {
			return "", violates(RuleFormat, "it is not a valid URL (is the password percent-encoded?)")
		}
		return DatabaseURL(s), nil
	}
	if strings.Contains(s, "://") || !strings.Contains(s, "=") {
		return "", violates(RuleFormat, "it is neither postgres://user@host/name nor host=… dbname=…")
	}
	return DatabaseURL(s), nil
}

// parseDir makes a directory's path absolute; empty stays empty.
func parseDir(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	abs, err := filepath.Abs(s)
	if err != nil {
		return "", violates(RuleFormat, "it cannot be made absolute: %v", err)
	}
	return abs, nil
}

// parseFile is the path of an existing file; empty stays empty.
func parseFile(s string) (string, error) {
	path, err := parseDir(s)
	if err != nil || path == "" {
		return path, err
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return "", violates(RuleFile, "there is no file %s", path)
	}
	return path, nil
}

func parseLevel(s string) (slog.Level, error) {
	switch strings.ToLower(s) {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, violates(RuleChoice, "%q is not one of debug, info, warn, error", s)
}

func showLevel(l slog.Level) string { return strings.ToLower(l.String()) }

// anyText accepts every text.
func anyText(s string) (string, error) { return s, nil }

package config

import (
	"encoding/json"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
)

// mask stands for a secret wherever a configuration is shown.
const mask = "***"

// DatabaseURL is a PostgreSQL connection string, as a URL or in keyword/value
// form. However it is printed, logged or encoded, its password is masked.
type DatabaseURL string

// Plain is the connection string itself, for whoever connects.
func (d DatabaseURL) Plain() string { return string(d) }

// String is the connection string with its password masked.
func (d DatabaseURL) String() string {
	if d == "" {
		return ""
	}
	if !isURL(string(d)) {
		return keywordSecret.ReplaceAllString(string(d), "${1}"+mask)
	}
	u, err := url.Parse(string(d))
	if err != nil {
		return mask // nobody knows where the password would be
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), mask)
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(strings.ToLower(name), "password") {
			query.Set(name, mask)
		}
	}
	u.RawQuery = query.Encode()
	// The mask itself needs no escaping and reads better without.
	return strings.ReplaceAll(u.String(), url.QueryEscape(mask), mask)
}

// GoString is String, for %#v.
func (d DatabaseURL) GoString() string { return d.String() }

// LogValue is String, for slog.
func (d DatabaseURL) LogValue() slog.Value { return slog.StringValue(d.String()) }

// MarshalJSON is String, for encoding/json.
func (d DatabaseURL) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// Secrets are the secrets that the configuration holds, for whoever has to keep another credential apart from them.
func (c *Config) Secrets() []string {
	var out []string
	for _, text := range []string{c.DatabaseURL.Plain(), c.ReadDatabaseURL.Plain(), c.SMTPURL.Plain()} {
		if text != "" {
			out = append(append(out, text), passwords(text)...)
		}
	}
	return out
}

// passwords are those in a URL or in the keyword/value form of a connection string.
func passwords(text string) []string {
	var out []string
	if !strings.Contains(text, "://") {
		for _, match := range keywordSecret.FindAllStringSubmatch(text, -1) {
			value := strings.TrimPrefix(match[0], match[1])
			if quoted, ok := strings.CutPrefix(value, "'"); ok {
				value = strings.TrimSuffix(quoted, "'")
			}
			out = append(out, keywordEscape.ReplaceAllString(value, "$1"))
		}
		return out
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	if password, has := u.User.Password(); has {
		out = append(out, password)
	}
	for name, values := range u.Query() {
		if strings.Contains(strings.ToLower(name), "password") {
			out = append(out, values...)
		}
	}
	return out
}

// keywordEscape is a backslash with what it escapes.
var keywordEscape = regexp.MustCompile(`\\(.)`)

// keywordSecret finds password and sslpassword of the keyword/value form, whose
// values may be quoted, with backslash escapes.
var keywordSecret = regexp.MustCompile(`(?i)((?:^|\s)(?:ssl)?password\s*=\s*)('(?:\\.|[^'\\])*'?|(?:\\.|\S)*)`)

func isURL(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

// ServerURL is a URL whose password is masked however it is printed, logged or encoded.
type ServerURL string

// Plain is the URL itself, for whoever connects.
func (s ServerURL) Plain() string { return string(s) }

// String is the URL with its password masked.
func (s ServerURL) String() string {
	u, err := url.Parse(string(s))
	if err != nil {
		return mask
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), mask)
	}
	return strings.ReplaceAll(u.String(), url.QueryEscape(mask), mask)
}

// GoString is String, for %#v.
func (s ServerURL) GoString() string { return s.String() }

// LogValue is String, for slog.
func (s ServerURL) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON is String, for encoding/json.
func (s ServerURL) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

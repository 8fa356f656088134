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

// keywordSecret finds password and sslpassword of the keyword/value form, whose
// values may be quoted, with backslash escapes.
var keywordSecret = regexp.MustCompile(`(?i)((?:^|\s)(?:ssl)?password\s*=\s*)('(?:\\.|[^'\\])*'?|(?:\\.|\S)*)`)

func isURL(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

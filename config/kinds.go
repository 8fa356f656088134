package config

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Option is one declared option.
type Option struct {
	// Name is the flag without its dashes and the key of the file.
	Name string
	// Doc is one sentence for --help and the reference.
	Doc string
	// Default is the default as people read it; it may be a rule.
	Default string
	// Secret marks a value that is masked when shown.
	Secret bool
	// Bool marks a flag that may stand without a value.
	Bool bool

	fallback func(*Config, surroundings) (string, error)
	parse    func(*Config, string) error
	show     func(*Config) string
}

// Env is the option's environment variable.
func (o Option) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))
}

// derived replaces a fixed default by a computed one; Default stays as the
// description of it.
func (o Option) derived(f func(*Config, surroundings) (string, error)) Option {
	o.fallback = f
	return o
}

// option builds the common part; parse turns a text into a value and checks it.
func option[T any](name, def, doc string, field func(*Config) *T, parse func(string) (T, error), show func(T) string) Option {
	return Option{
		Name: name, Doc: doc, Default: def,
		fallback: func(*Config, surroundings) (string, error) { return def, nil },
		parse: func(c *Config, s string) error {
			v, err := parse(s)
			if err == nil {
				*field(c) = v
			}
			return err
		},
		show: func(c *Config) string { return show(*field(c)) },
	}
}

// text is free text that read may check and normalise.
func text(name, def, doc string, field func(*Config) *string, read func(string) (string, error)) Option {
	return option(name, def, doc, field, read, func(s string) string { return s })
}

// count is a whole number within bounds.
func count(name, def, doc string, field func(*Config) *int, lo, hi int) Option {
	parse := func(s string) (int, error) {
		n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
		if err != nil {
			return 0, violates(RuleFormat, "%q is not a whole number", s)
		}
		if n < lo || n > hi {
			return 0, violates(RuleRange, "%d is not within %d and %d", n, lo, hi)
		}
		return n, nil
	}
	return option(name, def, doc, field, parse, strconv.Itoa)
}

// span is a duration within bounds.
func span(name, def, doc string, field func(*Config) *time.Duration, lo, hi time.Duration) Option {
	parse := func(s string) (time.Duration, error) {
		d, err := parseDuration(s)
		if err != nil {
			return 0, err
		}
		if d < lo || d > hi {
			return 0, violates(RuleRange, "%s is not within %s and %s", showDuration(d), showDuration(lo), showDuration(hi))
		}
		return d, nil
	}
	return option(name, def, doc, field, parse, showDuration)
}

// size is a number of bytes within bounds; zero says whether 0 is allowed too.
func size(name, def, doc string, field func(*Config) *int64, lo, hi int64, zero bool) Option {
	parse := func(s string) (int64, error) {
		n, err := parseBytes(s)
		if err != nil || n == 0 && zero {
			return n, err
		}
		if n < lo || n > hi {
			return 0, violates(RuleRange, "%s is not within %s and %s", showBytes(n), showBytes(lo), showBytes(hi))
		}
		return n, nil
	}
	return option(name, def, doc, field, parse, showBytes)
}

// toggle is yes or no.
func toggle(name, def, doc string, field func(*Config) *bool) Option {
	parse := func(s string) (bool, error) {
		switch strings.ToLower(s) {
		case "true", "yes", "on", "1":
			return true, nil
		case "false", "no", "off", "0":
			return false, nil
		}
		return false, violates(RuleFormat, "%q is neither true nor false", s)
	}
	o := option(name, def, doc, field, parse, strconv.FormatBool)
	o.Bool = true
	return o
}

// choice is one of a few words.
func choice(name, def, doc string, field func(*Config) *string, words ...string) Option {
	return text(name, def, doc, field, func(s string) (string, error) {
		if w := strings.ToLower(s); slices.Contains(words, w) {
			return w, nil
		}
		return "", violates(RuleChoice, "%q is not one of %s", s, strings.Join(words, ", "))
	})
}

// list is several texts, separated by commas; read checks and normalises each.
func list(name, def, doc string, field func(*Config) *[]string, read func(string) (string, error)) Option {
	parse := func(s string) ([]string, error) {
		items := []string{}
		for part := range strings.SplitSeq(s, ",") {
			part = strings.TrimSpace(part)
			if part == "" {
				continue
			}
			item, err := read(part)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
		return items, nil
	}
	return option(name, def, doc, field, parse, func(items []string) string { return strings.Join(items, ",") })
}

// database is a connection string whose password is never shown.
func database(name, doc string, field func(*Config) *DatabaseURL) Option {
	o := option(name, "", doc, field, parseDatabaseURL, DatabaseURL.String)
	o.Secret = true
	return o
}

// serverURL is a URL whose password is never shown.
func serverURL(name, doc string, field func(*Config) *ServerURL, read func(string) (ServerURL, error)) Option {
	o := option(name, "", doc, field, read, ServerURL.String)
	o.Secret = true
	return o
}

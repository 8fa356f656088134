package openmcp

import (
	"regexp"
	"strings"
)

// dialects says which engines can read a pattern. JSON Schema means ECMA-262; many validators are RE2.
type dialects int

const (
	everywhere dialects = iota
	onlyRE2             // such as inline flags and \A
	onlyECMA            // such as look-around and back references
	neither
)

// ecmaOnly finds what RE2 lacks: look-around, back references, control characters, code units. A backslash that is itself
// escaped is skipped by the first alternative.
var ecmaOnly = regexp.MustCompile(`\\\\|\(\?<?[=!]|\\[1-9]|\\k<[A-Za-z_]\w*>|\\c[A-Za-z]|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\[\^\]|\[\]`)

// re2Only finds what ECMA-262 lacks: inline flags, Python's names of groups, \A \z \Q \E \C \a, POSIX classes, possessive
// anchors and bare property letters.
var re2Only = regexp.MustCompile(`\\\\|\(\?P<|\(\?[imsU-]+[:)]|\\[AzQECa]|\[:\^?[a-z]+:\]|\\[pP][A-Z]`)

// translate replaces what only ECMA-262 has by something that RE2 reads, so that the rest can be checked. The result is
// no pattern to match with.
func translate(pattern string) string {
	return ecmaOnly.ReplaceAllStringFunc(pattern, func(s string) string {
		switch {
		case s == `\\`:
			return s
		case strings.HasPrefix(s, "(?"):
			return "(?:"
		default:
			return "a"
		}
	})
}

// dialectsOf tells which engines can read a pattern.
func dialectsOf(pattern string) dialects {
	_, err := regexp.Compile(pattern)
	switch {
	case err == nil && has(re2Only, pattern):
		return onlyRE2
	case err == nil:
		return everywhere
	}
	if _, err = regexp.Compile(translate(pattern)); err == nil && !has(re2Only, pattern) {
		return onlyECMA
	}
	return neither
}

// has reports whether a finder meets something other than an escaped backslash.
func has(finder *regexp.Regexp, pattern string) bool {
	for _, s := range finder.FindAllString(pattern, -1) {
		if s != `\\` {
			return true
		}
	}
	return false
}

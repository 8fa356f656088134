package evidence

import (
	"strconv"
	"strings"
)

// maxExponent is more than any number needs that a double holds and that is written in a few hundred digits.
const maxExponent = 1000

// decimal writes the literal of a JSON number out without an exponent, digit by digit, as PostgreSQL does: 1.50e1
// becomes 15.0. It is false for an exponent with which that would take no bounded room.
func decimal(literal string) (string, bool) {
	at := strings.IndexAny(literal, "eE")
	if at < 0 {
		return literal, true
	}
	shift, err := strconv.Atoi(literal[at+1:])
	if err != nil || max(shift, -shift) > maxExponent {
		return "", false
	}
	mantissa, negative := strings.CutPrefix(literal[:at], "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point := whole+fraction, len(whole)+shift
	if point < 1 {
		digits, point = strings.Repeat("0", 1-point)+digits, 1
	}
	digits += strings.Repeat("0", max(0, point-len(digits)))
	out := strings.TrimLeft(digits[:point-1], "0") + digits[point-1:point]
	if fraction = digits[point:]; fraction != "" {
		out += "." + fraction
	}
	if negative {
		out = "-" + out
	}
	return out, true
}

// shortest is a plain decimal without what does not change its value: 1.50 becomes 1.5, 2.0 becomes 2, -0 becomes 0.
func shortest(plain string) string {
	if strings.Contains(plain, ".") {
		plain = strings.TrimSuffix(strings.TrimRight(plain, "0"), ".")
	}
	if plain == "-0" {
		return "0"
	}
	return plain
}

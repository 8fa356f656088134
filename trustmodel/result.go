package trustmodel

import "fmt"

// Result is the reported outcome of one use. Its zero value, ResultUnknown,
// carries no evidence, so a result that was forgotten counts for nothing.
type Result uint8

// The four outcomes of a use.
const (
	ResultUnknown Result = iota // listed, but no evidence either way
	ResultSuccess               // worked
	ResultPartial               // worked in part: splits by StrengthParams.PartialOutcome
	ResultFailure               // did not work
)

var resultNames = [...]string{
	ResultUnknown: "unknown",
	ResultSuccess: "success",
	ResultPartial: "partial",
	ResultFailure: "failure",
}

// String returns the wire name of r, or "Result(n)" for a value that is none of
// the four.
func (r Result) String() string { return nameOf(resultNames[:], uint8(r), "Result") }

// ParseResult returns the result with the given wire name; any other name is an
// error.
func ParseResult(name string) (Result, error) {
	i, err := indexOf(resultNames[:], name, "result")
	return Result(i), err
}

// nameOf returns names[i], or a Go-like rendering where i is out of range.
func nameOf(names []string, i uint8, kind string) string {
	if int(i) < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

// indexOf returns the place of name in names. The error lists what is allowed
// and does not repeat the input, which may come from anywhere.
func indexOf(names []string, name, kind string) (uint8, error) {
	for i, n := range names {
		if n == name {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("parse %s: not one of %v", kind, names)
}

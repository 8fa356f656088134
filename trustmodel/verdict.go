package trustmodel

// Verdict is the judgement of one review. Its zero value, VerdictCannotVerify,
// carries no evidence, so a verdict that was forgotten counts for nothing.
type Verdict uint8

// The eight verdicts.
const (
	VerdictCannotVerify  Verdict = iota // listed, but no evidence either way
	VerdictConfirmed                    // holds
	VerdictMostlyCorrect                // holds with reservations
	VerdictQuestionable                 // rather does not hold
	VerdictMisleading                   // leads to wrong conclusions
	VerdictContradicted                 // does not hold
	VerdictFalse                        // is wrong
	VerdictOutdated                     // held once: feeds the outdated status only, never the value
)

var verdictNames = [...]string{
	VerdictCannotVerify:  "cannot_verify",
	VerdictConfirmed:     "confirmed",
	VerdictMostlyCorrect: "mostly_correct",
	VerdictQuestionable:  "questionable",
	VerdictMisleading:    "misleading",
	VerdictContradicted:  "contradicted",
	VerdictFalse:         "false",
	VerdictOutdated:      "outdated",
}

// String returns the wire name of v, or "Verdict(n)" for a value that is none
// of the eight.
func (v Verdict) String() string { return nameOf(verdictNames[:], uint8(v), "Verdict") }

// ParseVerdict returns the verdict with the given wire name; any other name is
// an error.
func ParseVerdict(name string) (Verdict, error) {
	i, err := indexOf(verdictNames[:], name, "verdict")
	return Verdict(i), err
}

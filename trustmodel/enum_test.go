package trustmodel

import (
	"strings"
	"testing"
)

// TestNamesRoundTrip holds the wire names, each of which clients already use.
func TestNamesRoundTrip(t *testing.T) {
	results := map[Result]string{
		ResultUnknown: "unknown", ResultSuccess: "success", ResultPartial: "partial", ResultFailure: "failure",
	}
	for r, name := range results {
		if got, err := ParseResult(name); err != nil || got != r || r.String() != name {
			t.Errorf("result %q: parsed as %v, %v; named %q", name, got, err, r)
		}
	}
	verdicts := map[Verdict]string{
		VerdictConfirmed: "confirmed", VerdictMostlyCorrect: "mostly_correct",
		VerdictQuestionable: "questionable", VerdictMisleading: "misleading",
		VerdictContradicted: "contradicted", VerdictFalse: "false",
		VerdictOutdated: "outdated", VerdictCannotVerify: "cannot_verify",
	}
	for v, name := range verdicts {
		if got, err := ParseVerdict(name); err != nil || got != v || v.String() != name {
			t.Errorf("verdict %q: parsed as %v, %v; named %q", name, got, err, v)
		}
	}
	statuses := map[Status]string{
		Unverified: "unverified", Supported: "supported", HighConfidence: "high_confidence",
		Disputed: "disputed", Outdated: "outdated", Incorrect: "incorrect", Superseded: "superseded",
	}
	for s, name := range statuses {
		if got, err := ParseStatus(name); err != nil || got != s || s.String() != name {
			t.Errorf("status %q: parsed as %v, %v; named %q", name, got, err, s)
		}
	}
	if len(results) != 4 || len(verdicts) != 8 || len(statuses) != 7 {
		t.Errorf("%d results, %d verdicts, %d statuses", len(results), len(verdicts), len(statuses))
	}
}

func TestUnknownNamesAreRefusedWithTheChoices(t *testing.T) {
	const input = "Success\x00"
	for name, parse := range map[string]func() error{
		"success":        func() error { _, err := ParseResult(input); return err },
		"mostly_correct": func() error { _, err := ParseVerdict(input); return err },
		"superseded":     func() error { _, err := ParseStatus(input); return err },
	} {
		err := parse()
		switch {
		case err == nil:
			t.Errorf("%q was taken beside %s", input, name)
		case !strings.Contains(err.Error(), name):
			t.Errorf("%v does not name %s", err, name)
		case strings.Contains(err.Error(), input):
			t.Errorf("%v repeats the input", err)
		}
	}
}

func TestValuesOutOfRangeHaveAName(t *testing.T) {
	for want, got := range map[string]string{
		"Result(9)": Result(9).String(), "Verdict(9)": Verdict(9).String(),
		"Status(9)": Status(9).String(), "TargetKind(9)": TargetKind(9).String(),
		"claim": KindClaim.String(), "content": KindContent.String(), "entity": KindEntity.String(),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package config

import (
	"fmt"
	"strings"
)

// Rules that a value can break, for programs that read an Error.
const (
	RuleUnknown  = "unknown"  // no such option
	RuleFormat   = "format"   // the value cannot be read
	RuleRange    = "range"    // the value is too small or too large
	RuleChoice   = "choice"   // the value is not one of those allowed
	RuleFile     = "file"     // a file is missing or cannot be read
	RuleTogether = "together" // the value needs, or excludes, another option
	RuleExposed  = "exposed"  // the listener would be open to the network
)

// Problem is one thing that is wrong with a configuration.
type Problem struct {
	// Option is the option's name, or the unknown name as it was written.
	Option string `json:"option"`
	// Source is where the value came from: "flag", "environment", a file's
	// path, or "default".
	Source string `json:"source"`
	// Rule is one of the Rule constants.
	Rule string `json:"rule"`
	// Message is the sentence for people. It never shows a secret.
	Message string `json:"message"`
}

// Error lists everything that is wrong with a configuration.
type Error struct {
	Problems []Problem
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "invalid configuration (%d)", len(e.Problems))
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "\n  %s (%s): %s", p.Option, p.Source, p.Message)
	}
	return b.String()
}

// violation is what a parser or a check answers: the rule and the message.
type violation struct{ rule, message string }

func (v *violation) Error() string { return v.message }

func violates(rule, format string, args ...any) error {
	return &violation{rule: rule, message: fmt.Sprintf(format, args...)}
}

// Package opinion owns the second opinion on secrets: the rules of gitleaks (MIT licence), run off the write path. What
// only it finds is for a moderator to look at; it never refuses anything by itself.
//
// Start reading at [Scanner].
package opinion

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"
	"github.com/zricethezav/gitleaks/v8/report"

	"interai/antiabuse/finding"
)

const (
	// chunkBytes bounds what the library sees at once: it is quadratic on one long line with many hits (ANTIABUSE
	// section 1.1). Chunks overlap, so that nothing that is cut is missed.
	chunkBytes   = 4 << 10
	overlapBytes = 512
	// maxFindings is where a scan stops.
	maxFindings = 16
	// maxRuleBytes bounds the names of rules.
	maxRuleBytes = 60
)

// rulePrefix tells the library's rules from ours.
const rulePrefix = "gitleaks_"

// detector is the library with its default rules, built at the first scan, since its tables take memory that nodes
// without workers can do without. It is one for the process: the library keeps its logger and its configuration in
// globals, which must not be written while somebody scans.
var detector = sync.OnceValues(func() (*detect.Detector, error) {
	// At its trace level the library prints the secrets themselves.
	logging.Logger = zerolog.Nop()
	made, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, fmt.Errorf("build the second opinion: %w", err)
	}
	// A comment in the text must not switch the scan off.
	made.IgnoreGitleaksAllow = true
	return made, nil
})

// Scanner asks the library. It is safe for concurrent use.
type Scanner struct {
	build func() (*detect.Detector, error)
}

// New makes the scanner.
func New() *Scanner { return &Scanner{build: detector} }

// Scan looks at a text chunk by chunk, until ctx ends or it has enough. Its findings are flags, with offsets into text.
func (s *Scanner) Scan(ctx context.Context, text string) ([]finding.Finding, error) {
	library, err := s.build()
	if err != nil {
		return nil, err
	}
	var out []finding.Finding
	for start := 0; start < len(text) && len(out) < maxFindings; {
		if err := ctx.Err(); err != nil {
			return out, fmt.Errorf("ask for a second opinion: %w", err)
		}
		end := min(start+chunkBytes, len(text))
		out = add(out, library.DetectContext(ctx, detect.Fragment{Raw: text[start:end]}), text[start:end], start) //nolint:staticcheck // its successor comes with v9
		if end == len(text) {
			break
		}
		start = end - overlapBytes
	}
	return out, nil
}

// add takes the library's findings in one chunk over; a place in the overlap is found twice and kept once.
func add(out []finding.Finding, found []report.Finding, chunk string, offset int) []finding.Finding {
	for i := range found {
		value := found[i].Secret
		at := strings.Index(chunk, value)
		if value == "" || at < 0 || len(out) >= maxFindings {
			continue // decoded from something: its own scan finds that
		}
		f := finding.Finding{
			Rule: ruleName(found[i].RuleID), Kind: finding.Secret, Action: finding.Flag,
			Start: offset + at, End: offset + at + len(value),
		}
		if !contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

func contains(list []finding.Finding, f finding.Finding) bool {
	for i := range list {
		if list[i].Rule == f.Rule && list[i].Start < f.End && f.Start < list[i].End {
			return true
		}
	}
	return false
}

var notRuleName = regexp.MustCompile(`[^a-z0-9]+`)

// ruleName is a rule of the library in our form.
func ruleName(id string) string {
	name := rulePrefix + strings.Trim(notRuleName.ReplaceAllString(strings.ToLower(id), "_"), "_")
	return name[:min(len(name), maxRuleBytes)]
}

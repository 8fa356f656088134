package scanbench

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
)

// gitleaks is the scanner to compare with, as it is set up by default but for comments that switch it off.
type gitleaks struct{ detector *detect.Detector }

func newGitleaks(tb testing.TB) gitleaks {
	tb.Helper()
	detector, err := detect.NewDetectorDefaultConfig()
	require.NoError(tb, err)
	detector.IgnoreGitleaksAllow = true
	return gitleaks{detector}
}

func (gitleaks) Name() string { return "gitleaks" }

// Scan finds the places of the secrets that gitleaks reports: it says line and column, we need offsets.
func (g gitleaks) Scan(text string) []Hit {
	var hits []Hit
	for _, f := range g.detector.DetectString(text) {
		hits = append(hits, places(text, f)...)
	}
	return hits
}

// places are all places of a reported secret, in the favour of the scanner; the whole text when there is none.
func places(text string, f report.Finding) []Hit {
	var hits []Hit
	for at := 0; f.Secret != "" && len(hits) < 4; {
		i := indexFrom(text, f.Secret, at)
		if i < 0 {
			break
		}
		hits = append(hits, Hit{Start: i, End: i + len(f.Secret), Blocks: true, Rule: f.RuleID})
		at = i + len(f.Secret)
	}
	if len(hits) == 0 {
		hits = append(hits, Hit{Start: 0, End: len(text), Blocks: true, Rule: f.RuleID})
	}
	return hits
}

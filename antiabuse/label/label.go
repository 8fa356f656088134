// Package label says what readers should know of a text before they follow it: that it speaks to a model, that it asks
// for a favourable verdict, that its commands destroy, that its links or words pretend to be others. Nothing is refused
// for a label: phrases do not tell an attack from a text about attacks, they only tell where to look.
//
// Start reading at [Labels].
package label

import (
	"slices"

	"interai/antiabuse/finding"
	"interai/antiabuse/text"
)

// Version names the set of rules: it changes with what they find.
const Version = "label-1"

// Labels that a text may earn here.
const (
	InstructionLike  = "instruction_like"
	TrustDemand      = "trust_demand"
	DangerousCommand = "dangerous_command"
	SuspiciousLink   = "suspicious_link"
)

// maxPerRule bounds how often a label is given to one text: the first places are enough to look at.
const maxPerRule = 3

// Labels finds what a text should be labelled with, in the order of its places. What demands a favourable verdict is
// flagged: it attacks trust itself, so a moderator always sees it. The work is linear in the length of the text.
func Labels(body string) []finding.Finding {
	found, _ := labels(body)
	return found
}

// labels also answers how many bytes were looked at.
func labels(body string) (found []finding.Finding, work int) {
	s := newScan(body)
	s.run()
	s.links()
	s.markers()
	if !text.ASCII(body) {
		s.found = append(s.found, text.Homoglyphs(body)...)
	}
	slices.SortStableFunc(s.found, finding.Order)
	return s.found, s.work + 3*len(body)
}

// add gives a label, unless the text has it often enough.
func (s *scan) add(rule string, action finding.Action, start, end int) {
	given := 0
	for _, f := range s.found {
		if f.Rule == rule {
			if start < f.End && f.Start < end {
				return
			}
			given++
		}
	}
	if given < maxPerRule {
		s.found = append(s.found, finding.Finding{Rule: rule, Kind: finding.Disallowed, Action: action, Start: start, End: end, Hint: hints()[rule]})
	}
}

func hints() map[string]string {
	return map[string]string{
		InstructionLike:  "the text reads like instructions to a model",
		TrustDemand:      "the text asks for a favourable verdict on itself",
		DangerousCommand: "a command destroys data, disables protection or runs what it fetches",
		SuspiciousLink:   "a link hides where it leads or carries much data",
	}
}

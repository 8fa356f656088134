// Package markdown makes the Markdown of others inert before it is stored: no raw HTML, no images that load, no links
// that run something, and nothing that is expensive to parse. It edits bytes at the places that the parser names and
// parses the outcome again, so that what is left is proved and not assumed. Code is left as it is, byte for byte.
//
// Start reading at [Defuse].
package markdown

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// Labels that a text may earn here.
const (
	// LabelSuspiciousLink is for a link that hides where it leads or carries much that looks like data.
	LabelSuspiciousLink = "suspicious_link"
	// LabelHiddenText is for a comment that was taken out: readers do not see comments and models do.
	LabelHiddenText = "hidden_text_removed"
)

// Rules by which a text is changed.
const (
	RuleHTML       = "html_escaped"
	RuleComment    = "html_comment_removed"
	RuleLink       = "link_escaped"
	RuleDefinition = "link_definition_escaped"
	RuleAutoLink   = "autolink_escaped"
	RuleImage      = "image_made_link"
	RuleDataImage  = "data_image_removed"
)

// maxPasses bounds how often a text is edited and parsed again. An edit can bring to light what it was hiding; a text
// that is still active after so many passes was made to be.
const maxPasses = 12

// ErrActive is returned for a text that stays active however it is edited.
var ErrActive = errors.New("the markup is too entangled to be made harmless: write it in a code block")

// Change is how often a rule has changed a text.
type Change struct {
	Rule  string
	Count int
}

// Result is a text that is safe to render, and what was done to make it so.
type Result struct {
	Text    string
	Labels  []string
	Changed []Change
}

// Defuse makes a text inert. What is inert already comes back as it is; Defuse of a result changes nothing. The errors
// are those of [Check], and [ErrActive].
func Defuse(body string) (Result, error) {
	if !strings.ContainsAny(body, "<[") { // every construct that is active needs one of them
		return Result{Text: body}, nil
	}
	labels, changed := map[string]bool{}, map[string]int{}
	text := body
	for range maxPasses {
		if err := Check(text); err != nil {
			return Result{}, err
		}
		edits, suspicious := inspect(text)
		if len(edits) == 0 {
			if suspicious {
				labels[LabelSuspiciousLink] = true
			}
			return Result{Text: text, Labels: slices.Sorted(maps.Keys(labels)), Changed: changes(changed)}, nil
		}
		text = apply(text, edits, changed)
		if changed[RuleComment] > 0 {
			labels[LabelHiddenText] = true
		}
	}
	return Result{}, ErrActive
}

func changes(counts map[string]int) []Change {
	var out []Change
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, Change{Rule: rule, Count: counts[rule]})
	}
	return out
}

// inspect answers the edits that a text needs next, as the dialects of Markdown read it. None means that nothing active
// is left in any of them.
func inspect(text string) (edits []edit, suspicious bool) {
	full := look(text, dialects().full)
	if len(full.edits) > 0 {
		return full.edits, false
	}
	if len(full.openings) > 0 {
		// What stands in a block of HTML is read as Markdown once the block does not open: its tags are escaped one by
		// one where they are tags, and those that are not even complete at their opening.
		if inner := look(text, dialects().withoutHTMLBlocks); len(inner.tags) > 0 {
			return inner.tags, false
		}
		return full.openings, false
	}
	if mayHaveTable(text) { // a bar in a table ends a code span
		tables := look(text, dialects().tables)
		return append(tables.edits, tables.openings...), full.suspicious || tables.suspicious
	}
	return nil, full.suspicious
}

// mayHaveTable looks for a line such as |---|:-:| that makes a table of the lines around it.
func mayHaveTable(text string) bool {
	for line := range strings.Lines(text) {
		if strings.IndexByte(line, '-') >= 0 && strings.Trim(line, " \t\r\n>|:-+*0123456789.)") == "" {
			return true
		}
	}
	return false
}

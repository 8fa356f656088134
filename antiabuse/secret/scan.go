package secret

import (
	"fmt"
	"slices"

	"interai/antiabuse/finding"
)

// scan is the pass over one view of a text.
type scan struct {
	engine *Engine
	budget *finding.Budget
	text   string
	back   func(start, end int) (int, int) // to the text as given
	found  *[]finding.Finding
	formal bool  // forms only: the view is too far from what was written for words to mean anything
	joints []int // places where two pieces were joined; findings elsewhere are known already

	name    name // the identifier whose words are being collected
	vendor  vendorSeen
	judged  int // the end of what was judged as an assignment last
	aws     awsPair
	tables  int // the end of the table that was read last
	noHead  int // the line that was last found to be no head of a table
	headEnd int // the end of the last head
}

// run looks at the whole view; false when the budget is spent.
func (s *scan) run() bool {
	s.budget.Work += len(s.text)
	ok := true
	s.engine.automaton.find(s.text, func(literal, start, end int) bool {
		for i := range s.engine.handlers[literal] {
			h := &s.engine.handlers[literal][i]
			switch h.kind {
			case byForm:
				ok = s.form(h, start, end)
			case byPlace:
				if !s.formal {
					ok = s.pay(maxLook)
					if ok {
						h.look(s, start, end)
					}
				}
			case byWord:
				ok = s.formal || s.word(h.id, start, end)
			case byVendor:
				ok = s.formal || s.vendorWord(h.id, start, end)
			}
			if !ok || s.budget.Full() {
				return false
			}
		}
		return true
	})
	if ok && !s.formal && !s.budget.Full() {
		ok = s.settle()
	}
	return ok
}

// maxLook is the window of a rule that goes by place.
const maxLook = 160

func (s *scan) pay(n int) bool { return s.budget.Call(n) }

// form verifies a pattern whose anchor stands at [start, end).
func (s *scan) form(h *handler, start, end int) bool {
	p := h.form
	if s.text[start:end] != p.anchor {
		return true // another case
	}
	if !s.pay(end - start + p.least) {
		return false
	}
	from, to, ok := p.match(s.text, start, end)
	if ok && s.accept(h, from, to) {
		return true
	}
	i, _ := slices.BinarySearch(s.joints, end)
	for tries := 0; i < len(s.joints) && tries < maxPieces; i, tries = i+1, tries+1 {
		// What was joined may end where another piece begins.
		if from, to, ok = p.match(s.text[:s.joints[i]], start, end); ok && s.accept(h, from, to) {
			return true
		}
	}
	return true
}

// maxPieces is in how many pieces a token may have been broken.
const maxPieces = 6

// accept makes the last tests of a match and reports it.
func (s *scan) accept(h *handler, from, to int) bool {
	match := s.text[from:to]
	if excerpt(s.text, to) || h.rule.check != nil && !h.rule.check(match) || s.joints != nil &&
		!s.crossesJoint(from, to) {
		return false
	}
	if h.rule.name == "aws_access_key_id" {
		s.aws.id(s, from, to)
	}
	if (h.rule.check == nil || h.rule.tier == Weak) && !genuine(match, h.form.anchor) {
		return false
	}
	s.report(h.rule.name, h.rule.placeholder, h.rule.tier, from, to)
	return true
}

// excerpt reports whether what ends at i is cut off on purpose: "sk-ant-abc…".
func excerpt(text string, i int) bool {
	rest := text[i:min(len(text), i+3)]
	return rest == "..." || rest == "***" || rest == "…"
}

// report notes a finding at [start, end) of the view.
func (s *scan) report(name, placeholder string, tier Tier, start, end int) {
	if s.joints != nil && !s.crossesJoint(start, end) {
		return
	}
	from, to := s.back(start, end)
	action := finding.Reject
	if tier == Weak {
		action = finding.Flag
	}
	for _, f := range *s.found {
		if f.Start < to && from < f.End && f.Action >= action {
			return // known: the same place is seen in several views
		}
	}
	if tier == Weak {
		if len(*s.found) >= 2*finding.MaxFindings {
			return
		}
	} else {
		s.budget.Found()
	}
	*s.found = append(*s.found, finding.Finding{
		Rule: name, Kind: finding.Secret, Action: action, Start: from, End: to,
		Hint: fmt.Sprintf("replace it with a placeholder such as <%s>, and rotate it: it has been sent over the network", placeholder),
	})
}

func (s *scan) crossesJoint(start, end int) bool {
	i, _ := slices.BinarySearch(s.joints, start+1)
	return i < len(s.joints) && s.joints[i] < end
}

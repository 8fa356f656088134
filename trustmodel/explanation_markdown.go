package trustmodel

import (
	"fmt"
	"strconv"
	"strings"
)

// Markdown renders an explanation for a person. It has no text of anybody but
// names of source families, which are domains.
func (e *Explanation) Markdown() string {
	var b strings.Builder
	s := &e.Snapshot
	fmt.Fprintf(&b, "**Value %.3f**, between %.3f and %.3f; by its figures **%s**.\n\n", s.Value, s.Lower, s.Upper, s.RawStatus)
	e.writeCounts(&b)
	e.writeSignals(&b)
	e.writeParties(&b)
	e.writeCaps(&b)
	e.writeRules(&b)
	return b.String()
}

func (e *Explanation) writeCounts(b *strings.Builder) {
	s := &e.Snapshot
	fmt.Fprintf(b, "%d %s reported, %d of them newcomers; %d independent %s, %d in real use, %d %s.\n",
		s.Parties, plural(s.Parties, "party", "parties"), s.FreshParties, s.Confirmations,
		plural(s.Confirmations, "confirmation", "confirmations"), s.RealWorldConfirmations, s.Contradictions,
		plural(s.Contradictions, "contradiction", "contradictions"))
	if e.Decay.Made > 0 {
		fmt.Fprintf(b, "Age has left %.0f %% of the strength of all records.\n", 100*e.Decay.Kept/e.Decay.Made)
	}
	b.WriteString("\n")
}

func (e *Explanation) writeSignals(b *strings.Builder) {
	fmt.Fprintf(b, "### What it is made of\n\nFor and against are in parties, after all caps. Without evidence the value is %.2f; the effects add up to the rest.\n\n", e.Prior.Mean)
	b.WriteString("| signal | from | parties | for | against | effect |\n|---|---|---|---|---|---|\n")
	fmt.Fprintf(b, "| prior | | | %.3f | %.3f | |\n", e.Prior.Alpha, e.Prior.Beta)
	for _, sig := range e.Signals {
		fmt.Fprintf(b, "| %s | %s | %d | %.3f | %.3f | %+.3f |\n", sig.Signal, sig.Standing, sig.Parties, sig.Support, sig.Contradiction, sig.Effect)
	}
	fmt.Fprintf(b, "| **sum** | | | **%.3f** | **%.3f** | **%+.3f** |\n\n", e.Snapshot.Alpha, e.Snapshot.Beta, e.Snapshot.Value-e.Prior.Mean)
}

func (e *Explanation) writeParties(b *strings.Builder) {
	if len(e.Parties) == 0 {
		return
	}
	b.WriteString("### Parties\n\nThe weight is what a party's support and its contradiction count; belief and disbelief are what its records say.\n\n")
	b.WriteString("| no | standing | agents | weight + / − | belief / disbelief | counted as | for | against | effect |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := range e.Parties {
		p := &e.Parties[i]
		standing := p.Standing
		if p.Role != "" {
			standing += ", " + p.Role
		}
		if p.Controllers > 1 {
			standing += fmt.Sprintf(", %d controllers counted as one", p.Controllers)
		}
		fmt.Fprintf(b, "| %d | %s | %d | %.2f / %.2f | %.2f / %.2f | %s | %.3f | %.3f | %+.3f |\n", p.No, standing, p.Agents,
			p.Plus, p.Minus, p.Belief, p.Disbelief, strings.ReplaceAll(p.Stance, "_", " "), p.Support, p.Contradiction, p.Effect)
	}
	if o := e.Others; o.Parties > 0 {
		fmt.Fprintf(b, "| | %d others | | | | | %.3f | %.3f | %+.3f |\n", o.Parties, o.Support, o.Contradiction, o.Effect)
	}
	b.WriteString("\n")
}

func (e *Explanation) writeCaps(b *strings.Builder) {
	if len(e.Caps) == 0 {
		return
	}
	b.WriteString("### What was capped\n\n")
	for _, c := range e.Caps {
		fmt.Fprintf(b, "- %s: %.2f parties count as %.2f, of at most %s: %s.\n", c.Cap, c.Before, c.After, number(c.Limit), c.Why)
	}
	b.WriteString("\n")
}

func (e *Explanation) writeRules(b *strings.Builder) {
	b.WriteString("### Status\n\nThe first rule that holds decides.\n\n")
	for _, r := range e.Rules {
		verdict := "does not hold"
		if r.Holds {
			verdict = "**holds**"
		}
		fmt.Fprintf(b, "- %s %s: %s.\n", r.Status, verdict, conditions(r.Conditions))
	}
	if e.Next == nil {
		return
	}
	fmt.Fprintf(b, "\nFor `%s` it lacks: ", e.Next.Status)
	var missing []string
	for _, c := range e.Next.Conditions {
		if !c.Holds {
			missing = append(missing, fmt.Sprintf("%s %s more", c.Figure, number(c.Missing())))
		}
	}
	if missing == nil {
		missing = []string{"nothing"}
	}
	b.WriteString(strings.Join(missing, "; ") + ".\n")
}

func conditions(list []Condition) string {
	parts := make([]string, len(list))
	for i, c := range list {
		if c.Need == 1 && !c.AtMost && (c.Have == 0 || c.Have == 1) && len(list) == 1 {
			parts[i] = c.Figure + map[bool]string{true: ": yes", false: ": no"}[c.Holds]
			continue
		}
		sign := "at least"
		if c.AtMost {
			sign = "at most"
		}
		parts[i] = fmt.Sprintf("%s %s (%s %s)", c.Figure, number(c.Have), sign, number(c.Need))
	}
	return strings.Join(parts, ", ")
}

// number shows counts whole and figures to three digits.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return fmt.Sprintf("%.3f", v)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

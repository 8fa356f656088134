package console

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"interai/antiabuse/personal"
	"interai/antiabuse/secret"
	"interai/evidence/moderation"
	"interai/store"
)

// span says a duration as people do: in its largest unit.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "under 1 min"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
}

// times says how often.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

// plural is a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// words is an identifier as people read it.
func words(identifier string) string { return strings.ReplaceAll(identifier, "_", " ") }

// stateOf is the state of a case as the queue names it.
func stateOf(c *store.Case) string {
	switch {
	case c.Open && c.AppealedAt != nil:
		return store.CasesAppealed
	case c.Open:
		return store.CasesOpen
	default:
		return store.CasesDecided
	}
}

// visible shows what a reader would not see, or be led astray by: signs without a picture by their code points. Lines
// and tabulators stay.
func visible(text string) string {
	odd := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r) }
	if strings.IndexFunc(text, odd) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if odd(r) {
			fmt.Fprintf(&out, "⟨U+%04X⟩", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// oneLine is a text in one line.
func oneLine(text string) string { return strings.Join(strings.Fields(visible(text)), " ") }

// ruleTexts describe rules by their names.
func ruleTexts() map[string]string {
	out := map[string]string{}
	for _, rule := range secret.Rules() {
		out[rule.Name] = rule.Description
	}
	for _, rule := range personal.Rules() {
		out[rule.Name] = rule.Description
	}
	return out
}

// hint says what an author does about a finding.
func hint(f *store.CaseFinding) string {
	switch {
	case f.Action == "label" || f.Action == "flag":
		return "Accepted; look whether it does harm where it stands."
	case f.Kind == "secret":
		return "The author writes a placeholder instead, and rotates the secret: it has been sent."
	case f.Kind == "personal_data" && f.Action == "redact":
		return "The author was offered a replacement."
	case f.Kind == "personal_data":
		return "The author leaves it out, or uses a made-up value kept for examples."
	default:
		return "The author leaves it out."
	}
}

// actionSays says what was done about a finding.
func actionSays(action string) string {
	switch action {
	case "label":
		return "labelled"
	case "flag":
		return "accepted, to be looked at"
	case "redact":
		return "refused, with a replacement offered"
	default:
		return "refused"
	}
}

// originSays says how a case came up.
func originSays(origin store.CaseOrigin) string {
	switch origin {
	case store.OriginRejection:
		return "refused before anything was stored"
	case store.OriginFinding:
		return "stored, with something doubtful in it"
	case store.OriginScan:
		return "found later, by a scan of what is stored"
	case store.OriginSignal:
		return "a pattern in who confirms whom"
	}
	return string(origin)
}

// choice is one decision as a form offers it.
type choice struct {
	No                 int
	Value, Label, Says string
}

// choicesOf are decisions with what they do to a case.
func choicesOf(offered []string, stored bool) []choice {
	out := make([]choice, 0, len(offered))
	for i, what := range offered {
		out = append(out, choice{No: i + 1, Value: what, Label: decisionLabel(what), Says: decisionSays(what, stored)})
	}
	return out
}

func decisionLabel(what string) string {
	label := words(what)
	if label == "" {
		return ""
	}
	return strings.ToUpper(label[:1]) + label[1:]
}

func decisionSays(what string, stored bool) string {
	switch what {
	case moderation.Uphold:
		return "It was right. What is stored stays as it is."
	case moderation.FalseAlarm:
		if stored {
			return "It was wrong. What is held back is shown again."
		}
		return "It was wrong. The author may send the same once, within 24 hours."
	case moderation.Hold:
		return "Out of search and trust until it is released."
	case moderation.Release:
		return "What is held back is shown again."
	case moderation.Redact:
		return "What was found is replaced for ever; the rest is shown."
	case moderation.Remove:
		return "Taken out of everything. Restore brings it back."
	case moderation.Restore:
		return "What was removed is shown again."
	case moderation.Limit:
		return "The party may write only so much an hour."
	}
	return ""
}

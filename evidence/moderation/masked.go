package moderation

import (
	"interai/antiabuse"
	"interai/antiabuse/finding"
	"interai/store"
)

// maxMaskedBytes bounds the masked texts that a case keeps.
const maxMaskedBytes = 512 << 10

// newCase is a case about an attempt, with every text masked.
func (s *Service) newCase(
	a *Attempt, found []antiabuse.Found, kept []store.CaseFinding, origin store.CaseOrigin, reason string,
) (*store.NewCase, error) {
	id, err := store.NewID(store.KindCase)
	if err != nil {
		return nil, err
	}
	c := &store.NewCase{
		ID: id, Origin: origin, Reason: reason, Tool: a.Tool, Correlation: a.Call, Actor: a.Actor, Root: a.Root,
		Revises: a.Revises, Findings: kept, Fingerprint: fingerprint(origin, a.Actor, kept, a.Call),
	}
	if reason != ReasonBudget { // what could not be scanned cannot be masked
		c.Masked = s.masked(a.Fields, found)
	}
	return c, nil
}

// masked are the texts of a call that say something, with what was found in them replaced.
func (s *Service) masked(fields []antiabuse.Field, found []antiabuse.Found) []store.MaskedText {
	var out []store.MaskedText
	room := maxMaskedBytes
	for i := range fields {
		f := &fields[i]
		known := sensitiveIn(found, i)
		text := f.Text
		switch {
		case f.Format == antiabuse.FormatObject && len(known) == 0:
			continue // its members are listed
		case f.Format == antiabuse.FormatBase64:
			text, known = "[file]", nil
		}
		text = s.scanner.MaskAlso(text, known)
		if room -= len(text) + len(f.Path); room < 0 {
			return append(out, store.MaskedText{Text: "[further text is left out]"})
		}
		out = append(out, store.MaskedText{Path: s.scanner.MaskPath(f.Path), Text: text})
	}
	return out
}

// sensitiveIn are the findings of a field whose values nobody needs to see in order to judge: all but such that are about
// what a text says.
func sensitiveIn(found []antiabuse.Found, field int) []finding.Finding {
	var out []finding.Finding
	for i := range found {
		if f := &found[i]; f.Field == field && (f.Action.Blocks() || f.Action == finding.Flag && f.Kind != finding.Disallowed) {
			out = append(out, f.Finding)
		}
	}
	return out
}

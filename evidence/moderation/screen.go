package moderation

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"interai/antiabuse"
	"interai/antiabuse/finding"
	"interai/store"
)

// ReasonBudget is the reason of a text that asks for more work than a scan may do.
const ReasonBudget = "scan_budget"

// API keys of this server begin like this and have so many characters.
const (
	ownKeyPrefix = "iai_"
	ownKeyLength = 66
)

// Attempt is one call with every string that it carries.
type Attempt struct {
	Call        uuid.UUID
	Actor, Root store.ID
	Tool        string
	// Write says that the call would store something.
	Write   bool
	Fields  []antiabuse.Field
	Revises store.ID
}

// Cleared is a call that may run.
type Cleared struct {
	// Withhold says that its strings must not be kept anywhere.
	Withhold bool
	// Done is told which object was stored, the zero ID for none; nil when nobody asks.
	Done func(ctx context.Context, object store.ID)
}

// Place is one finding as the caller is told of it: line and column from 1, the length in characters.
type Place struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Length int    `json:"length"`
	Rule   string `json:"rule"`
	Hint   string `json:"hint,omitempty"`
}

// Suggestion makes a text acceptable: its characters from Start to before End give way to Replacement.
type Suggestion struct {
	Path        string `json:"path"`
	Start       int    `json:"start"`
	End         int    `json:"end"`
	Replacement string `json:"replacement"`
}

// Rejection refuses a call for what it carries. It never has the values.
type Rejection struct {
	Reason    string
	Case      store.ID
	Findings  []Place
	Suggested []Suggestion
}

// Error names the reason.
func (r *Rejection) Error() string { return "content_rejected: " + r.Reason }

// Screen looks at every string of a call before anything of it is stored. A write that carries what must not be stored is
// refused with a *Rejection and leaves a case; a read runs, and its strings are kept nowhere.
func (s *Service) Screen(ctx context.Context, a *Attempt) (Cleared, error) {
	verdict := s.scanner.Scan(a.Fields, antiabuse.Options{Labels: a.Write})
	s.revokeLeaked(ctx, verdict.Found)
	switch {
	case !a.Write:
		return Cleared{Withhold: verdict.Blocks()}, nil
	case verdict.Exceeded:
		return Cleared{}, s.reject(ctx, a, nil, nil, ReasonBudget)
	case !slices.ContainsFunc(verdict.Found, needsCase):
		return Cleared{}, nil
	}
	kept, err := s.places(ctx, a.Fields, verdict.Found)
	if err != nil {
		return Cleared{}, err
	}
	if verdict.Blocks() {
		return s.exempted(ctx, a, verdict.Found, kept)
	}
	return s.flagged(ctx, a, verdict.Found, kept)
}

// needsCase reports whether a finding is more than a label.
func needsCase(f antiabuse.Found) bool { return f.Action >= finding.Flag }

// revokeLeaked switches API keys of ours off that stand in a text: whoever has read it could use them.
func (s *Service) revokeLeaked(ctx context.Context, found []antiabuse.Found) {
	if s.leaked == nil {
		return
	}
	for i := range found {
		for _, text := range ownKeys(found[i].Value) {
			if err := s.leaked(ctx, text); err != nil {
				s.logger.ErrorContext(ctx, "a key that was found in a text is not revoked", "error", err)
			}
		}
	}
}

// ownKeys are the parts of a found value that have the form of our keys. The rule that found it may be another one, such
// as that of a whole header.
func ownKeys(value string) (out []string) {
	for {
		_, rest, found := strings.Cut(value, ownKeyPrefix)
		if !found || len(rest) < ownKeyLength-len(ownKeyPrefix) {
			return out
		}
		out = append(out, ownKeyPrefix+rest[:ownKeyLength-len(ownKeyPrefix)])
		value = rest
	}
}

// exempted lets a call pass whose findings a moderator has all called false alarms, once; any other is refused.
func (s *Service) exempted(ctx context.Context, a *Attempt, found []antiabuse.Found, kept []store.CaseFinding) (Cleared, error) {
	cases, err := s.db.UseExemptions(ctx, a.Actor, blocking(kept), a.Call)
	if err != nil {
		return Cleared{}, err
	}
	if len(cases) == 0 {
		return Cleared{}, s.reject(ctx, a, found, kept, reasonOf(found))
	}
	return Cleared{Withhold: true, Done: func(ctx context.Context, object store.ID) {
		if err := s.db.SettleExemptions(ctx, a.Call, cases, !object.IsZero()); err != nil {
			s.logger.WarnContext(ctx, "exemptions are not settled", "correlation_id", a.Call, "error", err)
		}
	}}, nil
}

// reasonOf is the gravest kind among findings that block.
func reasonOf(found []antiabuse.Found) string {
	for _, kind := range []finding.Kind{finding.Secret, finding.Personal} {
		if slices.ContainsFunc(found, func(f antiabuse.Found) bool { return f.Action.Blocks() && f.Kind == kind }) {
			return string(kind)
		}
	}
	return string(finding.Disallowed)
}

// reject opens a case and answers the refusal. Without its case nothing is refused for good: the call may be sent again.
func (s *Service) reject(ctx context.Context, a *Attempt, found []antiabuse.Found, kept []store.CaseFinding, reason string) error {
	c, err := s.newCase(a, found, kept, store.OriginRejection, reason)
	if err != nil {
		return err
	}
	id, _, err := s.db.OpenCase(ctx, c)
	if err != nil {
		return err
	}
	s.parties.Rejected(ctx, a.Root)
	r := &Rejection{Reason: reason, Case: id}
	for i := range found {
		r.tell(&found[i], &kept[i], a.Fields)
	}
	return r
}

// tell adds what the caller may know of a finding that blocks.
func (r *Rejection) tell(f *antiabuse.Found, place *store.CaseFinding, fields []antiabuse.Field) {
	if !f.Action.Blocks() {
		return
	}
	r.Findings = append(r.Findings, Place{
		Path: place.Path, Line: place.Line, Column: place.Column, Length: place.Length, Rule: f.Rule, Hint: f.Hint,
	})
	if f.Action == finding.Redact && f.Replacement != "" {
		start := utf8.RuneCountInString(fields[f.Field].Text[:f.Start])
		r.Suggested = append(r.Suggested, Suggestion{
			Path: place.Path, Start: start, End: start + place.Length, Replacement: f.Replacement,
		})
	}
}

// flagged lets a call run whose findings a moderator shall see. The case is written before the call runs and waits for
// what becomes of it, so that no crash loses it.
func (s *Service) flagged(ctx context.Context, a *Attempt, found []antiabuse.Found, kept []store.CaseFinding) (Cleared, error) {
	first := found[slices.IndexFunc(found, needsCase)]
	reason := string(first.Kind)
	if first.Kind == finding.Disallowed {
		reason = first.Rule
	}
	c, err := s.newCase(a, found, kept, store.OriginFinding, reason)
	if err != nil {
		return Cleared{}, err
	}
	c.Pending = true
	id, _, err := s.db.OpenCase(ctx, c)
	if err != nil {
		return Cleared{}, err
	}
	return Cleared{Done: func(ctx context.Context, object store.ID) {
		if err := s.db.SettleCase(ctx, id, object); err != nil {
			s.logger.WarnContext(ctx, "a case waits to be settled", "case", id, "error", err)
		}
	}}, nil
}

package moderation

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"interai/antiabuse"
	"interai/antiabuse/finding"
	"interai/store"
)

// markKey answers the key of marks, which is the same on all nodes.
func (s *Service) markKey(ctx context.Context) ([]byte, error) {
	s.marks.Lock()
	defer s.marks.Unlock()
	if s.key == nil {
		key, err := s.db.ServerKey(ctx, store.KeyMarks)
		if err != nil {
			return nil, err
		}
		s.key = key
	}
	return s.key, nil
}

// mark is what is kept of a value: HMAC-SHA-256 of its rule and itself (ANTIABUSE section 1.4).
func mark(key []byte, rule, value string) [32]byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(rule + "\x00" + value))
	return [32]byte(h.Sum(nil))
}

// places are the findings of a verdict as a case keeps them: where, by which rule, and the mark.
func (s *Service) places(ctx context.Context, fields []antiabuse.Field, found []antiabuse.Found) ([]store.CaseFinding, error) {
	key, err := s.markKey(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]store.CaseFinding, 0, len(found))
	for i := range found {
		f := &found[i]
		line, column, length := position(fields[f.Field].Text, f.Start, f.End)
		out = append(out, store.CaseFinding{
			Rule: f.Rule, Kind: string(f.Kind), Action: actionName(f.Action), Path: s.scanner.MaskPath(fields[f.Field].Path),
			Line: line, Column: column, Length: length, Mark: mark(key, f.Rule, f.Value),
		})
	}
	return out, nil
}

func actionName(a finding.Action) string {
	switch a {
	case finding.Label:
		return "label"
	case finding.Flag:
		return "flag"
	case finding.Redact:
		return "redact"
	default:
		return "reject"
	}
}

// blocking are the findings that a text is refused for.
func blocking(findings []store.CaseFinding) []store.CaseFinding {
	return slices.DeleteFunc(slices.Clone(findings), func(f store.CaseFinding) bool {
		return f.Action != "reject" && f.Action != "redact"
	})
}

// position is where a span stands: its line and column from 1, and its length, in characters (Unicode code points).
func position(text string, start, end int) (line, column, length int) {
	before := text[:start]
	line = strings.Count(before, "\n") + 1
	column = utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return line, column, utf8.RuneCountInString(text[start:end])
}

// fingerprint says which findings are the same thing: of one actor, by the same rules about the same values. What was stored
// is a thing of its own each time, since a decision about one object does nothing to another.
func fingerprint(origin store.CaseOrigin, actor store.ID, findings []store.CaseFinding, call uuid.UUID) [32]byte {
	keys := make([]string, 0, len(findings))
	for i := range findings {
		keys = append(keys, findings[i].Rule+"\x00"+string(findings[i].Mark[:]))
	}
	if len(keys) == 0 || origin == store.OriginFinding {
		keys = append(keys, call.String())
	}
	slices.Sort(keys)
	h := sha256.New()
	h.Write([]byte(string(origin) + "\x00" + actor.String() + "\x00"))
	for _, key := range slices.Compact(keys) {
		h.Write([]byte(key + "\x00"))
	}
	return [32]byte(h.Sum(nil))
}

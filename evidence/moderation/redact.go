package moderation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"interai/jobs"
	"interai/store"
)

// redact replaces what was found in an object, and in what belongs to it, for ever; the digest of the original stays as
// a tombstone. What is left is shown again.
func (s *Service) redact(ctx context.Context, tx *store.Tx, c *store.Case) error {
	rules := make([]string, len(c.Findings))
	for i := range c.Findings {
		rules[i] = c.Findings[i].Rule
	}
	objects := []store.ID{c.Object}
	if c.Object.Kind == store.KindRevision {
		parts, err := tx.RevisionParts(ctx, c.Object)
		if err != nil {
			return err
		}
		objects = append(objects, parts...)
	}
	done := 0
	for _, object := range objects {
		known := placesIn(c, object)
		err := tx.Redact(ctx, object, c.ID, rules, func(text store.StoredText) string { return s.maskStored(text, known, weakRules(c)) })
		switch {
		case errors.Is(err, store.ErrNothingToRedact), errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return err
		}
		done++
		if err := rekey(ctx, tx, object); err != nil {
			return err
		}
	}
	if done == 0 {
		return fmt.Errorf("%w: nothing of what was found stands there any more", ErrNotOffered)
	}
	if err := s.jobs.Reindex(ctx, tx); err != nil {
		return err
	}
	return s.show(ctx, tx, c, false)
}

// weakRules are the rules of a case whose findings did not block: a moderator who redacts means them too.
func weakRules(c *store.Case) []string {
	var out []string
	for i := range c.Findings {
		if c.Findings[i].Action == "flag" {
			out = append(out, c.Findings[i].Rule)
		}
	}
	return out
}

// rekey gives a claim or an entity the keys of what it says now.
func rekey(ctx context.Context, tx *store.Tx, object store.ID) error {
	switch object.Kind {
	case store.KindClaim:
		return tx.RekeyClaim(ctx, object, jobs.ClaimKeys)
	case store.KindEntity:
		return tx.RekeyEntity(ctx, object)
	default:
		return nil
	}
}

// placesIn are the places of a case's findings in an object. Their paths are those of the stored texts only for cases of
// a scan; the paths of a call mean nothing here, but the rules find the same again.
func placesIn(c *store.Case, object store.ID) []store.CaseFinding {
	if c.Origin != store.OriginScan {
		return nil
	}
	var out []store.CaseFinding
	for _, f := range c.Findings {
		if path, belongs := strings.CutPrefix(f.Path, partPath(object)); belongs {
			f.Path = path
		} else if object != c.Object {
			continue
		}
		out = append(out, f)
	}
	return out
}

// partPath is where the texts of a part stand in the scan of its whole.
func partPath(part store.ID) string { return "/" + part.String() }

package moderation

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"interai/antiabuse"
	"interai/antiabuse/finding"
	"interai/store"
)

// opinionTime bounds what the second opinion may take for one object.
const opinionTime = 20 * time.Second

// toolScan is the tool of cases that a worker opens.
const toolScan = "scan_revision"

// stored is one object with what belongs to it, as a scan reads it.
type stored struct {
	object      store.ID
	actor, root store.ID
	// fields are the strings of all texts; owner names the object that each belongs to.
	fields []antiabuse.Field
	owner  []store.ID
	// known are the marks of earlier cases about the object.
	known map[[32]byte]bool
}

// RulesVersion is that of the present rules.
func (s *Service) RulesVersion() int { return antiabuse.RulesVersion }

// ScanObject scans a stored object with the present rules and asks for a second opinion. What the rules refuse today is
// held at once; what only the second opinion finds, and what is merely odd, is for a moderator to look at.
func (s *Service) ScanObject(ctx context.Context, object store.ID) (bool, error) {
	o, err := s.readStored(ctx, object)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	verdict := s.scanner.Scan(o.fields, antiabuse.Options{Labels: true})
	if verdict.Exceeded {
		s.logger.WarnContext(ctx, "an object asks for more checks than a scan may have", "object", object)
	}
	if err := s.secondOpinion(ctx, o, &verdict); err != nil {
		return false, err
	}
	kept, err := s.places(ctx, o.fields, verdict.Found)
	if err != nil {
		return false, err
	}
	found, fresh, err := s.unknown(ctx, o, verdict.Found, kept)
	if err != nil {
		return false, err
	}
	scan, signature, err := s.likeness(ctx, o)
	if err != nil {
		return false, err
	}
	scan.Labels = labelsOf(verdict.Found)
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		if object.Kind == store.KindRevision {
			if err := tx.PutRevisionScan(ctx, scan); err != nil {
				return err
			}
		}
		if signature != nil {
			if err := tx.PutTextSignature(ctx, signature); err != nil {
				return err
			}
		}
		if len(fresh) == 0 {
			return nil
		}
		return s.openScanCase(ctx, tx, o, found, fresh)
	})
	if err != nil {
		return false, fmt.Errorf("scan %s: %w", object, err)
	}
	return len(fresh) > 0, nil
}

// readStored reads an object, and for a revision what belongs to it.
func (s *Service) readStored(ctx context.Context, object store.ID) (*stored, error) {
	o := &stored{object: object}
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		*o = stored{object: object}
		if o.actor, o.root, err = v.OwnerOf(ctx, object); err != nil {
			return err
		}
		if o.known, err = v.MarksOf(ctx, object, o.actor); err != nil {
			return err
		}
		objects := []store.ID{object}
		if object.Kind == store.KindRevision {
			parts, err := v.RevisionParts(ctx, object)
			if err != nil {
				return err
			}
			objects = append(objects, parts...)
		}
		for _, part := range objects {
			texts, err := v.StoredTexts(ctx, part)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			for _, f := range fieldsOf(texts) {
				if part != object {
					f.Path = partPath(part) + f.Path
				}
				o.fields, o.owner = append(o.fields, f), append(o.owner, part)
			}
		}
		return nil
	})
	if err == nil && len(o.fields) == 0 {
		err = fmt.Errorf("texts of %s: %w", object, store.ErrNotFound)
	}
	return o, err
}

// secondOpinion adds what the library finds where our rules have found nothing.
func (s *Service) secondOpinion(ctx context.Context, o *stored, verdict *antiabuse.Verdict) error {
	limited, cancel := context.WithTimeout(ctx, opinionTime)
	defer cancel()
	for i := range o.fields {
		f := &o.fields[i]
		text, isFile := f.Text, f.Format == antiabuse.FormatBase64
		if isFile {
			data, err := base64.StdEncoding.DecodeString(f.Text)
			if err != nil || !utf8.Valid(data) {
				continue
			}
			text = string(data)
		}
		found, err := s.opinion.Scan(limited, text)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			s.logger.WarnContext(ctx, "the second opinion takes too long and is left out", "object", o.object)
			return nil
		}
		if err != nil {
			return err
		}
		for _, f := range found {
			value := text[f.Start:f.End]
			if isFile {
				f.Start, f.End = 0, len(o.fields[i].Text)
			}
			ours := func(other antiabuse.Found) bool {
				return other.Field == i && other.Start < f.End && f.Start < other.End && other.Kind == finding.Secret
			}
			if !slices.ContainsFunc(verdict.Found, ours) {
				verdict.Found = append(verdict.Found, antiabuse.Found{Finding: f, Field: i, Value: value})
			}
		}
	}
	return nil
}

// unknown leaves out what moderators have seen about the object already, what its author was allowed to send, and mere
// labels.
func (s *Service) unknown(
	ctx context.Context, o *stored, found []antiabuse.Found, kept []store.CaseFinding,
) (left []antiabuse.Found, fresh []store.CaseFinding, err error) {
	allowed, err := s.db.Exempted(ctx, o.actor, kept)
	if err != nil {
		return nil, nil, err
	}
	for i := range kept {
		if !needsCase(found[i]) || allowed[i] || o.known[kept[i].Mark] {
			continue
		}
		left, fresh = append(left, found[i]), append(fresh, kept[i])
	}
	return left, fresh, nil
}

// openScanCase opens the case, and holds the object if its text would be refused today.
func (s *Service) openScanCase(ctx context.Context, tx *store.Tx, o *stored, found []antiabuse.Found, fresh []store.CaseFinding) error {
	call, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make an ID: %w", err)
	}
	reason := reasonOf(found)
	c, err := s.newCase(&Attempt{Call: call, Actor: o.actor, Root: o.root, Tool: toolScan, Fields: o.fields}, found, fresh, store.OriginScan, reason)
	if err != nil {
		return err
	}
	c.Object, c.Fingerprint = o.object, fingerprint(store.OriginScan, o.object, fresh, call)
	id, _, err := tx.OpenCase(ctx, c)
	if err != nil {
		return err
	}
	held := map[store.ID]bool{}
	for i := range found {
		if found[i].Action.Blocks() {
			held[o.owner[found[i].Field]] = true
		}
	}
	if len(held) == 0 {
		return nil
	}
	if o.object.Kind == store.KindRevision {
		held[o.object] = true
	}
	for object := range held {
		if err := s.holdFound(ctx, tx, object, id); err != nil {
			return err
		}
	}
	return tx.NoteCase(ctx, id, store.ID{}, Hold, "The present rules refuse it.")
}

// holdFound holds an object in which a scan has found what is refused today. A file goes with its revision.
func (s *Service) holdFound(ctx context.Context, tx *store.Tx, object, id store.ID) error {
	switch {
	case object.Kind == store.KindAsset:
		return nil
	case isItem(object):
		return s.hideItem(ctx, tx, object, id, store.VisibleQuarantined)
	default:
		return tx.Hold(ctx, object, id)
	}
}

// labelsOf are the labels that a text earns.
func labelsOf(found []antiabuse.Found) []string {
	var out []string
	for i := range found {
		f := &found[i]
		if f.Action.Blocks() || f.Kind != finding.Disallowed || slices.Contains(out, f.Rule) {
			continue
		}
		out = append(out, f.Rule)
	}
	slices.Sort(out)
	return out
}

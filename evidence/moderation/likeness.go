package moderation

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"interai/antiabuse"
	"interai/antiabuse/similar"
	"interai/store"
)

// proseFields are the texts of an object that its author has worded.
func proseFields() []string { return []string{"/title", "/summary", "/body_markdown", "/note"} }

// likeness finds older texts that say the same as an object, or much of it. A revision is not like others of its item.
func (s *Service) likeness(ctx context.Context, o *stored) (*store.RevisionScan, *store.TextSignature, error) {
	scan := &store.RevisionScan{Revision: o.object, Rules: antiabuse.RulesVersion}
	body := prose(o)
	if body == "" || o.object.Kind == store.KindEntity || o.object.Kind == store.KindClaim {
		return scan, nil, nil
	}
	own, long := similar.Of(body)
	signature := &store.TextSignature{Object: o.object}
	if long {
		bands := own.Bands()
		signature.Signature, signature.Bands = own.Encode(), bands[:]
	} else {
		digest := similar.Exact(body)
		signature.Bands = []int64{int64(binary.BigEndian.Uint64(digest[:8]))}
	}
	like, err := s.db.LikeTexts(ctx, signature)
	if err != nil {
		return nil, nil, err
	}
	item, err := s.itemOf(ctx, o.object)
	if err != nil {
		return nil, nil, err
	}
	for _, other := range like {
		if o.object.Kind == store.KindRevision && bytes.Compare(other.Item.UUID[:], item.UUID[:]) >= 0 {
			continue // of the same item, or of one that came later: it is the copy
		}
		switch likeness := jaccard(own, long, other.Signature); {
		case likeness >= similar.Duplicate && scan.DuplicateOf.IsZero():
			scan.DuplicateOf = other.Object
		case likeness >= similar.Related && scan.RelatedTo.IsZero():
			scan.RelatedTo = other.Object
		}
	}
	return scan, signature, nil
}

// jaccard estimates the likeness of a text and another one that shares a band with it: short ones are equal then.
func jaccard(own similar.Signature, long bool, stored []byte) float64 {
	if !long || len(stored) == 0 {
		if long != (len(stored) > 0) {
			return 0
		}
		return 1
	}
	other, err := similar.Decode(stored)
	if err != nil {
		return 0 // of an older version: its next scan makes it anew
	}
	return similar.Jaccard(own, other)
}

// itemOf is the item of a revision, the zero ID for anything else.
func (s *Service) itemOf(ctx context.Context, object store.ID) (store.ID, error) {
	if object.Kind != store.KindRevision {
		return store.ID{}, nil
	}
	var item store.ID
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		item, err = v.ItemOf(ctx, object)
		return err
	})
	return item, err
}

// prose is what an object's author has worded, in one text.
func prose(o *stored) string {
	var parts []string
	for i := range o.fields {
		if slices.Contains(proseFields(), o.fields[i].Path) {
			parts = append(parts, o.fields[i].Text)
		}
	}
	return strings.Join(parts, "\n")
}

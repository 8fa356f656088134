package evidence

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"interai/evidence/claimkey"
	"interai/jobs"
	"interai/store"
)

// query is all that the database must tell before a draft can be decided on.
func (d *draft) query(author store.ID, language string) store.PublishQuery {
	q := store.PublishQuery{
		Author: author, Content: d.Content, Space: d.Space, Subjects: d.Subjects,
		Language: language, KeyVersion: claimkey.Version, Used: d.Experience.targets(),
	}
	for i := range d.Claims {
		claim := &d.Claims[i]
		if !claim.ID.IsZero() {
			q.Claims = append(q.Claims, claim.ID)
			continue
		}
		claim.normal, claim.keys = jobs.ClaimKeys(claim.Text, q.Language)
		q.ClaimKeys = append(q.ClaimKeys, claim.keys)
	}
	for _, source := range d.Sources {
		if !source.ID.IsZero() {
			q.Sources = append(q.Sources, source.ID)
		}
	}
	for _, relation := range d.Relations {
		q.Relations = append(q.Relations, relation.Target)
		if relation.Type == supersedes {
			q.Supersedes = append(q.Supersedes, relation.Target)
		}
	}
	return q
}

// spoken is the language of the draft, in which its claims are compared: a revision that names none has its item's.
func (d *draft) spoken(ctx context.Context, tx *store.Tx) (string, error) {
	if d.Content.IsZero() || d.Language != "" || len(d.Claims) == 0 {
		return d.languageOr(undetermined), nil
	}
	language, err := tx.ItemLanguage(ctx, d.Content)
	return cmp.Or(language, undetermined), err
}

func (d *draft) languageOr(other string) string {
	if d.Language == "" {
		return other
	}
	return d.Language
}

// decide checks a draft against the facts, and makes the publication without the objects that have a natural
// identity.
func (d *draft) decide(author store.ID, facts *store.PublishFacts) (*store.Publication, error) {
	revision, err := store.NewID(store.KindRevision)
	if err != nil {
		return nil, err
	}
	pub := &store.Publication{
		Revision: revision, Author: author, Type: d.Type, Language: d.languageOr(undetermined), No: 1,
		Title: d.Title, Summary: d.Summary, Body: d.Body, ChangeNote: d.ChangeNote,
		StructuredData: d.Data, Tags: append([]string{}, d.Tags...),
	}
	if d.Content.IsZero() {
		err = d.newItem(pub, facts)
	} else {
		err = d.revise(pub, facts)
	}
	if err != nil {
		return nil, err
	}
	return pub, d.checkReferences(pub, facts)
}

func readOnlySpace() *Error {
	return &Error{
		Code: CodeForbiddenScope, Message: "you may read this space but not write to it",
		Hints: []string{"Ask the owner of the space to make you a writer."},
	}
}

func (d *draft) newItem(pub *store.Publication, facts *store.PublishFacts) error {
	if !d.Space.IsZero() {
		switch facts.SpaceRole {
		case "":
			return notFound("space")
		case "reader":
			return readOnlySpace()
		}
	}
	id, err := store.NewID(store.KindContent)
	if err != nil {
		return err
	}
	pub.Content, pub.NewItem, pub.Space = id, true, d.Space
	for _, relation := range d.Relations {
		// A response stands in the thread of what it responds to.
		if target := facts.Relations[relation.Target]; !target.Thread.IsZero() && target.Space == pub.Space {
			pub.Thread = target.Thread
			return nil
		}
	}
	pub.Thread, err = store.NewID(store.KindThread)
	pub.NewThread = true
	return err
}

func (d *draft) revise(pub *store.Publication, facts *store.PublishFacts) error {
	item := facts.Item
	var p problems
	switch {
	case item == nil:
		return notFound("revision_of")
	case item.Author != pub.Author:
		return &Error{
			Code: CodeNotAuthor, Message: "only its author may revise a content item",
			Hints: []string{"Publish your own content with a relation of type corrects to it."},
		}
	case item.Role == "reader":
		return readOnlySpace()
	case item.Held:
		return held()
	case item.Type != d.Type:
		p.addf("/content_type", "same_type", "must be %s, the type of the item", item.Type)
	}
	if !d.Space.IsZero() && d.Space != item.Space {
		p.addf("/space", "same_space", "must be the space of the item, or absent")
	}
	if d.Language != "" && d.Language != item.Language {
		p.addf("/language", "same_language", "must be the language of the item, or absent")
	}
	pub.Content, pub.Space, pub.Thread = d.Content, item.Space, item.Thread
	pub.Language, pub.No, pub.Experience = item.Language, item.Revisions+1, item.Experience
	return p.err()
}

// held refuses a revision of what moderation holds back: it would be published unseen when the hold ends.
func held() *Error {
	const message = "must not be an item that moderation holds back"
	return &Error{
		Code: CodeValidationFailed, Message: "the item is held back by moderation", Reason: "held",
		Problems: []Problem{{Path: "/revision_of", Rule: "held", Message: message}},
		Hints:    []string{"get the item: it names the case, and get of the case says why. Its decision can be appealed against with review."},
	}
}

func privateElsewhere(path string) *Error {
	return &Error{
		Code: CodeInvalidTarget, Message: fmt.Sprintf("%s is private to another space", path),
		Problems: []Problem{{Path: "/" + path, Rule: "same_space", Message: "must be public or of the same space"}},
	}
}

// checkReferences refuses what the author may not see, and what would show a private object to strangers.
func (d *draft) checkReferences(pub *store.Publication, facts *store.PublishFacts) error {
	check := func(path string, known map[store.ID]store.Visible, id store.ID) error {
		found, ok := known[id]
		if !ok {
			return notFound(path)
		}
		if found.Private && found.Space != pub.Space {
			return privateElsewhere(path)
		}
		return nil
	}
	for i, id := range d.Subjects {
		if err := check(fmt.Sprintf("subjects/%d", d.subjectAt[i]), facts.Subjects, id); err != nil {
			return err
		}
	}
	for _, source := range d.Sources {
		if !source.ID.IsZero() {
			if err := check(fmt.Sprintf("sources/%d/id", source.at), facts.Sources, source.ID); err != nil {
				return err
			}
		}
	}
	for _, claim := range d.Claims {
		if !claim.ID.IsZero() {
			if err := check(fmt.Sprintf("claims/%d/id", claim.at), facts.Claims, claim.ID); err != nil {
				return err
			}
		}
	}
	for _, relation := range d.Relations {
		if err := check(fmt.Sprintf("relations/%d/target", relation.at), facts.Relations, relation.Target); err != nil {
			return err
		}
	}
	return d.checkRings(facts.Rings)
}

// place puts subjects, sources, relations and assets into the publication.
func (d *draft) place(pub *store.Publication, facts *store.PublishFacts, entities, sources []store.Named) {
	pub.Subjects = append(pub.Subjects, d.Subjects...)
	for _, entity := range entities {
		if !slices.Contains(pub.Subjects, entity.ID) {
			pub.Subjects = append(pub.Subjects, entity.ID)
		}
	}
	next := 0
	for _, source := range d.Sources {
		id, title := source.ID, source.Title
		if id.IsZero() {
			id = sources[next].ID
			next++
		} else if title == "" {
			title = facts.Sources[id].Name
		}
		if !slices.ContainsFunc(pub.Sources, func(s store.PublishedSource) bool { return s.ID == id }) {
			pub.Sources = append(pub.Sources, store.PublishedSource{ID: id, Title: title})
		}
	}
	for _, relation := range d.Relations {
		pub.Relations = append(pub.Relations, store.PublishedRelation{
			Type: relation.Type, Reason: relation.Reason, Target: relation.Target,
		})
	}
}

// link finds for each claim the one that exists already, or makes a new one; and gives the assets their IDs.
func (d *draft) link(pub *store.Publication, facts *store.PublishFacts) error {
	for _, claim := range d.Claims {
		linked := store.PublishedClaim{
			ID: claim.ID, Wording: claim.Text, Matched: true, NormalForm: claim.normal, Keys: claim.keys,
			KeyVersion: claimkey.Version, Subjects: pub.Subjects,
		}
		if claim.ID.IsZero() {
			linked.Matched = false
			if found := equivalent(claim, pub, facts.Candidates); found != nil {
				linked.ID, linked.Matched = found.ID, true
				linked.Seconds = seconds(pub, found.FirstBy, found.Space)
			} else if statedAlready(claim, pub) {
				continue // two wordings of one new claim in one publication
			}
		} else {
			found := facts.Claims[claim.ID]
			linked.Seconds = seconds(pub, found.FirstBy, found.Space)
			if claim.Text == "" {
				linked.Wording = found.Name
			}
		}
		if !linked.Matched {
			id, err := store.NewID(store.KindClaim)
			if err != nil {
				return err
			}
			linked.ID = id
		}
		if !slices.ContainsFunc(pub.Claims, func(c store.PublishedClaim) bool { return c.ID == linked.ID }) {
			pub.Claims = append(pub.Claims, linked)
		}
	}
	for _, asset := range d.Assets {
		id, err := store.NewID(store.KindAsset)
		if err != nil {
			return err
		}
		pub.Assets = append(pub.Assets, store.PublishedAsset{
			ID: id, Filename: asset.Filename, MediaType: asset.MediaType, SHA256: asset.SHA256, Data: asset.data,
		})
	}
	return nil
}

// equivalent finds the claim that is true under the same conditions, is about the same subject, and may be shown beside
// this content: by the strictest tier, and of those the oldest.
func equivalent(claim draftClaim, pub *store.Publication, candidates []store.ClaimCandidate) *store.ClaimCandidate {
	var best *store.ClaimCandidate
	bestTier := claimkey.None
	for i := range candidates {
		candidate := &candidates[i]
		if candidate.Space != pub.Space && !candidate.Space.IsZero() {
			continue
		}
		tier := claimkey.Equivalent(claim.Text, candidate.Text, pub.Language)
		if tier == claimkey.None || bestTier != claimkey.None && tier >= bestTier ||
			!sameSubject(claim.normal, pub.Subjects, candidate.Subjects) {
			continue
		}
		best, bestTier = candidate, tier
	}
	return best
}

func statedAlready(claim draftClaim, pub *store.Publication) bool {
	return slices.ContainsFunc(pub.Claims, func(c store.PublishedClaim) bool {
		return !c.Matched && claimkey.Equivalent(claim.Text, c.Wording, pub.Language) != claimkey.None
	})
}

// seconds reports whether stating a claim is evidence for it: another actor has stated it first, and who sees the
// claim may see this statement. A private statement of a public claim would move its trust for no visible reason.
func seconds(pub *store.Publication, firstBy uuid.UUID, space store.ID) bool {
	return firstBy != pub.Author.UUID && space == pub.Space
}

// sameSubject reports whether equal words about two sets of subjects are one claim: the sets meet or are both
// empty, or one is empty and the words say by themselves what they are about.
func sameSubject(normal string, own []store.ID, other []uuid.UUID) bool {
	if len(own) == 0 || len(other) == 0 {
		return len(own) == len(other) || claimkey.SelfContained(normal)
	}
	return slices.ContainsFunc(own, func(id store.ID) bool { return slices.Contains(other, id.UUID) })
}

// assertions are the evidence that a publication makes about claims which another actor stated first: one for each
// claim that its item did not state yet, and the retraction of each that its item states no longer.
func assertions(pub *store.Publication, stated []store.Assertion) ([]store.Append, error) {
	var out []store.Append
	add := func(claim store.ID, row store.Evidence) error {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("make an ID: %w", err)
		}
		row.ID, row.Target, row.Actor = id, claim, pub.Author
		out = append(out, store.Append{Evidence: row})
		return nil
	}
	for _, claim := range pub.Claims {
		already := func(a store.Assertion) bool { return a.Claim == claim.ID }
		if !claim.Seconds || slices.ContainsFunc(stated, already) {
			continue
		}
		if err := add(claim.ID, store.Evidence{Kind: store.EvidenceAssertion, StatedIn: pub.Revision}); err != nil {
			return nil, err
		}
	}
	for _, old := range stated {
		if slices.ContainsFunc(pub.Claims, func(c store.PublishedClaim) bool { return c.ID == old.Claim }) {
			continue
		}
		if err := add(old.Claim, store.Evidence{Kind: store.EvidenceRetraction, Retracts: old.Evidence}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// output is the answer to the author.
func (d *draft) output(pub *store.Publication, facts *store.PublishFacts, entities, sources []store.Named) *PublishOutput {
	out := &PublishOutput{
		ID: pub.Content.String(), RevisionID: pub.Revision.String(), RevisionNo: pub.No, Thread: pub.Thread.String(),
		Claims: []ClaimOutcome{}, Subjects: []SubjectOutcome{}, Sources: []SourceOutcome{}, Assets: []PublishedAsset{},
		Warnings: d.warnings,
	}
	similar := d.similarTo(pub)
	for _, claim := range pub.Claims {
		out.Claims = append(out.Claims, ClaimOutcome{
			ID: claim.ID.String(), MatchedExisting: claim.Matched, Similar: similar[claim.ID.UUID],
		})
	}
	made := map[store.ID]bool{}
	for _, entity := range entities {
		made[entity.ID] = entity.Made
	}
	for _, id := range pub.Subjects {
		out.Subjects = append(out.Subjects, SubjectOutcome{ID: id.String(), Matched: !made[id]})
	}
	family := map[store.ID]string{}
	for id, source := range facts.Sources {
		family[id] = source.Type
	}
	for _, source := range sources {
		family[source.ID] = source.Family
	}
	for _, source := range pub.Sources {
		out.Sources = append(out.Sources, SourceOutcome{ID: source.ID.String(), Family: family[source.ID]})
	}
	for i := range pub.Assets {
		asset := &pub.Assets[i]
		out.Assets = append(out.Assets, PublishedAsset{
			ID: asset.ID.String(), Filename: asset.Filename, SHA256: hex.EncodeToString(asset.SHA256[:]), Bytes: len(asset.Data),
		})
	}
	return out
}

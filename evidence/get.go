package evidence

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"interai/store"
)

// Get reads any object by its ID, on one snapshot of the database.
func (s *Service) Get(ctx context.Context, call *Call, in *GetInput) (*GetOutput, error) {
	if word, ok := Word(in.ID); ok {
		return s.word(ctx, word)
	}
	q, err := newQuestion(in)
	if err != nil {
		return nil, err
	}
	out := &GetOutput{}
	err = s.db.Read(ctx, func(v *store.Snapshot) error {
		*out = GetOutput{ID: q.id.String()}
		q.viewer, q.moderator = call.Actor, slices.Contains(call.Scopes, scopeModerate)
		return fetch(ctx, v, call.Actor, q, out)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, notFound("id")
	}
	if err != nil {
		return nil, readable(err)
	}
	return out, nil
}

// fetch reads one object into out.
func fetch(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	switch q.id.Kind {
	case store.KindContent, store.KindRevision:
		return fetchContent(ctx, v, viewer, q, out)
	case store.KindClaim:
		return fetchClaim(ctx, v, viewer, q, out)
	case store.KindEntity:
		return fetchEntity(ctx, v, viewer, q, out)
	case store.KindSource:
		return fetchSource(ctx, v, viewer, q, out)
	case store.KindThread:
		return fetchThread(ctx, v, viewer, q, out)
	case store.KindSpace:
		return fetchSpace(ctx, v, viewer, q, out)
	case store.KindAsset:
		return fetchAsset(ctx, v, viewer, q, out)
	case store.KindUsage, store.KindReview, store.KindRating:
		return fetchRecord(ctx, v, viewer, q, out)
	case store.KindUser, store.KindOrg, store.KindAgent:
		return fetchActor(ctx, v, viewer, q, out)
	case store.KindCase:
		return fetchCase(ctx, v, q, out)
	}
	return store.ErrNotFound
}

func fetchContent(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	var view store.ContentView
	var err error
	if out.Kind = "content"; q.id.Kind == store.KindRevision {
		out.Kind = "revision"
		view, err = v.Revision(ctx, q.id, viewer)
	} else {
		view, err = v.Content(ctx, q.id, viewer, q.revision)
	}
	if err != nil {
		return err
	}
	if q.pagesOf > 0 && q.pagesOf != view.No || q.offset > len(view.Body) {
		var p problems
		p.foreignCursor()
		return p.err()
	}
	parts, err := v.Parts(ctx, store.PartsQuery{
		Content: view.Content, Revision: view.Revision, Viewer: viewer,
		Claims: q.include.claims, Relations: q.include.relations, Revisions: q.include.revisions,
	})
	if err != nil {
		return err
	}
	out.Type, out.Title, out.Summary, out.ChangeNote = view.Type, view.Title, view.Summary, view.ChangeNote
	out.Revision = &RevisionRef{
		ID: view.Revision.String(), No: view.No, CreatedAt: view.RevisedAt, Author: view.Author.ID.String(),
	}
	out.CurrentRevision, out.Language, out.Tags = view.Current, view.Language, view.Tags
	out.Thread, out.Space = view.Thread.String(), view.Space.String()
	out.Provenance = provenance(view.Author, view.RevisedAt)
	out.UntrustedContent = true
	if view.Visibility != store.VisiblePublished {
		out.Visibility = view.Visibility
		if out.Case, err = holdOf(ctx, v, view.Content); err != nil {
			return err
		}
	}
	if err := setLabels(ctx, v, &view, viewer, out); err != nil {
		return err
	}
	if q.include.body {
		out.setBody(view.Body, q.offset, view.No, q.bodySlice)
		out.StructuredData = view.StructuredData
		if out.Experience, err = experienceRef(view.Experience); err != nil {
			return err
		}
	}
	out.setParts(parts, q.include)
	return fetchTrust(ctx, v, view.Revision, q, out)
}

// setBody puts the slice of a revision's body that fits into one answer, cut between characters.
func (out *GetOutput) setBody(body string, offset, no, most int) {
	offset = min(offset, len(body))
	for offset > 0 && offset < len(body) && !utf8.RuneStart(body[offset]) {
		offset--
	}
	end := min(offset+most, len(body))
	for end < len(body) && !utf8.RuneStart(body[end]) {
		end--
	}
	slice := body[offset:end]
	out.BodyMarkdown = &slice
	if end < len(body) {
		out.BodyNextOffset, out.NextCursor = end, fmt.Sprintf("%s%d.%d", bodyCursor, no, end)
	}
}

// evidenceGoesOn says that there is evidence below a number, beside the body if that goes on too.
func (out *GetOutput) evidenceGoesOn(below int64) {
	switch {
	case out.Revision == nil:
		out.NextCursor = cursorAt(evidenceCursor, below)
	case out.NextCursor != "":
		out.NextCursor = fmt.Sprintf("%s%d.%d.%d", bothCursor, out.Revision.No, out.BodyNextOffset, below)
	default:
		out.NextCursor = fmt.Sprintf("%s%d.%d", evidenceCursor, out.Revision.No, below)
	}
}

func (out *GetOutput) setParts(parts store.Parts, in include) {
	out.Subjects, out.Sources, out.Assets = []Ref{}, sourceRefs(parts.Sources), []AssetRef{}
	for _, s := range parts.Subjects {
		out.Subjects = append(out.Subjects, Ref{ID: s.ID.String(), Type: s.Type, Title: s.Name})
	}
	for _, a := range parts.Assets {
		out.Assets = append(out.Assets, assetRef(a))
	}
	if in.claims {
		out.Claims = []ClaimRef{}
		for _, c := range parts.Claims {
			out.Claims = append(out.Claims, ClaimRef{ID: c.ID.String(), Text: c.Text})
		}
	}
	if in.relations {
		out.Relations, out.RelationsCut = relations(parts.Outgoing, parts.Incoming), parts.MoreIncoming
	}
	if in.revisions {
		out.Revisions = []RevisionEntry{}
		for _, r := range parts.Revisions {
			out.Revisions = append(out.Revisions, RevisionEntry{
				RevisionRef: RevisionRef{ID: r.ID.String(), No: r.No, CreatedAt: r.CreatedAt, Author: r.Author.String()},
				Title:       r.Title, ChangeNote: r.ChangeNote,
			})
		}
	}
}

func sourceRefs(lines []store.SourceLine) []SourceRef {
	out := make([]SourceRef, 0, len(lines))
	for _, s := range lines {
		out = append(out, SourceRef{ID: s.ID.String(), URL: s.URL, Title: s.Title, Family: s.Family})
	}
	return out
}

func assetRef(a store.AssetLine) AssetRef {
	return AssetRef{
		ID: a.ID.String(), Filename: a.Filename, MediaType: a.MediaType, Bytes: a.Bytes, SHA256: hex.EncodeToString(a.SHA256),
	}
}

func provenance(author store.Author, at time.Time) *Provenance {
	return &Provenance{Author: author.ID.String(), Root: author.Root.String(), Name: author.DisplayName, CreatedAt: at}
}

func fetchClaim(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	view, err := v.Claim(ctx, q.id, viewer)
	if err != nil {
		return err
	}
	out.Kind, out.Type, out.ClaimText, out.Language = "claim", "claim", view.Text, view.Language
	out.Space = view.Space.String()
	out.Provenance = provenance(view.FirstBy, view.CreatedAt)
	for _, s := range view.Subjects {
		out.Subjects = append(out.Subjects, Ref{ID: s.ID.String(), Type: s.Type, Title: s.Name})
	}
	out.Items = refs(view.StatedIn)
	out.UntrustedContent = true
	return fetchTrust(ctx, v, q.id, q, out)
}

func fetchEntity(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	view, err := v.Entity(ctx, q.id, viewer)
	if err != nil {
		return err
	}
	out.Kind, out.Type, out.Title, out.URL = "entity", view.Type, view.Name, view.URL
	out.Space = view.Space.String()
	out.Provenance = provenance(view.CreatedBy, view.CreatedAt)
	out.Items = refs(view.Content)
	out.UntrustedContent = true
	if q.include.relations {
		incoming, more, err := v.Incoming(ctx, q.id, viewer)
		if err != nil {
			return err
		}
		out.Relations, out.RelationsCut = relations(nil, incoming), more
	}
	return fetchTrust(ctx, v, q.id, q, out)
}

func fetchSource(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	view, err := v.Source(ctx, q.id, viewer)
	if err != nil {
		return err
	}
	out.Kind, out.Title, out.URL, out.Family = "source", view.Title, view.URL, view.Family
	out.Items, out.UntrustedContent = refs(view.Content), true
	return nil
}

func fetchThread(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	lines, err := v.Thread(ctx, q.id, viewer)
	if err == nil && len(lines) == 0 {
		return store.ErrNotFound
	}
	out.Kind, out.Items, out.UntrustedContent = "thread", refs(lines), true
	return err
}

func fetchSpace(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	space, err := v.Space(ctx, q.id, viewer)
	if err != nil {
		return err
	}
	out.Kind, out.Title, out.Visibility = "space", space.Name, space.Visibility
	out.Provenance = provenance(store.Author{ID: space.Owner, Root: space.OwnerRoot}, space.CreatedAt)
	out.UntrustedContent = true
	return nil
}

func fetchAsset(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	view, err := v.Asset(ctx, q.id, viewer, q.offset, q.assetSlice)
	if err != nil {
		return err
	}
	if q.offset > 0 && q.offset >= view.Bytes {
		var p problems
		p.foreignCursor()
		return p.err()
	}
	out.Kind, out.UntrustedContent = "asset", true
	out.Asset = &AssetData{AssetRef: assetRef(view.AssetLine), Offset: q.offset, Base64: base64.StdEncoding.EncodeToString(view.Slice)}
	out.Items = []Ref{{ID: view.Content.String()}}
	if end := q.offset + len(view.Slice); len(view.Slice) > 0 && end < view.Bytes {
		out.NextCursor = cursorAt(assetCursor, end)
	}
	return nil
}

func fetchRecord(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	record, err := v.Record(ctx, q.id, viewer)
	if err != nil {
		return err
	}
	trust, err := v.Trust(ctx, []store.ID{record.Target})
	if err != nil {
		return err
	}
	ref := evidenceRef(record, trust[record.Target.UUID].Applied)
	out.Kind, out.Record, out.Status = ref.Kind, &ref, ref.Status
	out.UntrustedContent = true
	return nil
}

func fetchActor(ctx context.Context, v *store.Snapshot, viewer store.ID, q question, out *GetOutput) error {
	actor, err := v.Actor(ctx, q.id)
	if err != nil {
		return err
	}
	lines, err := v.ContentBy(ctx, q.id, viewer)
	if err != nil {
		return err
	}
	reputations, err := v.Reputations(ctx, []store.ID{q.id})
	if err != nil {
		return err
	}
	out.Kind, out.Type, out.Title = "actor", string(actor.ID.Kind), actor.DisplayName
	out.Actor = &ActorRef{
		Type: string(actor.ID.Kind), DisplayName: actor.DisplayName, Controller: actor.Controller.String(),
		Root: actor.Root.String(), VerifiedByEmail: actor.Email, VerifiedByDomain: actor.Domain,
		Vouched: actor.RootVerification.Vouched, Reputation: reputations[q.id.UUID], Disabled: actor.DisabledAt != nil, CreatedAt: actor.CreatedAt,
	}
	out.Items, out.UntrustedContent = refs(lines), true
	return nil
}

func refs(lines []store.ContentLine) []Ref {
	out := make([]Ref, 0, len(lines))
	for _, l := range lines {
		out = append(out, Ref{ID: l.ID.String(), Type: l.Type, Title: l.Title, Author: l.Author.String()})
	}
	return out
}

// fetchTrust reads the trust of the shown target, and of the claims and revisions that the answer lists.
func fetchTrust(ctx context.Context, v *store.Snapshot, target store.ID, q question, out *GetOutput) error {
	ids := []store.ID{target}
	add := func(text string) {
		if id, err := store.ParseID(text); err == nil {
			ids = append(ids, id)
		}
	}
	for _, c := range out.Claims {
		add(c.ID)
	}
	for _, r := range out.Revisions {
		add(r.ID)
	}
	authors, trust, err := trustAndAuthors(ctx, v, ids, out.Provenance)
	if err != nil {
		return err
	}
	if out.Provenance != nil {
		out.Provenance.Reputation = authors
	}
	at := func(text string) store.Trust {
		id, err := store.ParseID(text)
		if err != nil {
			return store.Trust{}
		}
		return trust[id.UUID]
	}
	for i := range out.Claims {
		found := at(out.Claims[i].ID)
		out.Claims[i].Status, out.Claims[i].Value = found.Status, found.Value
	}
	for i := range out.Revisions {
		found := at(out.Revisions[i].ID)
		out.Revisions[i].Status, out.Revisions[i].Value = found.Status, found.Value
	}
	return fetchEvidence(ctx, v, target, trust, q, out)
}

// trustAndAuthors reads the trust of targets and the reputation of who wrote the first of them.
func trustAndAuthors(ctx context.Context, v *store.Snapshot, ids []store.ID, by *Provenance) (*float64, map[uuid.UUID]store.Trust, error) {
	trust, err := v.Trust(ctx, ids)
	if err != nil || by == nil {
		return nil, trust, err
	}
	author, err := store.ParseID(by.Author)
	if err != nil {
		return nil, nil, fmt.Errorf("read the author: %w", err)
	}
	reputations, err := v.Reputations(ctx, []store.ID{author})
	if err != nil {
		return nil, nil, err
	}
	value := reputations[author.UUID]
	return &value, trust, nil
}

func fetchEvidence(ctx context.Context, v *store.Snapshot, target store.ID, known map[uuid.UUID]store.Trust, q question, out *GetOutput) error {
	trust := known[target.UUID]
	out.Status, out.PendingStatus, out.Trust = trust.Status, trust.Pending, trustRef(trust)
	if q.include.summary {
		out.EvidenceSummary = summary(trust)
	}
	if q.include.explanation {
		explanation, err := explain(ctx, v, target)
		if err != nil {
			return err
		}
		out.Explanation = explanation
	}
	if q.include.explanation || q.include.revisions {
		changes, err := v.StatusHistory(ctx, target)
		if err != nil {
			return err
		}
		out.StatusHistory = []StatusChange{}
		for _, c := range changes {
			out.StatusHistory = append(out.StatusHistory, StatusChange{From: c.From, To: c.To, Reason: c.Reason, At: c.At})
		}
	}
	if !q.include.evidence {
		return nil
	}
	// One record more than a page tells whether there is a next one.
	records, err := v.Evidence(ctx, target, q.viewer, q.before, q.limit+1)
	if err != nil {
		return fmt.Errorf("list evidence: %w", err)
	}
	out.Evidence = []RecordRef{}
	for i, record := range records {
		if i == q.limit {
			out.evidenceGoesOn(records[i-1].Seq)
			break
		}
		out.Evidence = append(out.Evidence, evidenceRef(record, trust.Applied))
	}
	return nil
}

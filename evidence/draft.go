package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"interai/antiabuse"
	"interai/evidence/claimkey"
	"interai/evidence/schemas"
	"interai/store"
)

// Bounds of the specification, section 9, and of ARCHITECTURE section 3.
const (
	maxBodyBytes  = 204_800
	maxAssetBytes = 1 << 20
)

// undetermined is the language of content that names none (ISO 639-2).
const undetermined = "und"

// draft is a publication as its author wants it: normalised, checked as far as that needs no database. Its exported
// fields are what the request's digest covers.
type draft struct {
	Type, Title, Summary, Body, ChangeNote, Language string
	Data                                             json.RawMessage
	Content, Space                                   store.ID
	Subjects                                         []store.ID
	NewSubjects                                      []NewSubject
	Claims                                           []draftClaim
	Sources                                          []draftSource
	Relations                                        []draftRelation
	Tags                                             []string
	Assets                                           []draftAsset
	// Experience is nil for everything but experiences, and then no part of what the digest covers.
	Experience *experience `json:",omitempty"` //nolint:tagliatelle // named as its neighbours are, for the digest alone

	digest   [32]byte
	entities []store.NewEntity
	sources  []store.NewSource
	// edits are what the normal form has changed, warnings what the author is told of it.
	edits, warnings []string
	// subjectAt are the places of Subjects in the input, which also has repetitions; so are the fields at below.
	subjectAt []int
}

type draftClaim struct {
	Text string
	ID   store.ID
	// In the language of the item, once that is known.
	normal string
	keys   store.ClaimKeys

	similar []SimilarClaim // what else may be meant

	at int
}

type draftSource struct {
	URL, Family, Title string
	ID                 store.ID
	at                 int
}

type draftRelation struct {
	Type, Reason string
	Target       store.ID
	at           int
}

type draftAsset struct {
	Filename, MediaType string
	SHA256              [32]byte
	data                []byte
}

// newDraft normalises the input and lists every rule that it breaks.
func newDraft(in *PublishInput, types *schemas.Set) (*draft, error) {
	var p problems
	d := p.draft(in, types)
	if d.Type == typeExperience && d.Content.IsZero() {
		p.addf("/content_type", "submit_experience", "experiences are published by submit_experience; publish only revises their text")
	}
	return d, p.err()
}

// draft normalises the input of a publication.
func (p *problems) draft(in *PublishInput, types *schemas.Set) *draft {
	d := &draft{
		Type: in.ContentType, Title: p.line("/title", in.Title, maxTitle), Body: p.markdown("/body_markdown", in.BodyMarkdown),
		Summary:    p.line("/summary", in.Summary, maxSummary),
		ChangeNote: p.prose("/change_note", in.ChangeNote, maxChangeNote), Language: languageTag(in.Language),
		Data: p.canonical("/structured_data", in.StructuredData),
	}
	for _, found := range types.Check(d.Type, d.Data) {
		p.addf("/structured_data"+found.Path, found.Rule, "%s", found.Message)
	}
	if !visible(d.Title) {
		p.addf("/title", "required", "must have at least one visible character")
	}
	if len(d.Body) > maxBodyBytes {
		p.addf("/body_markdown", "maxbytes", "must have at most %d bytes after normalisation", maxBodyBytes)
	}
	if in.RevisionOf != "" {
		d.Content = p.id("/revision_of", in.RevisionOf, store.KindContent)
	} else if d.ChangeNote != "" {
		p.addf("/change_note", "with_revision_of", "is for revisions only")
	}
	if in.Space != "" {
		d.Space = p.id("/space", in.Space, store.KindSpace)
	}
	for i, text := range in.Subjects {
		if id := p.id(fmt.Sprintf("/subjects/%d", i), text, store.KindEntity); !slices.Contains(d.Subjects, id) {
			d.Subjects = append(d.Subjects, id)
			d.subjectAt = append(d.subjectAt, i)
		}
	}
	d.addSubjects(p, in.NewSubjects)
	d.addClaims(p, in.Claims)
	d.addSources(p, in.Sources)
	d.addRelations(p, in.Relations)
	d.addTags(p, in.Tags)
	d.addAssets(p, in.Assets)
	d.edits, d.warnings = p.labels, p.warnings
	return d
}

// id reads an ID of one kind; anything else is a problem at path.
func (p *problems) id(path, text string, kind store.Kind) store.ID {
	id, err := store.ParseID(text)
	if err != nil || id.Kind != kind {
		p.addf(path, "id", "must be a %s_ ID", kind)
		return store.ID{}
	}
	return id
}

// languageTag folds the case of a tag as RFC 5646 writes it: language lower, the rest as given.
func languageTag(tag string) string {
	language, rest, more := strings.Cut(tag, "-")
	if language == "" {
		return ""
	}
	if more {
		return strings.ToLower(language) + "-" + rest
	}
	return strings.ToLower(language)
}

func (d *draft) addSubjects(p *problems, subjects []NewSubject) {
	seen := map[[2]string]bool{}
	for i, subject := range subjects {
		name := p.line(fmt.Sprintf("/new_subjects/%d/name", i), subject.Name, maxName)
		if !visible(name) {
			p.addf(fmt.Sprintf("/new_subjects/%d/name", i), "required", "must have at least one visible character")
			continue
		}
		p.homePage(fmt.Sprintf("/new_subjects/%d/url", i), subject.URL)
		if identity := [2]string{subject.Type, store.NameKey(name)}; !seen[identity] {
			seen[identity] = true
			d.NewSubjects = append(d.NewSubjects, NewSubject{Type: subject.Type, Name: name, URL: subject.URL})
			d.entities = append(d.entities, store.NewEntity{Type: subject.Type, Name: name, URL: subject.URL})
		}
	}
}

func (d *draft) addClaims(p *problems, claims []ClaimInput) {
	for i, in := range claims {
		path := fmt.Sprintf("/claims/%d", i)
		claim := draftClaim{Text: p.line(path+"/text", in.Text, maxClaim), at: i}
		if in.ID != "" {
			claim.ID = p.id(path+"/id", in.ID, store.KindClaim)
		}
		if in.ID == "" && claimkey.Normalise(claim.Text) == "" {
			p.addf(path+"/text", "required", "must say something, or give the id of a claim")
			continue
		}
		same := func(other draftClaim) bool {
			return other.ID == claim.ID && (!claim.ID.IsZero() || other.Text == claim.Text)
		}
		if !slices.ContainsFunc(d.Claims, same) {
			d.Claims = append(d.Claims, claim)
		}
	}
}

func (d *draft) addSources(p *problems, sources []SourceInput) {
	for i, in := range sources {
		path := fmt.Sprintf("/sources/%d", i)
		source := draftSource{Title: p.line(path+"/title", in.Title, maxTitle), at: i}
		switch {
		case (in.URL == "") == (in.ID == ""):
			p.addf(path, "one_of", "must give either url or id")
			continue
		case in.ID != "":
			source.ID = p.id(path+"/id", in.ID, store.KindSource)
		default:
			parsed, err := antiabuse.ParseSource(in.URL)
			if err != nil {
				p.addf(path+"/url", "source_url", "%s", err)
				continue
			}
			source.URL, source.Family = parsed.URL, parsed.Family
		}
		same := func(other draftSource) bool { return other.ID == source.ID && other.URL == source.URL }
		if slices.ContainsFunc(d.Sources, same) {
			continue
		}
		d.Sources = append(d.Sources, source)
		if source.ID.IsZero() {
			d.sources = append(d.sources, store.NewSource{URL: source.URL, Family: source.Family, Title: source.Title})
		}
	}
}

func (d *draft) addRelations(p *problems, relations []RelationInput) {
	for i, in := range relations {
		path := fmt.Sprintf("/relations/%d", i)
		target, err := store.ParseID(in.Target)
		toEntity := in.Type == "alternative_to" || in.Type == "known_issue_of"
		switch {
		case err != nil || (target.Kind != store.KindContent && (target.Kind != store.KindEntity || !toEntity)):
			p.addf(path+"/target", "target_kind", "must be a cnt_ ID, or an ent_ ID for alternative_to and known_issue_of")
			continue
		case in.Reason != "" && in.Type != "alternative_to":
			p.addf(path+"/reason", "with_alternative_to", "is for alternative_to only")
			continue
		case !d.Content.IsZero() && target == d.Content:
			p.addf(path+"/target", "other_content", "must not be the item itself")
			continue
		}
		relation := draftRelation{Type: in.Type, Reason: in.Reason, Target: target, at: i}
		same := func(other draftRelation) bool { return other.Type == relation.Type && other.Target == target }
		if !slices.ContainsFunc(d.Relations, same) {
			d.Relations = append(d.Relations, relation)
		}
	}
}

func (d *draft) addTags(p *problems, tags []string) {
	for i, tag := range tags {
		tag = strings.ToLower(p.line(fmt.Sprintf("/tags/%d", i), tag, maxTag))
		if !visible(tag) {
			p.addf(fmt.Sprintf("/tags/%d", i), "required", "must have at least one visible character")
		} else if !slices.Contains(d.Tags, tag) {
			d.Tags = append(d.Tags, tag)
		}
	}
}

func (d *draft) addAssets(p *problems, assets []AssetInput) {
	for i, in := range assets {
		path := fmt.Sprintf("/assets/%d", i)
		name := p.line(path+"/filename", in.Filename, maxName)
		if !visible(name) || name == "." || name == ".." || strings.ContainsAny(name, `/\`) || !utf8.ValidString(name) {
			p.addf(path+"/filename", "filename", "must be a file name without folders")
		}
		data, err := base64.StdEncoding.DecodeString(in.Base64)
		switch {
		case err != nil:
			p.addf(path+"/base64", "base64", "must be standard base64 with padding")
			continue
		case len(data) > maxAssetBytes:
			p.addf(path+"/base64", "maxbytes", "must have at most %d bytes decoded", maxAssetBytes)
			continue
		}
		d.Assets = append(d.Assets, draftAsset{
			Filename: name, MediaType: strings.ToLower(in.MediaType), SHA256: sha256.Sum256(data), data: bytes.Clone(data),
		})
	}
}

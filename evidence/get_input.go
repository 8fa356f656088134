package evidence

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"interai/store"
)

// GetInput is the input of get.
type GetInput struct {
	ID       string   `json:"id" validate:"required,max=200" doc:"Any public ID, an interai:// URI, or about, instructions, trust-model or schemas." pii:"none"`
	Revision int      `json:"revision" validate:"omitempty,min=1,max=1000000000" doc:"Number of a cnt_ ID's revision; absent: the current." pii:"none"`
	Include  []string `json:"include" validate:"max=7,unique,dive,oneof=body claims relations evidence_summary evidence revisions explanation" doc:"Absent: body, claims, relations, evidence_summary." pii:"none"`
	Limit    int      `json:"limit" validate:"omitempty,min=1,max=100" doc:"Evidence records a page; 20 if absent." pii:"none"`
	Cursor   string   `json:"cursor" validate:"max=100" doc:"next_cursor of the previous answer." pii:"none"`
}

// Bounds of one answer.
const (
	defaultPage     = 20
	bodySliceBytes  = 32 << 10
	assetSliceBytes = 256 << 10
)

// include is the set of parts that an answer has.
type include struct {
	body, claims, relations, summary, evidence, revisions, explanation bool
}

// question is a checked GetInput.
type question struct {
	id     store.ID
	viewer store.ID
	// moderator says that the viewer may see everybody's cases.
	moderator bool
	revision  int
	include   include
	limit     int
	// Where to go on: below this evidence number, or from this byte of a file or of a body; of content, those of
	// revision number pagesOf.
	before  int64
	offset  int
	pagesOf int
	// How much of a body and of a file one answer has, in bytes.
	bodySlice, assetSlice int
}

func newQuestion(in *GetInput) (question, error) {
	q := question{
		revision: in.Revision, limit: in.Limit, include: newInclude(in.Include), bodySlice: bodySliceBytes, assetSlice: assetSliceBytes,
	}
	if q.limit == 0 {
		q.limit = defaultPage
	}
	text, revision, err := fromURI(in.ID)
	if err != nil {
		return question{}, err
	}
	ofContent := strings.HasPrefix(in.ID, contentURI)
	if revision > 0 {
		if in.Revision > 0 && in.Revision != revision {
			var p problems
			p.addf("/revision", "same_revision", "must be the revision that the URI names, or absent")
			return question{}, p.err()
		}
		q.revision = revision
	}
	if q.id, err = store.ParseID(text); err != nil || ofContent && q.id.Kind != store.KindContent {
		return question{}, notFound("id")
	}
	var p problems
	if q.revision > 0 && q.id.Kind != store.KindContent {
		p.addf("/revision", "with_content", "is for cnt_ IDs only")
	}
	q.readCursor(&p, in.Cursor)
	return q, p.err()
}

func newInclude(names []string) include {
	if len(names) == 0 {
		return include{body: true, claims: true, relations: true, summary: true}
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	return include{
		body: has("body"), claims: has("claims"), relations: has("relations"), summary: has("evidence_summary"),
		evidence: has("evidence"), revisions: has("revisions"), explanation: has("explanation"),
	}
}

// What the URIs of resources start with (specification v2, section 11).
const (
	uriScheme  = "interai://"
	contentURI = uriScheme + "content/"
)

// fromURI reads interai://{id}, interai://content/{cnt_id}, interai://content/{cnt_id}/revision/{no}, and the address of a
// page, whatever the host is called. Anything else is an ID as it stands.
func fromURI(text string) (id string, revision int, err error) {
	if page, err := url.Parse(text); err == nil && (page.Scheme == "http" || page.Scheme == "https") {
		return strings.TrimSuffix(strings.TrimPrefix(page.Path, "/"), ".md"), 0, nil
	}
	rest, isURI := strings.CutPrefix(text, uriScheme)
	if !isURI {
		return text, 0, nil
	}
	parts := strings.Split(rest, "/")
	switch {
	case len(parts) == 1:
		return parts[0], 0, nil
	case len(parts) == 2 && parts[0] == "content":
		return parts[1], 0, nil
	case len(parts) == 4 && parts[0] == "content" && parts[2] == "revision":
		if no, ok := position(parts[3]); ok {
			return parts[1], int(no), nil
		}
	}
	return "", 0, notFound("id")
}

// Cursors name the lists that go on, so that one of another list is refused and not misread. Those of content name its
// revision as well: body and evidence go on in the revision in which they began, whatever was published since.
const (
	evidenceCursor = "evidence:"
	bodyCursor     = "body:"
	bothCursor     = "body+evidence:"
	assetCursor    = "asset:"
)

func (q *question) readCursor(p *problems, cursor string) {
	if cursor == "" {
		return
	}
	list, at, _ := strings.Cut(cursor, ":")
	list += ":"
	ok := false
	switch kind := q.id.Kind; {
	case kind == store.KindContent || kind == store.KindRevision:
		ok = q.goOn(list, at)
	case list == evidenceCursor && (kind == store.KindClaim || kind == store.KindEntity):
		q.include.evidence = true
		q.before, ok = position(at)
	case list == assetCursor && kind == store.KindAsset:
		var offset int64
		offset, ok = position(at)
		q.offset, ok = int(offset), ok && offset <= maxAssetBytes
	}
	if !ok {
		p.foreignCursor()
	}
}

func (p *problems) foreignCursor() {
	p.addf("/cursor", "cursor", "must be the next_cursor of an earlier answer")
}

// goOn reads where the lists of a revision go on: its number, the offset in the body, and the evidence's number. A list
// that the cursor does not name has ended: it is not begun anew.
func (q *question) goOn(list, at string) bool {
	q.include.body = list == bodyCursor || list == bothCursor
	q.include.evidence = list == evidenceCursor || list == bothCursor
	numbers := strings.Split(at, ".")
	next := func() int64 {
		if len(numbers) == 0 {
			return 0
		}
		n, _ := position(numbers[0])
		numbers = numbers[1:]
		return n
	}
	q.pagesOf = int(next())
	wrong := q.pagesOf == 0 || q.revision > 0 && q.revision != q.pagesOf || !q.include.body && !q.include.evidence
	if q.include.body {
		q.offset = int(next())
		wrong = wrong || q.offset == 0
	}
	if q.include.evidence {
		q.before = next()
		wrong = wrong || q.before == 0
	}
	if q.id.Kind == store.KindContent {
		q.revision = q.pagesOf
	}
	return !wrong && len(numbers) == 0
}

// position reads a positive number as cursors and URIs have it.
func position(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	return n, err == nil && n >= 1 && text == strconv.FormatInt(n, 10)
}

func cursorAt[N int | int64](prefix string, n N) string { return fmt.Sprintf("%s%d", prefix, n) }

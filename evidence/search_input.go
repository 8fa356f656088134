package evidence

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"interai/jobs"
	"interai/store"
)

// SearchInput is the input of search.
type SearchInput struct {
	Query           string          `json:"query" validate:"max=2000" doc:"What you need, in words, identifiers or error codes; may be empty for sort trust and recent." pii:"none"`
	Kinds           []string        `json:"kinds" validate:"max=3,unique,dive,oneof=content claim entity" doc:"Absent: all three." pii:"none"`
	ContentTypes    []string        `json:"content_types" validate:"max=20,dive,max=60" doc:"Types of content to find." pii:"none"`
	EntityTypes     []string        `json:"entity_types" validate:"max=20,dive,max=60" doc:"Types of entities to find." pii:"none"`
	Context         json.RawMessage `json:"context" schema:"object" doc:"Your situation as scalar facets: what fits ranks higher, nothing is left out." pii:"none"`
	AlternativesTo  *Alternatives   `json:"alternatives_to" doc:"Find alternatives to an entity or content item." pii:"none"`
	Space           string          `json:"space" validate:"max=100" doc:"Only in this spc_." pii:"none"`
	Tags            []string        `json:"tags" validate:"max=20,dive,min=1,max=60" doc:"Only with all these tags." pii:"none"`
	MinStatus       string          `json:"min_status" validate:"omitempty,oneof=unverified supported high_confidence" doc:"Lowest status." pii:"none"`
	IncludeDisputed *bool           `json:"include_disputed" doc:"Also disputed, outdated, incorrect, superseded, labelled; default true." pii:"none"`
	Sort            string          `json:"sort" validate:"omitempty,oneof=rank trust recent" doc:"rank is relevance times trust, the default." pii:"none"`
	Limit           int             `json:"limit" validate:"omitempty,min=1,max=50" doc:"Results a page; default 10." pii:"none"`
	Cursor          string          `json:"cursor" validate:"max=100" doc:"next_cursor of the page before, with the same question." pii:"none"`
}

// Alternatives names what alternatives are wanted to.
type Alternatives struct {
	ID     string `json:"id" validate:"required,max=100" doc:"An ent_ or cnt_ ID."`
	Reason string `json:"reason" validate:"omitempty,oneof=simpler cheaper faster safer more_reliable more_open more_available lower_resource_use easier_to_integrate other" doc:"In what it should be better."`
}

const defaultResults = 10

// searchFilter is what a result must be.
type searchFilter struct {
	kinds, contentTypes, entityTypes, tags []string

	space store.ID
	// statuses are those that may be found, nil for all.
	statuses []string
}

// searchQuestion is a checked SearchInput.
type searchQuestion struct {
	searchFilter

	text         string
	facets       []string // key=value
	alternatives store.ID
	reason       string
	sort         string
	minStatus    string
	limit        int
	fingerprint  [32]byte

	cursor    [10]byte
	hasCursor bool
	offset    int
}

func newSearchQuestion(in *SearchInput) (*searchQuestion, error) {
	var p problems
	q := &searchQuestion{
		text: line(in.Query), sort: in.Sort, minStatus: in.MinStatus, limit: in.Limit,
		searchFilter: searchFilter{kinds: in.Kinds, contentTypes: in.ContentTypes, entityTypes: in.EntityTypes},
	}
	if q.limit == 0 {
		q.limit = defaultResults
	}
	if q.sort == "" {
		q.sort = "rank"
	}
	for _, tag := range in.Tags {
		q.tags = append(q.tags, strings.ToLower(line(tag)))
	}
	if in.Space != "" {
		q.space = p.id("/space", in.Space, store.KindSpace)
	}
	q.facets = p.askedFacets(in.Context)
	q.readAlternatives(&p, in.AlternativesTo)
	q.chooseKinds()
	q.statuses = findable(in.MinStatus, in.IncludeDisputed == nil || *in.IncludeDisputed)
	q.readCursor(&p, in.Cursor)
	if err := p.err(); err != nil {
		return nil, err
	}
	if err := q.sign(); err != nil {
		return nil, err
	}
	return q, nil
}

// askedFacets are the facets of a situation in the form in which documents have them.
func (p *problems) askedFacets(raw json.RawMessage) []string {
	normal, _ := p.facets(raw)
	var members map[string]any
	if err := json.Unmarshal(normal, &members); err != nil {
		return nil // a broken context is a problem already
	}
	var out []string
	for name, value := range members {
		if facet, ok := jobs.Facet(name, value); ok {
			out = append(out, facet)
		}
	}
	slices.Sort(out)
	return out
}

func (q *searchQuestion) readAlternatives(p *problems, in *Alternatives) {
	if in == nil {
		return
	}
	id, err := store.ParseID(in.ID)
	if err != nil || id.Kind != store.KindEntity && id.Kind != store.KindContent {
		p.addf("/alternatives_to/id", "id", "must be an ent_ or cnt_ ID; search finds it by its name")
		return
	}
	q.alternatives, q.reason = id, in.Reason
}

// chooseKinds fills in what was not said: alternatives to something are things of its sort, and claims are none.
func (q *searchQuestion) chooseKinds() {
	switch {
	case len(q.kinds) > 0:
	case !q.alternatives.IsZero():
		q.kinds = []string{store.FoundContent, store.FoundEntity}
	default:
		q.kinds = []string{store.FoundContent, store.FoundClaim, store.FoundEntity}
	}
}

// unfiltered tells whether the question is asked of everything.
func (f *searchFilter) unfiltered() bool {
	return len(f.kinds) == allKinds && len(f.contentTypes)+len(f.entityTypes)+len(f.tags)+len(f.statuses) == 0 && f.space.IsZero()
}

// allKinds is how many kinds of objects can be found.
const allKinds = 3

// findable are the statuses that may be found, nil for all.
func findable(least string, disputed bool) []string {
	var out []string
	switch least {
	case "high_confidence":
		out = []string{"high_confidence"}
	case "supported":
		out = []string{"supported", "high_confidence"}
	default:
		if disputed {
			return nil
		}
		out = []string{"unverified", "supported", "high_confidence"}
	}
	if disputed {
		out = append(out, "disputed", "outdated", "incorrect", "superseded")
	}
	return out
}

// sign names the question: a cursor is for the pages of one question. The length of a page may change.
func (q *searchQuestion) sign() error {
	slices.Sort(q.contentTypes)
	slices.Sort(q.entityTypes)
	slices.Sort(q.kinds)
	slices.Sort(q.tags)
	encoded, err := json.Marshal([]any{
		q.text, q.kinds, q.contentTypes, q.entityTypes, q.tags, q.space, q.statuses, q.facets, q.alternatives, q.reason, q.sort,
	})
	if err != nil {
		return fmt.Errorf("encode a question: %w", err)
	}
	q.fingerprint = sha256.Sum256(encoded)
	return nil
}

// A cursor names a frozen list and the place in it: short, since a model has to repeat it.
const cursorPrefix = "c1_"

var cursorEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func newCursorID() (id [10]byte) {
	_, _ = rand.Read(id[:]) // never fails since Go 1.24
	return id
}

func searchCursor(id [10]byte, offset int) string {
	return fmt.Sprintf("%s%s.%d", cursorPrefix, cursorEncoding.EncodeToString(id[:]), offset)
}

func (q *searchQuestion) readCursor(p *problems, cursor string) {
	if cursor == "" {
		return
	}
	rest, ours := strings.CutPrefix(cursor, cursorPrefix)
	name, at, placed := strings.Cut(rest, ".")
	id, err := cursorEncoding.DecodeString(name)
	offset, canonical := position(at)
	if !ours || !placed || err != nil || !canonical || len(id) != len(q.cursor) || offset > maxFrozen || strings.ContainsAny(name, "\r\n") {
		p.foreignCursor()
		return
	}
	copy(q.cursor[:], id)
	q.hasCursor, q.offset = true, int(offset)
}

func cursorExpired() *Error {
	return &Error{
		Code: CodeValidationFailed, Message: "the cursor has expired, or belongs to another question or caller", Reason: "cursor_expired",
		Problems: []Problem{{Path: "/cursor", Rule: "cursor", Message: "must be the next_cursor of an earlier answer to the same question"}},
		Hints:    []string{"Search again without a cursor; narrower filters find more than further pages."},
	}
}

package evidence_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

// secret is a word that is written in the private space only.
const secret = "Zugspitze"

// everything is every part that get can include.
func everything() []string {
	return []string{"body", "claims", "relations", "evidence_summary", "evidence", "revisions", "explanation"}
}

// privateSpace is a space of the author's with one of everything in it.
type privateSpace struct {
	*bundle

	space  string
	item   evidence.PublishOutput
	usage  map[string]string // record by target
	public evidence.PublishOutput
}

func newPrivateSpace(t *testing.T) *privateSpace {
	t.Helper()
	b := setup(t)
	id, err := b.Store.CreateSpace(t.Context(), secret+" space", "private", b.Agent)
	require.NoError(t, err)
	p := &privateSpace{bundle: b, space: id.String(), usage: map[string]string{}}
	p.public = b.publish(b.author, fields{
		"title": "Public", "claims": []fields{{"text": "Public statements may be repeated in private."}},
		"new_subjects": []fields{{"type": "software", "name": "Public thing"}},
	})
	p.item = b.publish(b.author, fields{
		"space": p.space, "title": secret, "body_markdown": secret,
		"claims":       []fields{{"text": secret + " statements stay in their space."}, {"text": "Public statements may be repeated in private."}},
		"new_subjects": []fields{{"type": "software", "name": secret}}, "subjects": []string{p.public.Subjects[0].ID},
		"sources":   []fields{{"url": "https://private.example/page", "title": secret}},
		"assets":    []fields{{"filename": secret + ".txt", "media_type": "text/plain", "base64": base64.StdEncoding.EncodeToString([]byte(secret))}},
		"relations": []fields{{"type": "corrects", "target": p.public.ID}},
	})
	for _, target := range []string{p.item.RevisionID, p.item.Claims[0].ID, p.privateEntity()} {
		var out evidence.RecordOutput
		b.Must(b.author, "report_usage", fields{"target": target, "result": "failure", "note": secret}, &out)
		p.usage[target] = out.ID
	}
	b.Settled()
	return p
}

func (p *privateSpace) privateEntity() string {
	for _, s := range p.item.Subjects {
		if s.ID != p.public.Subjects[0].ID {
			return s.ID
		}
	}
	return ""
}

// objects are all objects that only the members of the space may know of.
func (p *privateSpace) objects() map[string]string {
	out := map[string]string{
		"content": p.item.ID, "revision": p.item.RevisionID, "claim": p.item.Claims[0].ID, "entity": p.privateEntity(),
		"source": p.item.Sources[0].ID, "thread": p.item.Thread, "asset": p.item.Assets[0].ID, "space": p.space,
	}
	for target, record := range p.usage {
		out["usage of "+target[:3]] = record
	}
	return out
}

// like makes an unknown ID of the same kind.
func like(t *testing.T, id string) string {
	kind, _, _ := strings.Cut(id, "_")
	return fresh(t, store.Kind(kind))
}

// sameRefusal requires that a private object is refused word for word like one that does not exist.
func (p *privateSpace) sameRefusal(t *testing.T, client *mcp.Client, tool, id string, args func(id string) fields) {
	t.Helper()
	refusal := func(id string) string {
		_, err := p.raw(client, tool, args(id))
		require.Error(t, err)
		e := fails(t, ops.CodeOf(err), err)
		e.Details.CorrelationID = ""
		text, err := json.Marshal(e)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, refusal(like(t, id)), refusal(id))
}

func TestStrangersCannotTellPrivateObjectsFromNone(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	for name, id := range p.objects() {
		t.Run("get "+name, func(t *testing.T) {
			p.get(p.author, id, everything()...) // the member sees it
			_, err := p.raw(p.user, "get", fields{"id": id})
			fails(t, ops.NotFound, err)
			p.sameRefusal(t, p.user, "get", id, func(id string) fields { return fields{"id": id, "include": everything()} })
			p.sameRefusal(t, p.user, "get", id, func(id string) fields { return fields{"id": "interai://" + id} })
		})
	}
	for _, target := range []string{p.item.ID, p.item.RevisionID, p.item.Claims[0].ID, p.privateEntity()} {
		t.Run("report_usage "+target[:3], func(t *testing.T) {
			p.sameRefusal(t, p.user, "report_usage", target, func(id string) fields { return fields{"target": id, "result": "success"} })
			p.sameRefusal(t, p.user, "report_usage", target, func(id string) fields {
				return fields{"target": id, "result": "success", "idempotency_key": "k"}
			})
		})
	}
	for target, record := range p.usage {
		t.Run("retract usage of "+target[:3], func(t *testing.T) {
			p.sameRefusal(t, p.user, "report_usage", record, func(id string) fields { return fields{"retract": id} })
		})
	}
	for rule, c := range map[string]struct {
		id   string
		args func(id string) fields
	}{
		"space":       {p.space, func(id string) fields { return fields{"space": id} }},
		"revision_of": {p.item.ID, func(id string) fields { return fields{"revision_of": id} }},
		"subjects":    {p.privateEntity(), func(id string) fields { return fields{"subjects": []string{id}} }},
		"claims":      {p.item.Claims[0].ID, func(id string) fields { return fields{"claims": []fields{{"id": id}}} }},
		"sources":     {p.item.Sources[0].ID, func(id string) fields { return fields{"sources": []fields{{"id": id}}} }},
		"relation":    {p.item.ID, func(id string) fields { return fields{"relations": []fields{{"type": "corrects", "target": id}}} }},
		"relation to an entity": {p.privateEntity(), func(id string) fields {
			return fields{"relations": []fields{{"type": "alternative_to", "target": id}}}
		}},
	} {
		t.Run("publish "+rule, func(t *testing.T) {
			p.sameRefusal(t, p.user, "publish", c.id, func(id string) fields { return draft(c.args(id)) })
		})
	}
}

func TestStrangersSeeNothingPrivateInPublicObjects(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	theirs := p.publish(p.user, fields{
		"title": "Mine", "claims": []fields{{"text": secret + " statements stay in their space."}},
		"new_subjects": []fields{{"type": "software", "name": secret}}, "sources": []fields{{"url": "https://private.example/page"}},
	})
	require.False(t, theirs.Claims[0].MatchedExisting, "a private claim was matched")
	require.NotEqual(t, p.item.Claims[0].ID, theirs.Claims[0].ID)
	require.False(t, theirs.Subjects[0].Matched, "a private entity was matched")
	require.NotEqual(t, p.privateEntity(), theirs.Subjects[0].ID)
	for name, id := range map[string]string{
		"content": p.public.ID, "entity": p.public.Subjects[0].ID, "claim": p.public.Claims[0].ID, "thread": p.public.Thread,
		"actor": p.Agent.String(), "human": p.Human.String(), "own content": theirs.ID, "own source": theirs.Sources[0].ID,
		"own thread": theirs.Thread,
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := p.raw(p.user, "get", fields{"id": id, "include": everything()})
			require.NoError(t, err)
			for object, private := range p.objects() {
				if object != "source" { // its URL is the same, so it is the same source
					require.NotContains(t, raw, private, object)
				}
			}
			if name != "own content" {
				require.NotContains(t, raw, secret)
			}
		})
	}
	source := p.get(p.user, theirs.Sources[0].ID)
	require.Len(t, source.Items, 1)
	require.Equal(t, theirs.ID, source.Items[0].ID)
}

func TestMembershipOpensAndClosesASpace(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	space, err := store.ParseID(p.space)
	require.NoError(t, err)
	require.NoError(t, p.Store.AddMember(t.Context(), space, p.userID, "reader"))
	require.Equal(t, secret, p.get(p.user, p.item.ID).Title)
	record := p.use(p.user, p.item.ID)
	_, err = p.raw(p.user, "publish", draft(fields{"space": p.space}))
	fails(t, ops.ForbiddenScope, err)

	require.NoError(t, p.Store.AddMember(t.Context(), space, p.userID, "writer"))
	mine := p.publish(p.user, fields{"space": p.space, "claims": []fields{{"text": secret + " statements stay in their space."}}})
	require.Equal(t, evidence.ClaimOutcome{ID: p.item.Claims[0].ID, MatchedExisting: true}, mine.Claims[0])
	require.NoError(t, p.Store.AddMember(t.Context(), space, p.userID, "reader"))
	_, err = p.raw(p.user, "publish", draft(fields{"revision_of": mine.ID}))
	fails(t, ops.ForbiddenScope, err)

	require.NoError(t, p.Store.RemoveMember(t.Context(), space, p.userID))
	for _, id := range []string{p.item.ID, mine.ID, record.ID, p.space} {
		_, err = p.raw(p.user, "get", fields{"id": id})
		fails(t, ops.NotFound, err)
	}
	_, err = p.raw(p.user, "publish", draft(fields{"revision_of": mine.ID}))
	fails(t, ops.NotFound, err)
}

func TestPrivateObjectsStayOutOfOtherSpaces(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	for rule, c := range map[string]struct {
		args fields
		path string
	}{
		"a subject":             {fields{"subjects": []string{p.privateEntity()}}, "/subjects/0"},
		"a claim":               {fields{"claims": []fields{{"id": p.item.Claims[0].ID}}}, "/claims/0/id"},
		"a related item":        {fields{"relations": []fields{{"type": "corrects", "target": p.item.ID}}}, "/relations/0/target"},
		"the third of subjects": {fields{"subjects": []string{p.public.Subjects[0].ID, p.public.Subjects[0].ID, p.privateEntity()}}, "/subjects/2"},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := p.raw(p.author, "publish", draft(c.args))
			require.Equal(t, []string{c.path + " same_space"}, broken(fails(t, ops.InvalidTarget, err)))
			c.args["space"] = p.space
			p.publish(p.author, c.args)
		})
	}
}

func TestAHiddenItemIsItsAuthorsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	_, err := b.Store.Pool().Exec(t.Context(), `update contents set visibility = 'quarantined'`)
	require.NoError(t, err)
	require.Equal(t, "quarantined", b.get(b.author, item.ID).Visibility)
	for tool, args := range map[string]fields{
		"get": {"id": item.ID}, "report_usage": {"target": item.ID, "result": "success"}, "publish": draft(fields{"revision_of": item.ID}),
	} {
		_, err := b.raw(b.user, tool, args)
		fails(t, ops.NotFound, err)
	}
}

func TestAPrivateStatementIsNoEvidenceForAPublicClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const text = "A claim that others repeat behind closed doors."
	public := b.publish(b.author, fields{"title": "Public", "claims": []fields{{"text": text}}})
	claim := public.Claims[0].ID
	_, agent, key := b.Party(store.Verification{Vouched: true})
	member := b.Client(key)
	space, err := b.Store.CreateSpace(t.Context(), "closed doors", "private", agent)
	require.NoError(t, err)

	private := b.publish(member, fields{"title": "Private", "space": space.String(), "claims": []fields{{"text": text}}})
	require.Equal(t, claim, private.Claims[0].ID)
	adopted := b.publish(member, fields{"title": "Private too", "space": space.String(), "claims": []fields{{"id": claim}}})
	require.Equal(t, claim, adopted.Claims[0].ID)
	b.Settled()
	var seen evidence.GetOutput
	b.Must(b.author, "get", fields{"id": claim, "include": everything()}, &seen)
	require.Nil(t, seen.Trust.AsOf)
	require.Zero(t, seen.Trust.Pending)
	require.Zero(t, seen.EvidenceSummary.Parties)

	b.publish(member, fields{"title": "Public too", "claims": []fields{{"text": text}}})
	b.Settled()
	b.Must(b.author, "get", fields{"id": claim, "include": everything()}, &seen)
	require.NotNil(t, seen.Trust.AsOf, "a public statement is evidence")
	require.Equal(t, 1, seen.EvidenceSummary.Parties)
}

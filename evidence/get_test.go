package evidence_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

// nulls lists the paths of null in a JSON value.
func nulls(path string, value any) []string {
	var out []string
	switch v := value.(type) {
	case nil:
		return []string{path}
	case map[string]any:
		for name, member := range v {
			if name != "context" && name != "metrics" && name != "structured_data" { // these are the caller's own
				out = append(out, nulls(path+"/"+name, member)...)
			}
		}
	case []any:
		for i, item := range v {
			out = append(out, nulls(fmt.Sprint(path, "/", i), item)...)
		}
	}
	return out
}

// includeMembers are the members that each part of include adds, for objects that have it.
var includeMembers = map[string]string{
	"body": "body_markdown", "claims": "claims", "relations": "relations", "evidence_summary": "evidence_summary",
	"evidence": "evidence", "revisions": "revisions", "explanation": "explanation",
}

func TestEveryKindOfObjectCanBeReadWithEveryPart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	space, err := b.Store.CreateSpace(t.Context(), "All kinds", "public", b.Human)
	require.NoError(t, err)
	item := b.publish(b.author, fields{
		"body_markdown": "text", "claims": []fields{{"text": "All kinds can be read by ID."}}, "tags": []string{"a"},
		"new_subjects": []fields{{"type": "software", "name": "All", "url": "https://all.example/"}},
		"sources":      []fields{{"url": "https://all.example/s", "title": "S"}},
		"assets":       []fields{{"filename": "a", "media_type": "text/plain", "base64": base64.StdEncoding.EncodeToString([]byte("x"))}},
	})
	org, err := b.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindOrg, Name: "All org"})
	require.NoError(t, err)
	used := b.use(b.user, item.ID)
	b.use(b.user, item.Claims[0].ID)
	b.use(b.user, item.Subjects[0].ID)
	b.Settled()
	trusted := []string{"evidence_summary", "evidence", "explanation"}
	content := []string{"body", "claims", "relations", "evidence_summary", "evidence", "revisions", "explanation"}
	for kind, c := range map[string]struct {
		id    string
		parts []string
	}{
		"content": {item.ID, content}, "revision": {item.RevisionID, content}, "claim": {item.Claims[0].ID, trusted},
		"entity": {item.Subjects[0].ID, append([]string{"relations"}, trusted...)}, "source": {item.Sources[0].ID, nil},
		"thread": {item.Thread, nil}, "asset": {item.Assets[0].ID, nil}, "space": {space.String(), nil}, "usage": {used.ID, nil},
		"actor": {b.Agent.String(), nil}, "actor (usr)": {b.Human.String(), nil}, "actor (org)": {org.ID.String(), nil},
	} {
		t.Run(kind, func(t *testing.T) {
			for _, part := range append(content, "") {
				args := fields{"id": c.id}
				if part != "" {
					args["include"] = []string{part}
				}
				raw, err := b.raw(b.user, "get", args)
				require.NoError(t, err, part)
				var out fields
				require.NoError(t, json.Unmarshal([]byte(raw), &out))
				require.Empty(t, nulls("", out), raw)
				require.Equal(t, c.id, out["id"])
				require.Equal(t, strings.Fields(kind)[0], out["kind"])
				require.Equal(t, true, out["untrusted_content"])
				for name, member := range includeMembers {
					has := strings.Contains(strings.Join(c.parts, " ")+" ", name+" ")
					wanted := part == name || part == "" && (name == "body" || name == "claims" || name == "relations" || name == "evidence_summary")
					require.Equal(t, has && wanted, out[member] != nil, "%s with include %q: %s", name, part, raw)
				}
				require.Equal(t, c.parts != nil, out["trust"] != nil)
			}
		})
	}
}

func TestATargetWithoutASnapshotShowsThePrior(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"claims": []fields{{"text": "Nobody has said anything about this."}}, "new_subjects": []fields{{"type": "api", "name": "Unused"}}})
	for _, id := range []string{item.ID, item.RevisionID, item.Claims[0].ID, item.Subjects[0].ID} {
		out := b.get(b.user, id, "evidence", "explanation", "evidence_summary")
		require.Equal(t, "unverified", out.Status)
		require.InDelta(t, .5, out.Trust.Value, 0)
		require.Less(t, out.Trust.LowerBound, .01)
		require.Greater(t, out.Trust.UpperBound, .99)
		require.Nil(t, out.Trust.AsOf)
		require.Zero(t, out.Trust.Pending)
		require.Equal(t, "trust-v1", out.Trust.ModelVersion)
		require.Empty(t, out.Evidence)
		require.Equal(t, &evidence.RecordCounts{}, out.EvidenceSummary)
	}
}

func TestURIsNameWhatTheirIDNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"title": "One"})
	b.publish(b.author, fields{"title": "Two", "revision_of": item.ID})
	for uri, title := range map[string]string{
		"interai://" + item.ID: "Two", "interai://content/" + item.ID: "Two", "interai://" + item.RevisionID: "One",
		"interai://content/" + item.ID + "/revision/1": "One", "interai://content/" + item.ID + "/revision/2": "Two",
	} {
		t.Run(uri, func(t *testing.T) { require.Equal(t, title, b.get(b.user, uri).Title) })
	}
	for _, uri := range []string{
		"interai://", "interai://content", "interai://content/", "interai://content/" + item.ID + "/revision",
		"interai://content/" + item.ID + "/revision/0", "interai://content/" + item.ID + "/revision/x", "interai://content/" + item.ID + "/revision/3",
		"interai://content/" + item.ID + "/revision/01", "interai://content/" + item.ID + "/revision/+1",
		"interai://content/" + item.ID + "/revision/2147483648", "interai://content/" + item.ID + "/revision/99999999999999999999",
		"interai://content/" + item.RevisionID, "interai://content/" + item.Thread,
		"interai://claims/" + item.ID, "INTERAI://" + item.ID, "https://" + item.ID,
	} {
		t.Run("not "+uri, func(t *testing.T) {
			_, err := b.raw(b.user, "get", fields{"id": uri})
			fails(t, ops.NotFound, err)
		})
	}
	require.Equal(t, "One", decodeGet(t, b, fields{"id": item.ID, "revision": 1}).Title)
	_, err := b.raw(b.user, "get", fields{"id": item.ID, "revision": 3})
	fails(t, ops.NotFound, err)
	_, err = b.raw(b.user, "get", fields{"id": item.RevisionID, "revision": 1})
	require.Equal(t, []string{"/revision with_content"}, broken(fails(t, ops.ValidationFailed, err)))
	_, err = b.raw(b.user, "get", fields{"id": "interai://content/" + item.ID + "/revision/1", "revision": 2})
	require.Equal(t, []string{"/revision same_revision"}, broken(fails(t, ops.ValidationFailed, err)))
}

func decodeGet(t *testing.T, b *bundle, args fields) evidence.GetOutput {
	t.Helper()
	var out evidence.GetOutput
	b.Must(b.user, "get", args, &out)
	return out
}

func TestProvenanceNamesTheParty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"claims": []fields{{"text": "Provenance names agent and party."}}, "new_subjects": []fields{{"type": "api", "name": "Provenance"}}})
	for _, id := range []string{item.ID, item.RevisionID, item.Claims[0].ID, item.Subjects[0].ID} {
		out := b.get(b.user, id)
		require.Equal(t, b.Agent.String(), out.Provenance.Author)
		require.Equal(t, b.Human.String(), out.Provenance.Root)
	}
	require.Equal(t, b.Human.String(), b.get(b.user, b.use(b.author, item.ID).ID).Record.Root)
}

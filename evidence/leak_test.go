package evidence_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/store"
)

// TestAPrivateSpaceLeaksNothing walks everything that answers, as a member of another party and as nobody, and looks for
// words and IDs that only members of the space may see.
func TestAPrivateSpaceLeaksNothing(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	var review, rating, experience struct{ ID string }
	judge := p.Client(p.KeyOf(p.Agent, "read", "publish", "usage", "review", "rate"))
	member, memberKey := p.stranger()
	space, err := store.ParseID(p.space)
	require.NoError(t, err)
	require.NoError(t, p.Store.AddMember(t.Context(), space, member, "writer"))
	p.Must(p.Client(memberKey), "review", fields{"target": p.item.ID, "verdict": "false", "rationale_markdown": secret}, &review)
	p.Must(p.Client(memberKey), "rate", fields{"target": p.item.ID, "dimension": "clarity", "score": 3, "rationale_markdown": secret}, &rating)
	p.Must(p.Client(memberKey), "submit_experience", fields{
		"title": secret, "space": p.space, "result": "failure", "subjects": []string{p.public.Subjects[0].ID},
		"context": fields{"place": secret}, "used": []fields{{"id": p.item.ID, "result": "failure", "note": secret}},
	}, &experience)
	p.Must(judge, "publish", fields{
		"content_type": "note", "title": secret + " two", "space": p.space, "tags": []string{strings.ToLower(secret)},
		"relations": []fields{
			{"type": "alternative_to", "target": p.public.ID, "reason": "cheaper"}, {"type": "known_issue_of", "target": p.public.Subjects[0].ID},
		},
	}, nil)
	p.Settled()
	_, err = p.Store.RefreshSearchStatistics(t.Context(), true)
	require.NoError(t, err)
	w := &walk{privateSpace: p, t: t, more: []string{review.ID, rating.ID, experience.ID, memberKey[:12]}}
	p.get(p.author, review.ID) // members see it
	require.NotEmpty(t, ids(p.search(p.author, fields{"query": secret})), "members find it")

	t.Run("tools", w.tools)
	t.Run("resources, templates and completions", w.resources)
	t.Run("pages", w.pages)
}

type walk struct {
	*privateSpace

	t    *testing.T
	more []string
}

// clean requires that an answer has nothing of the space but what the question itself has named.
func (w *walk) clean(t *testing.T, what, answer, question string) {
	t.Helper()
	private := append([]string{}, w.more...)
	for _, id := range w.objects() {
		private = append(private, id)
	}
	for _, id := range private {
		if !strings.Contains(question, id) {
			require.NotContains(t, answer, id, what)
		}
	}
	if !strings.Contains(strings.ToLower(question), strings.ToLower(secret)) {
		require.NotContains(t, strings.ToLower(answer), strings.ToLower(secret), what)
	}
}

func (w *walk) tools(t *testing.T) {
	subject, public := w.public.Subjects[0].ID, w.public.ID
	misspelt := secret[:4] + "q" + secret[5:]
	for i, c := range []struct {
		tool string
		args fields
	}{
		{"search", fields{"query": secret}},
		{"search", fields{"query": misspelt}},
		{"search", fields{"sort": "recent"}},
		{"search", fields{"sort": "trust"}},
		{"search", fields{"query": "statements stay space public"}},
		{"search", fields{"tags": []string{strings.ToLower(secret)}, "sort": "recent"}},
		{"search", fields{"space": w.space, "sort": "recent"}},
		{"search", fields{"context": fields{"place": secret}, "sort": "rank"}},
		{"search", fields{"alternatives_to": fields{"id": public}}},
		{"search", fields{"alternatives_to": fields{"id": subject, "reason": "cheaper"}}},
		{"search", fields{"query": "public", "alternatives_to": fields{"id": public, "reason": "cheaper"}}},
		{"compare", fields{"ids": []string{public, subject}}},
		{"compare", fields{"ids": []string{public, subject}, "dimensions": []string{"clarity"}, "context": fields{"place": secret}}},
		{"get", fields{"id": public, "include": everything()}},
		{"get", fields{"id": subject, "include": everything()}},
		{"get", fields{"id": w.public.Claims[0].ID, "include": everything()}},
		{"get", fields{"id": w.public.Thread}},
		{"get", fields{"id": w.Agent.String()}},
		{"publish", draft(fields{"claims": []fields{{"text": misspelt + " statements stay in their space."}}})},
		{"whoami", fields{}},
	} {
		raw, err := w.raw(w.user, c.tool, c.args)
		require.NoError(t, err, "%d %s", i, c.tool)
		question, err := json.Marshal(c.args)
		require.NoError(t, err)
		w.clean(t, fmt.Sprint(i, " ", c.tool), raw, string(question))
	}
	for _, c := range []struct {
		tool string
		args func(id string) fields
	}{
		{"compare", func(id string) fields { return fields{"ids": []string{public, id}} }},
		{"search", func(id string) fields { return fields{"alternatives_to": fields{"id": id}} }},
		{"review", func(id string) fields { return fields{"target": id, "verdict": "confirmed"} }},
		{"rate", func(id string) fields { return fields{"target": id, "dimension": "clarity", "score": 1} }},
		{"submit_experience", func(id string) fields {
			return fields{"title": "x", "result": "success", "used": []fields{{"id": id, "result": "success"}}}
		}},
	} {
		w.sameRefusal(t, w.user, c.tool, w.item.ID, c.args)
	}
	for _, record := range w.more[:2] {
		tool := map[string]string{"rvw": "review", "rat": "rate"}[record[:3]]
		w.sameRefusal(t, w.user, tool, record, func(id string) fields { return fields{"retract": id} })
		w.sameRefusal(t, w.user, "get", record, func(id string) fields { return fields{"id": id} })
	}
	// What is in the space does not count where everybody looks.
	for _, id := range []string{public, subject, w.public.Claims[0].ID} {
		require.Zero(t, w.get(w.user, id).Trust.Contradictions)
	}
}

func (w *walk) resources(t *testing.T) {
	key := w.stranger2()
	ask := func(method string, params any) string {
		body, err := json.Marshal(fields{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		require.NoError(t, err)
		_, answer := w.Raw(key, string(body))
		w.clean(t, method, answer, string(body))
		return answer
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		ask(method, fields{})
	}
	for name, id := range w.objects() {
		other := like(t, id)
		unknown := ask("resources/read", fields{"uri": "interai://" + other})
		require.Contains(t, unknown, "-32602", name)
		answer := ask("resources/read", fields{"uri": "interai://" + id})
		require.Equal(t, strings.ReplaceAll(unknown, other, id), answer, name)
	}
	for _, id := range []string{w.public.ID, w.public.Subjects[0].ID} {
		require.NotContains(t, ask("resources/read", fields{"uri": "interai://" + id}), `"error"`)
	}
	for _, value := range []string{"", "cnt_", "ent_", "clm_", "spc_", "thr_", secret[:3], strings.ToLower(secret[:4]), w.item.ID[:12]} {
		for _, argument := range []string{"id", "cnt_id"} {
			ask("completion/complete", fields{
				"ref": fields{"type": "ref/resource", "uri": "interai://{id}"}, "argument": fields{"name": argument, "value": value},
			})
		}
	}
}

// stranger2 is a key of a party that has nothing to do with the space.
func (w *walk) stranger2() string {
	_, key := w.stranger()
	return key
}

func (w *walk) pages(t *testing.T) {
	page := func(path string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(w.URL, "/mcp")+path, http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		w.clean(t, path, string(body), path)
		return response.StatusCode
	}
	for name, id := range w.objects() {
		for _, suffix := range []string{"", ".md"} {
			status := page("/" + id + suffix)
			require.Equal(t, http.StatusNotFound, status, name)
		}
	}
	for _, id := range []string{w.public.ID, w.public.RevisionID, w.public.Subjects[0].ID, w.public.Claims[0].ID, w.public.Thread, w.Agent.String()} {
		status := page("/" + id)
		require.Equal(t, http.StatusOK, status, id)
		status = page("/" + id + ".md")
		require.Equal(t, http.StatusOK, status, id)
	}
	for _, path := range []string{"/llms.txt", "/ai.md", "/SKILL.md"} {
		status := page(path)
		require.Equal(t, http.StatusOK, status)
	}
}

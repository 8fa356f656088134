package evidence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"interai/evidence"
)

// read takes a document apart: its front matter, the part that the server wrote, and the body.
func readDocument(t require.TestingT, text string) (front map[string]any, lists, body string) {
	head, rest, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	require.True(t, found && strings.HasPrefix(text, "---\n"), text)
	require.NoError(t, yaml.Unmarshal([]byte(head), &front), head)
	lists, body, _ = strings.Cut(rest, "\n## Body\n\n")
	return front, lists, body
}

// stored is a text as it can be stored: one line, no control characters.
func stored(t *rapid.T, name string) string {
	text := rapid.StringOfN(rapid.Rune(), 1, 60, -1).Draw(t, name)
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, text)), " ")
	return "a" + text
}

func TestDocumentsKeepTheirFormWhateverIsInThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		title, tag, name, claim, body := stored(t, "title"), stored(t, "tag"), stored(t, "name"), stored(t, "claim"), rapid.String().Draw(t, "body")
		out := &evidence.DocumentOutput{GetOutput: evidence.GetOutput{
			ID: "cnt_x", Kind: "content", Type: "note", Title: title, Tags: []string{tag}, BodyMarkdown: &body, UntrustedContent: true,
			Provenance: &evidence.Provenance{Author: "ai_x", Root: "usr_x", Name: name, CreatedAt: time.Unix(0, 0)},
			Claims:     []evidence.ClaimRef{{ID: "clm_x", Text: claim, Status: "supported", Value: .5}},
			Items:      []evidence.Ref{{ID: "cnt_y", Type: "note", Title: title}},
			Evidence:   []evidence.RecordRef{{ID: "use_x", Kind: "usage", Status: "active", Note: claim, Rationale: body}},
		}}
		front, lists, rest := readDocument(t, out.Markdown(evidence.MarkdownForm{Site: "https://x.example"}))
		require.Equal(t, title, front["title"])
		require.Equal(t, name, front["author_name"])
		require.Equal(t, []any{tag}, front["tags"])
		require.Equal(t, "https://x.example/cnt_x", front["canonical_url"])
		if body != "" {
			require.Equal(t, strings.TrimRight(body, "\n")+"\n", rest)
		}
		var headings []string
		for line := range strings.Lines(lists) {
			if strings.HasPrefix(line, "#") {
				headings = append(headings, strings.Fields(line)[0])
			}
		}
		require.Equal(t, []string{"#", "##", "##", "##"}, headings, "nobody's text makes headings: %s", lists)
	})
}

func TestWhatNeverChangesHasNothingThatMay(t *testing.T) {
	t.Parallel()
	inEffect := true
	text, data := "body", []byte(`{"a":1}`)
	out := &evidence.DocumentOutput{GetOutput: evidence.GetOutput{
		ID: "cnt_x", Kind: "content", Title: "Title", Status: "supported", PendingStatus: "disputed", CurrentRevision: 7, BodyMarkdown: &text, StructuredData: data,
		Revision:   &evidence.RevisionRef{ID: "rev_x", No: 2},
		Provenance: &evidence.Provenance{Author: "ai_x", Root: "usr_x", Name: "Somebody", CreatedAt: time.Unix(0, 0)},
		Trust:      &evidence.TrustRef{Value: .77, AsOf: &evidence.AsOf{}}, EvidenceSummary: &evidence.RecordCounts{Ratings: 99},
		Claims:        []evidence.ClaimRef{{ID: "clm_x", Text: "Claim", Status: "incorrect", Value: .11}},
		Relations:     []evidence.RelationRef{{Type: "supersedes", Target: "cnt_y", Title: "Other title", InEffect: &inEffect}, {Type: "corrects", Source: "cnt_z"}},
		Revisions:     []evidence.RevisionEntry{{Title: "Old title"}},
		StatusHistory: []evidence.StatusChange{{From: "unverified", To: "supported"}}, Evidence: []evidence.RecordRef{{ID: "use_x"}}, Items: []evidence.Ref{{ID: "cnt_w"}},
	}}
	kept := out.Markdown(evidence.MarkdownForm{Immutable: true})
	for _, part := range []string{"Title", "rev_x", "ai_x", "clm_x", "Claim", "supersedes", "cnt_y", `"a": 1`, "body"} {
		require.Contains(t, kept, part)
	}
	for _, part := range []string{"supported", "disputed", "0.77", "99", "incorrect", "Other title", "in effect", "cnt_z", "Old title", "use_x", "cnt_w", "Somebody", "current_revision"} {
		require.NotContains(t, kept, part)
		require.Contains(t, out.Markdown(evidence.MarkdownForm{}), part, "the other form has it")
	}
}

func TestWhatSomebodyUsesStandsBeforeWhatIsSaidOfIt(t *testing.T) {
	t.Parallel()
	const url = "https://docs.example/a"
	body := "The body."
	out := &evidence.DocumentOutput{GetOutput: evidence.GetOutput{
		ID: "cnt_x", Kind: "content", Title: "Title", Summary: "The summary.", StructuredData: []byte(`{"a":1}`), BodyMarkdown: &body, UntrustedContent: true,
		Sources: []evidence.SourceRef{{ID: "src_x", URL: url, Title: url}}, EvidenceSummary: &evidence.RecordCounts{Ratings: 1},
	}}
	text, at := out.Markdown(evidence.MarkdownForm{}), 0
	for _, part := range []string{"The summary.", "## Structured data", "## Sources", "## Evidence", "## Body\n\nThe body.\n"} {
		found := strings.Index(text[at:], part)
		require.GreaterOrEqual(t, found, 0, "%s, in this order:\n%s", part, text)
		at += found
	}
	require.Equal(t, 1, strings.Count(text, url), "a title that is the address is not said again")
}

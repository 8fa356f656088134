package public

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/evidence"
)

func TestOnlyWhatThereIsIsCounted(t *testing.T) {
	for want, c := range map[string]struct {
		counts   evidence.RecordCounts
		balanced bool
	}{
		"": {evidence.RecordCounts{}, false},
		"Uses: 2 success, 1 failure. Reviews: 1 cannot verify.":                        {evidence.RecordCounts{Usage: evidence.UsageCounts{Success: 2, Failure: 1}, Reviews: evidence.ReviewCounts{CannotVerify: 1}, Parties: 3}, true},
		"Uses: 1 unknown. Ratings: 4. Retracted: 1. Independent parties: 1.":           {evidence.RecordCounts{Usage: evidence.UsageCounts{Unknown: 1}, Ratings: 4, Retracted: 1, Parties: 1}, false},
		"Reviews: 1 confirmed, 1 mostly correct, 1 questionable, 1 false, 1 outdated.": {evidence.RecordCounts{Reviews: evidence.ReviewCounts{Confirmed: 1, MostlyCorrect: 1, Questionable: 1, False: 1, Outdated: 1}}, false},
	} {
		require.Equal(t, want, counts(&c.counts, c.balanced))
	}
}

func TestPartiesOnNoSideAreMixed(t *testing.T) {
	for want, c := range map[string]struct{ favour, against, parties int }{
		"Independent parties: 2 for, 1 against, 1 mixed.": {2, 1, 4},
		"Independent parties: 2 for, 1 against.":          {2, 1, 3},
		"Independent parties: 1 for, 0 against.":          {1, 0, 0}, // counted before the latest computation
	} {
		f := newFigures(&evidence.DocumentOutput{GetOutput: evidence.GetOutput{
			Trust: &evidence.TrustRef{Value: .5, Confirmations: c.favour, Contradictions: c.against}, EvidenceSummary: &evidence.RecordCounts{Parties: c.parties},
		}}, nil)
		require.Equal(t, want, f.Balance.Says)
	}
}

// pageOf is the page of an object.
func pageOf(t *testing.T, output evidence.GetOutput) string {
	t.Helper()
	w := get(serveWith(t, func() (*evidence.DocumentOutput, error) { return &evidence.DocumentOutput{GetOutput: output}, nil }), http.MethodGet, "/"+anyID)
	require.Equal(t, http.StatusOK, w.Code)
	return w.Body.String()
}

func TestATimelineNamesItsStatusesWhereThereIsRoom(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	page := pageOf(t, evidence.GetOutput{
		ID: anyID, Kind: "entity", Type: "software", Trust: &evidence.TrustRef{AsOf: &evidence.AsOf{Time: begin.Add(100 * time.Hour)}},
		Provenance: &evidence.Provenance{CreatedAt: begin},
		StatusHistory: []evidence.StatusChange{ // the newest first
			{From: "supported", To: "disputed", At: begin.Add(60 * time.Hour)}, {From: "unverified", To: "supported", At: begin.Add(time.Hour)},
		},
	})
	for label, shown := range map[string]bool{">0<": true, ">1 supported<": true, ">2 disputed<": true, ">0 unverified<": false} {
		require.Equal(t, shown, strings.Contains(page, `text-anchor="middle"`+label), label)
	}
}

func TestRatingsAreNotAmongTheNewestEvidence(t *testing.T) {
	score, use, rating := 90.0, "use_01m8p3wrg8f658qzehythpppe1", "rat_01m8p3wrg8f658qzehythpppe1"
	rated := evidence.RecordRef{ID: rating, Kind: "rating", Dimension: "clarity", Score: &score, Status: "active"}
	item := evidence.GetOutput{ID: anyID, Kind: "entity", Evidence: []evidence.RecordRef{{ID: use, Kind: "usage", Result: "success", Status: "active"}, rated}}
	page := pageOf(t, item)
	require.Contains(t, page, use)
	require.NotContains(t, page, rating)
	item.Evidence = []evidence.RecordRef{rated}
	require.NotContains(t, pageOf(t, item), "Newest evidence")
	require.Contains(t, pageOf(t, evidence.GetOutput{ID: anyID, Kind: "rating", Record: &rated}), "score 90 of 100", "its own page has it")
}

func TestASourceIsNamedOnce(t *testing.T) {
	const url = "https://docs.example/a"
	for title, times := range map[string]int{"": 2, url: 2, "The manual": 2} { // in the link and as its text
		page := pageOf(t, evidence.GetOutput{ID: anyID, Kind: "content", Sources: []evidence.SourceRef{{ID: "src_01m8p3wrg8f658qzehythpppe1", URL: url, Title: title}}})
		require.Equal(t, times, strings.Count(page, url), title)
		require.Contains(t, page, `<a href="/src_01m8p3wrg8f658qzehythpppe1">`)
	}
	page := pageOf(t, evidence.GetOutput{ID: anyID, Kind: "source", Title: url, URL: url})
	require.Contains(t, page, ">open it</a>")
	require.Contains(t, pageOf(t, evidence.GetOutput{ID: anyID, Kind: "source", Title: "The manual", URL: url}), ">"+url+"</a>")
}

package evidence_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
)

func (b *bundle) claim(text string, more fields) evidence.ClaimOutcome {
	b.t.Helper()
	input := fields{"claims": []fields{{"text": text}}, "language": "en"}
	maps.Copy(input, more)
	return b.publish(b.author, input).Claims[0]
}

// TestEquivalentClaimsAreOne links wordings that are true under the same conditions, and no others.
func TestEquivalentClaimsAreOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.claim("Deduplicating by delivery id prevents double processing in production.", nil)
	require.False(t, first.MatchedExisting)
	for name, c := range map[string]struct {
		text    string
		more    fields
		matched bool
	}{
		"case and blanks":           {"deduplicating by  Delivery ID prevents double processing in production", nil, true},
		"an article":                {"Deduplicating by the delivery id prevents double processing in production.", nil, true},
		"a phrase in front":         {"In production, deduplicating by delivery id prevents double processing.", nil, true},
		"the negation":              {"Deduplicating by delivery id does not prevent double processing in production.", nil, false},
		"another number":            {"Deduplicating by delivery id prevents 2 double processing in production.", nil, false},
		"another language":          {"Deduplicating by delivery id prevents double processing in production.", fields{"language": "de"}, false},
		"another order of the same": {"Double processing prevents deduplicating by delivery id in production.", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.claim(c.text, c.more)
			require.Equal(t, c.matched, got.MatchedExisting)
			require.Equal(t, c.matched, got.ID == first.ID)
		})
	}
}

func TestARevisionStatesItsClaimsInTheLanguageOfItsItem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"language": "en", "claims": []fields{{"text": "The cache of tokens expires after an hour."}}})
	revised := b.publish(b.author, fields{"revision_of": item.ID, "claims": []fields{{"text": "A cache of tokens expires after an hour"}}})
	require.Equal(t, item.Claims[0].ID, revised.Claims[0].ID)
	require.True(t, revised.Claims[0].MatchedExisting)
}

func TestTwoWordingsOfOneNewClaimAreOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	out := b.publish(b.author, fields{"language": "en", "claims": []fields{
		{"text": "Retries need a budget in every client."}, {"text": "In every client, retries need a budget."},
	}})
	require.Len(t, out.Claims, 1)
}

// TestSimilarClaimsAreSuggested shows what is alike with how it differs, and adopts it by its ID.
func TestSimilarClaimsAreSuggested(t *testing.T) {
	t.Parallel()
	b := setup(t)
	known := b.claim("Connection pools of PgBouncer break prepared statements in transaction mode.", nil)
	for name, c := range map[string]struct{ text, hint string }{
		"its negation":     {"Connection pools of PgBouncer do not break prepared statements in transaction mode.", "possibly_opposite"},
		"nearly the same":  {"Connection pools of PgBouncer break prepared statements in statement mode.", "near"},
		"another subject":  {"Connection pools of PgBouncer break prepared statements in transaction mode.", "different_subjects"},
		"with its number":  {"Connection pools of PgBouncer break 3 prepared statements in transaction mode.", "different_numbers"},
		"nothing like it":  {"Bread needs salt and time before baking.", ""},
		"without a choice": {"Connection pools of PgBouncer break prepared statements in session mode.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			more := fields{}
			if c.hint == "different_subjects" {
				b.publish(b.author, fields{
					"language": "en", "claims": []fields{{"text": "It breaks prepared statements of every pool."}},
					"new_subjects": []fields{{"type": "software", "name": "A"}},
				})
				c.text, more = "It breaks prepared statements of every pool.", fields{"new_subjects": []fields{{"type": "software", "name": "B"}}}
			}
			if name == "without a choice" {
				more["suggest"] = false
			}
			got := b.claim(c.text, more)
			require.False(t, got.MatchedExisting)
			if c.hint == "" {
				require.Empty(t, got.Similar)
				return
			}
			require.NotEmpty(t, got.Similar)
			require.Equal(t, c.hint, got.Similar[0].Hint)
		})
	}
	adopted := b.publish(b.user, fields{"claims": []fields{{"id": known.ID}}})
	require.Equal(t, known.ID, adopted.Claims[0].ID)
	require.True(t, adopted.Claims[0].MatchedExisting)
}

// TestPublicationsAtOnceMakeOneClaim sends wordings of one claim at the same moment.
func TestPublicationsAtOnceMakeOneClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wordings := []string{
		"At peak load the queue of jobs drops messages.", "The queue of jobs drops messages at peak load.",
		"the queue of jobs drops messages at peak load", "At peak load, a queue of jobs drops messages.",
	}
	var mu sync.Mutex
	ids, made := map[string]bool{}, 0
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			out := b.claim(wordings[i%len(wordings)], nil)
			mu.Lock()
			defer mu.Unlock()
			ids[out.ID] = true
			if !out.MatchedExisting {
				made++
			}
		})
	}
	all.Wait()
	require.Len(t, ids, 1)
	require.Equal(t, 1, made)
}

// TestManyPublicationsOfTheSameClaimsAllSucceed lets clients state the same claims at once, in other orders.
func TestManyPublicationsOfTheSameClaimsAllSucceed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			var claims []fields
			for k := range 20 {
				claims = append(claims, fields{"text": fmt.Sprintf("In case %d the cache of sessions is cold.", (k*7+i)%20)})
			}
			b.publish(b.author, fields{"language": "en", "claims": claims, "suggest": false})
		})
	}
	all.Wait()
	require.Equal(t, 20, b.count(`select count(*) from claims`))
}

package evidence_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
)

func TestPublicationsAtOnceMakeOneEntityOneSourceOneClaim(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	const writers = 16
	answers, errs := together(writers, func(i int) (string, error) {
		return b.raw(nodes[i%2], "publish", draft(fields{
			"title":        fmt.Sprint("Item ", i),
			"new_subjects": []fields{{"type": "software", "name": "Concurrent Thing"}, {"type": "api", "name": "concurrent thing"}},
			"sources":      []fields{{"url": "https://concurrent.example/b"}, {"url": "https://concurrent.example/a"}},
			"claims":       []fields{{"text": "It is fast."}, {"text": "Concurrent things are made only once."}},
		}))
	})
	made := map[string]int{}
	for i := range answers {
		require.NoError(t, errs[i])
		out := decode[evidence.PublishOutput](t, answers[i])
		first := decode[evidence.PublishOutput](t, answers[0])
		require.Equal(t, subjectIDs(first.Subjects), subjectIDs(out.Subjects))
		require.Equal(t, first.Sources, out.Sources)
		for k, claim := range out.Claims {
			require.Equal(t, first.Claims[k].ID, claim.ID)
			if !claim.MatchedExisting {
				made[claim.ID]++
			}
		}
		for _, s := range out.Subjects {
			if !s.Matched {
				made[s.ID]++
			}
		}
	}
	require.Len(t, made, 4)
	for id, times := range made {
		require.Equal(t, 1, times, id)
	}
	for table, n := range map[string]int{"entities": 2, "sources": 2, "claims": 2} {
		require.Equal(t, n, b.count(`select count(*) from `+table), table)
	}
}

func TestClaimsOfOtherSubjectsAreOtherClaims(t *testing.T) {
	t.Parallel()
	b := setup(t)
	about := func(text, language string, names ...string) evidence.ClaimOutcome {
		args := fields{"claims": []fields{{"text": text}}, "language": language}
		var subjects []fields
		for _, name := range names {
			subjects = append(subjects, fields{"type": "software", "name": name})
		}
		args["new_subjects"] = subjects
		return b.publish(b.user, args).Claims[0]
	}
	const bare, whole = "It scales well.", "Sharding by tenant scales very well."
	a := about(bare, "en", "A")
	for rule, c := range map[string]struct {
		text, language string
		subjects       []string
		same           bool
	}{
		"the same subject":                   {bare, "en", []string{"A"}, true},
		"the same among others":              {bare, "en", []string{"B", "A"}, true},
		"other case and a missing full stop": {"it SCALES well", "en", []string{"a"}, true},
		"another subject":                    {bare, "en", []string{"C"}, false},
		"no subject":                         {bare, "en", nil, false},
		"another language":                   {bare, "de", []string{"A"}, false},
		"a negation":                         {"It does not scale well.", "en", []string{"A"}, false},
	} {
		t.Run(rule, func(t *testing.T) {
			got := about(c.text, c.language, c.subjects...)
			if c.same {
				require.Equal(t, evidence.ClaimOutcome{ID: a.ID, MatchedExisting: true}, got)
			} else {
				require.NotEqual(t, a.ID, got.ID)
			}
		})
	}
	w := about(whole, "en", "A")
	require.Equal(t, w.ID, about(whole, "en").ID, "words that say what they are about need no subject")
	require.NotEqual(t, w.ID, about(whole, "en", "D").ID)
}

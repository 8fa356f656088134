package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

func TestUsageTakesContentRevisionClaimAndEntity(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{
		"claims": []fields{{"text": "Targets of use are of four kinds."}}, "new_subjects": []fields{{"type": "software", "name": "Target"}},
	})
	second := b.publish(b.author, fields{"revision_of": item.ID})
	for rule, c := range map[string]struct{ target, revision string }{
		"a content item means its current revision": {item.ID, second.RevisionID},
		"a revision means itself":                   {item.RevisionID, item.RevisionID},
		"a claim has no revision":                   {item.Claims[0].ID, ""},
		"an entity has no revision":                 {item.Subjects[0].ID, ""},
	} {
		t.Run(rule, func(t *testing.T) {
			out := b.use(b.user, c.target)
			require.Equal(t, c.revision, out.TargetRevision)
			require.Regexp(t, `^use_[0-9a-hjkmnp-tv-z]{26}$`, out.ID)
			record := b.get(b.user, out.ID).Record
			require.Equal(t, b.userID.String(), record.Actor)
			if c.revision != "" {
				c.target = c.revision
			}
			require.Equal(t, c.target, record.Target)
		})
	}
}

func TestWrongKindsAndMalformedIDsOfATarget(t *testing.T) {
	t.Parallel()
	b := setup(t)
	accepted := map[store.Kind]bool{store.KindContent: true, store.KindRevision: true, store.KindClaim: true, store.KindEntity: true}
	for _, kind := range store.Kinds() {
		t.Run("unknown or wrong: "+string(kind), func(t *testing.T) {
			id := fresh(t, kind)
			_, err := b.raw(b.user, "report_usage", fields{"target": id, "result": "success"})
			if accepted[kind] {
				fails(t, ops.NotFound, err)
			} else {
				require.Equal(t, []string{"/target target_kind"}, broken(fails(t, ops.InvalidTarget, err)))
			}
			_, err = b.raw(b.user, "get", fields{"id": id})
			fails(t, ops.NotFound, err)
		})
	}
	item := b.publish(b.author, nil)
	for rule, id := range map[string]string{
		"upper case":          "CNT_" + item.ID[4:],
		"too short":           item.ID[:len(item.ID)-1],
		"too long":            item.ID + "0",
		"beyond 128 bits":     "cnt_8" + item.ID[5:],
		"a letter not in use": "cnt_" + "u" + item.ID[5:],
		"no prefix":           item.ID[4:],
		"an unknown prefix":   "xyz_" + item.ID[4:],
		"white space":         " " + item.ID,
		"words":               "the newest one",
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.user, "report_usage", fields{"target": id, "result": "success"})
			fails(t, ops.InvalidTarget, err)
			_, err = b.raw(b.user, "get", fields{"id": id})
			fails(t, ops.NotFound, err)
		})
	}
	for _, kind := range []store.Kind{store.KindRevision, store.KindClaim, store.KindEntity} {
		t.Run("another kind of the same number: "+string(kind), func(t *testing.T) {
			id := string(kind) + item.ID[3:]
			_, err := b.raw(b.user, "report_usage", fields{"target": id, "result": "success"})
			fails(t, ops.NotFound, err)
			_, err = b.raw(b.user, "get", fields{"id": id})
			fails(t, ops.NotFound, err)
		})
	}
}

func TestUsageIsStoredAsItWasSaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	var out evidence.RecordOutput
	b.Must(b.user, "report_usage", fields{
		"target": item.ID, "usage_type": "  load  test ", "result": "partial", "real_world_use": true,
		"context": fields{"Scale": "Small", "cores": 2.0, "b": true, "none": nil, "note": "free text"},
		"metrics": fields{"p99": []any{1, 2.5}, "deep": fields{"a": nil}}, "note": "line one\r\nline two\u0007",
	}, &out)
	record := b.get(b.user, out.ID).Record
	require.Equal(t, "load test", record.UsageType)
	require.Equal(t, "partial", record.Result)
	require.True(t, *record.RealWorldUse)
	require.Equal(t, "line one\nline two", record.Note)
	require.JSONEq(t, `{"Scale":"Small","cores":2,"b":true,"none":null,"note":"free text"}`, string(record.Context))
	require.JSONEq(t, `{"p99":[1,2.5],"deep":{"a":null}}`, string(record.Metrics))
}

func TestEqualContextsHaveOneKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	for _, context := range []fields{
		{"language": "Python", "scale": 1},
		{"SCALE": 1.0, "Language": " python ", "note": "x"},
		{"language": "PYTHON", "scale": "1", "other": nil},
	} {
		b.Must(b.user, "report_usage", fields{"target": item.ID, "result": "success", "context": context}, nil)
	}
	require.Equal(t, 1, b.count(`select count(distinct context_key) from evidence`))
	_, err := b.raw(b.user, "report_usage", fields{
		"target": item.ID, "result": "success", "usage_type": strings.Repeat(grows, 60), "note": strings.Repeat(grows, 4000),
	})
	require.Equal(t, []string{"/usage_type max", "/note max"}, broken(fails(t, ops.ValidationFailed, err)))
	for rule, context := range map[string]fields{
		"a list is no facet": {"a": []any{1}}, "an object is no facet": {"a": fields{}},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.user, "report_usage", fields{"target": item.ID, "result": "success", "context": context})
			require.Equal(t, []string{"/context/a scalar"}, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
}

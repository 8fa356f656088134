package evidence_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

func TestRetractingTwiceIsTheSameAnswer(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	for name, key := range map[string]func(i int) string{
		"without a key":         func(int) string { return "" },
		"with one key":          func(int) string { return "same" },
		"with a key of its own": func(i int) string { return fmt.Sprint("own ", i) },
	} {
		for _, target := range []string{"content", "claim"} {
			t.Run(name+" of a "+target, func(t *testing.T) {
				item := b.publish(b.user, fields{"claims": []fields{{"text": "Retraction " + name + " is once of a " + target}}})
				id := item.ID
				if target == "claim" {
					id = item.Claims[0].ID
				}
				record := b.use(b.author, id)
				before := b.count(`select count(*) from evidence where kind = 'retraction'`)
				call := func(i int) (string, error) {
					args := fields{"retract": record.ID}
					if k := key(i); k != "" {
						args["idempotency_key"] = k + record.ID
					}
					return b.raw(nodes[i%2], "report_usage", args)
				}
				answers, errs := together(20, call)
				for i := range answers {
					require.NoError(t, errs[i])
					require.Equal(t, answers[0], answers[i])
				}
				later, err := call(20)
				require.NoError(t, err)
				require.Equal(t, answers[0], later)
				require.Equal(t, evidence.RecordOutput{
					ID: record.ID, TargetRevision: record.TargetRevision, Status: "retracted",
				}, decode[evidence.RecordOutput](t, later))
				require.Equal(t, before+1, b.count(`select count(*) from evidence where kind = 'retraction'`))
			})
		}
	}
	totals := b.Settled()
	require.Zero(t, totals.Gaps)
	require.Zero(t, totals.Lost)
}

func TestARepeatedRetractionTakesItsKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.user, nil)
	record := b.use(b.author, item.ID)
	for _, key := range []string{"first", "second"} {
		b.Must(b.author, "report_usage", fields{"retract": record.ID, "idempotency_key": key}, nil)
		_, err := b.raw(b.author, "report_usage", fields{"target": item.ID, "result": "success", "idempotency_key": key})
		fails(t, ops.IdempotencyConflict, err)
		_, err = b.raw(b.author, "report_usage", fields{"retract": b.use(b.author, item.ID).ID, "idempotency_key": key})
		fails(t, ops.IdempotencyConflict, err)
	}
}

func TestRetractionRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	record := b.use(b.author, b.publish(b.user, nil).ID)
	for rule, c := range map[string]struct {
		args fields
		code ops.Code
	}{
		"another's record":         {fields{"retract": b.use(b.user, b.publish(b.author, nil).ID).ID}, ops.NotAuthor},
		"an unknown record":        {fields{"retract": fresh(t, store.KindUsage)}, ops.NotFound},
		"a record of another tool": {fields{"retract": fresh(t, store.KindReview)}, ops.InvalidTarget},
		"no record at all":         {fields{"retract": fresh(t, store.KindContent)}, ops.InvalidTarget},
		"a malformed ID":           {fields{"retract": "use_x"}, ops.InvalidTarget},
		"a rating's UUID as usage": {fields{"retract": "rat_" + record.ID[4:]}, ops.InvalidTarget},
		"together with a target":   {fields{"retract": record.ID, "target": fresh(t, store.KindContent)}, ops.ValidationFailed},
		"together with a result":   {fields{"retract": record.ID, "result": "success"}, ops.ValidationFailed},
		"together with a note":     {fields{"retract": record.ID, "note": "n"}, ops.ValidationFailed},
		"together with real use":   {fields{"retract": record.ID, "real_world_use": true}, ops.ValidationFailed},
		"neither it nor a target":  {fields{}, ops.ValidationFailed},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.author, "report_usage", c.args)
			fails(t, c.code, err)
		})
	}
	require.Zero(t, b.count(`select count(*) from evidence where kind = 'retraction'`))
}

func TestARetractedRecordStaysAndLeavesTrust(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	kept, gone := b.use(b.user, item.ID), b.use(b.user, item.ID)
	b.Must(b.user, "report_usage", fields{"retract": gone.ID}, nil)
	b.Settled()
	out := b.get(b.user, item.ID, "evidence", "evidence_summary")
	require.Len(t, out.Evidence, 2)
	require.Equal(t, []string{gone.ID, kept.ID}, []string{out.Evidence[0].ID, out.Evidence[1].ID})
	require.Equal(t, []string{"retracted", "active"}, []string{out.Evidence[0].Status, out.Evidence[1].Status})
	require.EqualValues(t, 1, out.EvidenceSummary.Usage.Success)
	require.EqualValues(t, 1, out.EvidenceSummary.Retracted)
	require.Equal(t, "retracted", b.get(b.user, gone.ID).Status)
}

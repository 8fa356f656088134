package moderation_test

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/evidence/moderation"
	"interai/internal/stack"
	"interai/store"
)

func TestASecretIsRefusedWithItsPlaceAndLeavesOnlyAMaskedCase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.rejected(b.author, "publish", draft(fields{"body_markdown": "Set this:\n\n`é " + dsn() + "`\n"}))
	require.Equal(t, "secret", r.Reason)
	require.NotEmpty(t, r.Findings)
	require.Equal(t, "/body_markdown", r.Findings[0].Path)
	require.Equal(t, 3, r.Findings[0].Line)
	require.NotEmpty(t, r.Findings[0].Hint)
	require.Empty(t, r.Suggested)
	require.Zero(t, b.count(`select count(*) from contents`))
	d, err := b.Node.Moderation.Dossier(t.Context(), b.id(r.Case))
	require.NoError(t, err)
	require.Equal(t, store.OriginRejection, d.Case.Origin)
	require.Equal(t, b.Agent, d.Case.Actor)
	require.Equal(t, b.Human, d.Case.Root)
	masked := ""
	for _, text := range d.Case.Masked {
		masked += text.Path + "=" + text.Text + "\n"
	}
	require.Contains(t, masked, "[secret:")
	require.Contains(t, masked, "/title=Connecting to the database")
	require.NotContains(t, masked, password())
	require.Equal(t, 1, d.Party.Rejections)
	require.Equal(t, []string{"uphold", "false_alarm", "limit"}, d.Offered)
}

func TestPersonalDataIsRefusedWithASuggestionThatPasses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := []rune("Grüße 👋: ask erika.mustermann.77@" + "gmail.com about it.")
	r := b.rejected(b.author, "publish", draft(fields{"body_markdown": string(body)}))
	require.Equal(t, "personal_data", r.Reason)
	require.Len(t, r.Suggested, 1)
	s := r.Suggested[0]
	mended := string(body[:s.Start]) + s.Replacement + string(body[s.End:])
	require.Equal(t, "Grüße 👋: ask [email] about it.", mended)
	b.publish(b.author, fields{"body_markdown": mended})
}

func TestAFalseAlarmLetsTheSameAuthorPassOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	args := draft(fields{"body_markdown": "Connect with " + dsn()})
	r := b.rejected(b.author, "publish", args)
	require.Equal(t, r.Case, b.rejected(b.author, "publish", args).Case, "the same again is counted on the open case")
	c := b.decide(r.Case, moderation.FalseAlarm)
	require.Equal(t, 2, c.Times)
	require.False(t, c.Open)
	require.Equal(t, "false_alarm", b.get(b.author, r.Case).Case.Decision)
	require.NotEqual(t, r.Case, b.rejected(b.reader, "publish", args).Case, "an exemption is the author's own")
	b.rejected(b.author, "publish", draft(fields{"body_markdown": "And " + strings.Replace(dsn(), "k9Xq2", "k9Xq3", 1)}))
	_, err := b.author.Call(t.Context(), "publish", draft(fields{"body_markdown": args["body_markdown"], "revision_of": "cnt_00000000000000000000000000"}), nil)
	require.Error(t, err)
	require.NotEqual(t, ops.ContentRejected, ops.CodeOf(err), "a call that writes nothing spends no exemption")
	b.publish(b.author, fields{"body_markdown": args["body_markdown"]})
	b.rejected(b.author, "publish", args)
	history := b.get(b.author, r.Case).Case.History
	require.Equal(t, "retried", history[len(history)-1].What)
}

func TestARefusalThatIsUpheldAfterAllAllowsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	args := draft(fields{"body_markdown": "Use " + dsn()})
	r := b.rejected(b.author, "publish", args)
	b.decide(r.Case, moderation.FalseAlarm)
	b.decide(r.Case, moderation.Uphold)
	b.rejected(b.author, "publish", args)
	b.decide(r.Case, moderation.FalseAlarm)
	b.publish(b.author, args)
}

func TestOneExemptionIsSpentByOneOfManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	args := draft(fields{"body_markdown": "Connect with " + dsn()})
	b.decide(b.rejected(b.author, "publish", args).Case, moderation.FalseAlarm)
	var passed, refused int
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			_, err := b.author.Call(t.Context(), "publish", args, nil)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				passed++
			} else if ops.CodeOf(err) == ops.ContentRejected {
				refused++
			}
		})
	}
	wait.Wait()
	require.Equal(t, [2]int{1, 7}, [2]int{passed, refused})
}

func TestEveryWriteToolIsScreenedInEveryPart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.reader, nil)
	secret := "password: " + password()
	use := fields{"target": item.ID, "result": "success"}
	with := func(base fields, name string, value any) fields {
		out := fields{}
		maps.Copy(out, base)
		out[name] = value
		return out
	}
	for path, call := range map[string]struct {
		tool string
		args fields
	}{
		"/title":                          {"publish", draft(fields{"title": secret})},
		"/summary":                        {"publish", draft(fields{"summary": secret})},
		"/structured_data/db":             {"publish", draft(fields{"structured_data": fields{"db": dsn()}})},
		"/structured_data/password":       {"publish", draft(fields{"structured_data": fields{"password": password()}})},
		"/structured_data/password/value": {"publish", draft(fields{"structured_data": fields{"password": fields{"value": password()}}})},
		"/structured_data/run":            {"publish", draft(fields{"structured_data": fields{"run": []string{"curl", "-u", "svc:" + password(), "https://a.acme-prod.net/"}}})},
		"/claims/0/text":                  {"publish", draft(fields{"claims": []fields{{"text": "The " + secret}}})},
		"/tags/0":                         {"publish", draft(fields{"tags": []string{dsn()}})},
		"/note":                           {"report_usage", with(use, "note", secret)},
		"/context/db":                     {"report_usage", with(use, "context", fields{"db": dsn()})},
		"/metrics/token/1":                {"report_usage", with(use, "metrics", fields{"token": []any{1, dsn()}})},
		"/idempotency_key":                {"report_usage", with(use, "idempotency_key", dsn())},
		"/rationale_markdown":             {"review", fields{"target": item.ID, "verdict": "confirmed", "rationale_markdown": secret}},
		"/dimension":                      {"rate", fields{"target": item.ID, "dimension": "cost", "score": 3, "rationale_markdown": secret}},
		"/observations/seen":              {"submit_experience", fields{"title": "T", "result": "success", "observations": fields{"seen": dsn()}}},
		"/used/0/note":                    {"submit_experience", fields{"title": "T", "result": "success", "used": []fields{{"id": item.ID, "result": "success", "note": secret}}}},
		"/assets/0/base64":                {"publish", draft(fields{"assets": []fields{{"filename": "a.env", "media_type": "text/plain", "base64": encoded("DATABASE_URL=" + dsn())}}})},
	} {
		t.Run(path, func(t *testing.T) {
			r := b.rejected(b.author, call.tool, call.args)
			if path != "/dimension" {
				require.Equal(t, path, r.Findings[0].Path)
			}
		})
	}
	require.Equal(t, 1, b.count(`select count(*) from contents`))
	require.Zero(t, b.count(`select count(*) from evidence`))
}

func TestAReadRunsAndItsSecretIsKeptNowhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.found(b.author, "connect "+dsn())
	b.Eventually("the read is audited", func() bool { return b.count(`select count(*) from mcp_calls where tool = 'search'`) > 0 })
	require.Zero(t, b.count(`select count(*) from mcp_calls where request::text like '%' || $1 || '%'`, password()))
	require.Zero(t, b.count(`select count(*) from search_unanswered`))
	require.Empty(t, b.open())
}

func TestAWeakFindingPassesAndBecomesACaseAboutWhatWasStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	weak := weakToken("5Eo0")
	item := b.publish(b.author, fields{"body_markdown": "We use " + weak})
	cases := b.open()
	require.Len(t, cases, 1)
	require.Equal(t, store.OriginFinding, cases[0].Origin)
	require.Equal(t, item.RevisionID, cases[0].Object.String())
	var use evidence.RecordOutput
	b.Must(b.author, "report_usage", fields{"target": item.ID, "result": "success", "note": "Other " + weakToken("5Eo7")}, &use)
	require.Equal(t, use.ID, b.open()[1].Object.String())
	_, err := b.author.Call(t.Context(), "publish", draft(fields{"body_markdown": "Again " + weakToken("5Eo8"), "subjects": []string{"ent_00000000000000000000000000"}}), nil)
	require.Error(t, err)
	require.Zero(t, b.count(`select count(*) from moderation_cases where pending`), "what was not written leaves no case")
	require.Len(t, b.open(), 2)
}

func TestTheSameWeakFindingInAnotherObjectIsACaseOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var items []string
	for _, title := range []string{"First", "Second", "Third"} {
		items = append(items, b.publish(b.author, fields{"title": title, "body_markdown": "We use " + weakToken("5Eo0")}).RevisionID)
	}
	cases := b.open()
	require.Len(t, cases, len(items), "a decision about one object does nothing to the others")
	for i := range cases {
		require.Equal(t, items[i], cases[i].Object.String())
		b.decide(cases[i].ID.String(), moderation.Hold)
	}
	require.Equal(t, len(items), b.count(`select count(*) from contents where visibility = 'quarantined'`))
}

func TestAWeakFindingIsRedactedInEveryPartWhereItStands(t *testing.T) {
	t.Parallel()
	b := setup(t)
	weak := weakToken("5Eo0")
	item := b.publish(b.author, fields{
		"body_markdown": "We use " + weak, "structured_data": fields{"site": []any{"key " + weak}},
		"claims": []fields{{"text": "The site's key is " + weak + " for all."}},
	})
	b.decide(b.open()[0].ID.String(), moderation.Redact)
	seen := b.get(b.reader, item.ID)
	require.Contains(t, *seen.BodyMarkdown, "We use [secret:")
	require.NotContains(t, *seen.BodyMarkdown+string(seen.StructuredData), weak)
	require.Zero(t, b.count(`select count(*) from claims where text like '%' || $1 || '%'`, weak))
	var use evidence.RecordOutput
	b.Must(b.reader, "report_usage", fields{"target": item.ID, "result": "success", "note": "With " + weak}, &use)
	b.decide(b.open()[0].ID.String(), moderation.Redact)
	note := b.get(b.author, use.ID).Record.Note
	require.NotContains(t, note, weak)
	require.Contains(t, note, "With [secret:")
}

func TestACaseWhoseNodeEndedIsSettledByTheAudit(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	item := b.publish(b.author, fields{"body_markdown": "We use " + weakToken("5Eo0")})
	_, err := b.Store.Pool().Exec(t.Context(), `update moderation_cases set pending = true, object_kind = null, object_id = null, last_at = now() - interval '1 hour'`)
	require.NoError(t, err)
	require.Empty(t, b.open())
	n, err := b.Store.SettleOrphans(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, item.RevisionID, b.open()[0].Object.String())
}

func TestAnExemptionThatANodeSpentBeforeItEndedIsGivenBack(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	args := draft(fields{"body_markdown": "Connect with " + dsn()})
	spend := func() {
		c, err := b.Node.Moderation.Case(t.Context(), b.id(b.rejected(b.author, "publish", args).Case))
		require.NoError(t, err)
		b.decide(c.ID.String(), moderation.FalseAlarm)
		spent, err := b.Store.UseExemptions(t.Context(), c.Actor, c.Findings, uuid.Must(uuid.NewV7()))
		require.NoError(t, err)
		require.Equal(t, []store.ID{c.ID}, spent)
		b.rejected(b.author, "publish", args)
	}
	settle := func(age time.Duration) {
		_, err := b.Store.SettleOrphans(t.Context(), age)
		require.NoError(t, err)
	}
	spend()
	settle(time.Hour)
	b.rejected(b.author, "publish", args)
	settle(0)
	b.publish(b.author, args)
	settle(0)
	b.rejected(b.author, "publish", args) // what was written with it stays spent
}

func TestARetryIsNotedWhileItsCaseIsDecidedAbout(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	r := b.rejected(b.author, "publish", draft(fields{"body_markdown": "Connect with " + dsn()}))
	c := b.decide(r.Case, moderation.FalseAlarm)
	call := uuid.Must(uuid.NewV7())
	spent, err := b.Store.UseExemptions(t.Context(), c.Actor, c.Findings, call)
	require.NoError(t, err)
	noted := make(chan error, 1)
	require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.LockCase(t.Context(), c.ID); err != nil {
			return err
		}
		if err := tx.DecideCase(t.Context(), c.ID, moderation.Uphold, c.DecidedBy, "It is one."); err != nil {
			return err
		}
		go func() { noted <- b.Store.SettleExemptions(t.Context(), call, spent, true) }()
		b.Eventually("the note waits", func() bool {
			return b.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 1
		})
		return nil
	}))
	require.NoError(t, <-noted)
	require.Equal(t, 4, b.count(`select count(*) from moderation_events where case_id = $1`, c.ID.UUID))
}

func TestAKeyOfOursInATextIsRevoked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, key := b.Party(store.Verification{})
	victim := b.Client(key)
	b.found(victim, "anything")
	b.rejected(b.author, "publish", draft(fields{"body_markdown": "My key is " + key}))
	b.Eventually("the key is revoked", func() bool {
		client, err := mcp.Dial(t.Context(), b.URL, key)
		if err == nil {
			_ = client.Close()
		}
		return err != nil
	})
}

func TestHiddenCharactersAreRefusedOnlyWhenNothingInnocentMakesThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, "disallowed", b.rejected(b.author, "publish", draft(fields{"body_markdown": "Hello \U000E0041\U000E0042"})).Reason)
	item := b.publish(b.author, fields{"body_markdown": "Hello wo\u200brld <script>x</script> ![p](http://a.example/p.png)"})
	require.Equal(t, []string{
		"/body_markdown: hidden text removed", "/body_markdown: html escaped", "/body_markdown: image made link",
	}, item.Warnings)
	stored := b.get(b.reader, item.ID)
	require.Equal(t, `Hello world &lt;script>x&lt;/script> [p](http://a.example/p.png)`, *stored.BodyMarkdown)
	require.Contains(t, stored.Labels, "hidden_text_removed")
}

func TestWithoutItsCaseNothingIsRefusedForGood(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	_, err := b.Store.Pool().Exec(t.Context(), `alter table moderation_cases rename to gone`)
	require.NoError(t, err)
	_, err = b.author.Call(t.Context(), "publish", draft(fields{"body_markdown": dsn()}), nil)
	e, ok := errors.AsType[*ops.Error](err)
	require.True(t, ok)
	require.Equal(t, ops.InternalError, e.Code)
	require.NotContains(t, e.Error()+string(e.Structured()), password())
}

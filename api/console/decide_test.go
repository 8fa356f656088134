package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
	"interai/store"
)

func TestADecisionIsMadeByAFormOfItsOwnSessionAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.With("allowed-origins", "https://friend.example"))
	id := b.rejected(b.Key, "Connecting", dsn("svc"))
	r, other := b.signedIn(), b.signedIn()
	path := "/console/cases/" + id
	good := func() url.Values { return r.form(path, "decision", "uphold", "reason", "It is one.") }
	with := func(name, value string) url.Values {
		form := good()
		form.Set(name, value)
		return form
	}
	for rule, send := range map[string]func() *answer{
		"no secret":         func() *answer { return r.post(path, with("csrf", "")) },
		"a wrong secret":    func() *answer { return r.post(path, with("csrf", strings.Repeat("A", 43))) },
		"no base64":         func() *answer { return r.post(path, with("csrf", "?")) },
		"another session's": func() *answer { return r.post(path, with("csrf", other.form(path).Get("csrf"))) },
		"a foreign origin": func() *answer {
			return r.post(path, good(), "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
		},
		"an allowed origin": func() *answer {
			return r.post(path, good(), "Origin", "https://friend.example", "Sec-Fetch-Site", "cross-site")
		},
		"without fetch metadata":  func() *answer { return r.post(path, good(), "Origin", "https://friend.example", "Sec-Fetch-Site", "") },
		"a sibling site":          func() *answer { return r.post(path, good(), "Origin", b.site, "Sec-Fetch-Site", "same-site") },
		"no origin at all (null)": func() *answer { return r.post(path, good(), "Origin", "null", "Sec-Fetch-Site", "") },
	} {
		require.Equal(t, http.StatusForbidden, send().status, rule)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		a := r.do(method, path+"?"+good().Encode(), nil)
		require.Equal(t, http.StatusOK, a.status, "a look decides nothing")
	}
	require.Equal(t, http.StatusMethodNotAllowed, r.get("/console/sign-out").status)
	require.Equal(t, http.StatusMethodNotAllowed, r.do(http.MethodPut, path, good()).status)
	require.Equal(t, http.StatusUnauthorized, b.reader().post(path, good()).status)
	require.True(t, b.caseOf(id).Open)

	a := r.post(path, good(), "Origin", b.site)
	require.Equal(t, "/console?decided="+id, a.location(), "nothing else waits")
	decided := b.caseOf(id)
	require.Equal(t, "uphold", decided.Decision)
	require.Equal(t, b.moderator, decided.DecidedBy)
	require.Contains(t, r.get(a.location()).body, id+": uphold.")
}

func TestARefusedDecisionKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.rejected(b.Key, "Connecting", dsn("svc"))
	r, path := b.signedIn(), "/console/cases/"+id
	for rule, tt := range map[string]struct {
		form   []string
		status int
		says   string
	}{
		"no decision":      {[]string{"reason", "Because <b>."}, http.StatusUnprocessableEntity, "choose a decision"},
		"no reason":        {[]string{"decision", "uphold", "reason", "  "}, http.StatusUnprocessableEntity, "a reason of 1 to 2000"},
		"a long reason":    {[]string{"decision", "uphold", "reason", strings.Repeat("ä", 2001)}, http.StatusUnprocessableEntity, "a reason of 1 to 2000"},
		"does not fit":     {[]string{"decision", "redact", "reason", "Gone."}, http.StatusUnprocessableEntity, "it takes uphold, false_alarm, limit"},
		"unknown":          {[]string{"decision", "praise", "reason", "Good."}, http.StatusUnprocessableEntity, "this decision does not fit the case"},
		"a limit of none":  {[]string{"decision", "limit", "reason", "Slower.", "writes", ""}, http.StatusUnprocessableEntity, "a limit needs the writes an hour"},
		"a limit of zero":  {[]string{"decision", "limit", "reason", "Slower.", "writes", "0"}, http.StatusUnprocessableEntity, "limit needs the writes an hour"},
		"a limit too high": {[]string{"decision", "limit", "reason", "Slower.", "writes", "10000001"}, http.StatusUnprocessableEntity, "limit needs the writes an hour, within 1 and 10000000"},
		"beyond int32":     {[]string{"decision", "limit", "reason", "Slower.", "writes", "99999999999"}, http.StatusUnprocessableEntity, "limit needs the writes an hour, within 1 and 10000000"},
		"beyond int64":     {[]string{"decision", "limit", "reason", "Slower.", "writes", "9223372036854775808"}, http.StatusUnprocessableEntity, "a limit needs the writes an hour"},
		"a secret in it":   {[]string{"decision", "uphold", "reason", "It is " + dsn("svc")}, http.StatusUnprocessableEntity, "the reason holds a secret"},
		"too much":         {[]string{"decision", "uphold", "reason", strings.Repeat("x", 70_000)}, http.StatusRequestEntityTooLarge, "too long"},
	} {
		a := r.post(path, r.form(path, tt.form...))
		require.Equal(t, tt.status, a.status, rule)
		require.Contains(t, a.body, tt.says, rule)
	}
	a := r.post(path, r.form(path, "reason", "Because <b>."))
	require.Contains(t, a.body, "Because &lt;b&gt;.</textarea>")
	require.True(t, b.caseOf(id).Open)
	require.Equal(t, http.StatusNotFound, r.get("/console/cases/cas_00000000000000000000000000").status)
	require.Equal(t, http.StatusNotFound, r.get("/console/cases/usr_x").status)
	require.Equal(t, http.StatusNotFound, r.post("/console/cases/cas_00000000000000000000000000", r.form(path, "decision", "uphold", "reason", "Why.")).status)
}

func TestNobodyDecidesAboutACaseThatHasChangedSinceTheyReadIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.rejected(b.Key, "Connecting", dsn("svc"))
	r, path := b.signedIn(), "/console/cases/"+id
	late := r.form(path, "decision", "false_alarm", "reason", "Looked at.")
	require.Equal(t, http.StatusSeeOther, r.post(path, r.form(path, "decision", "uphold", "reason", "It is one.")).status)
	a := r.post(path, late)
	require.Equal(t, http.StatusConflict, a.status)
	require.Contains(t, a.body, "the case has changed since you opened it")
	require.Equal(t, "uphold", b.caseOf(id).Decision)
	require.Equal(t, http.StatusSeeOther, r.post(path, r.form(path, "decision", "false_alarm", "reason", "Looked at again.")).status, "one may decide anew, knowingly")
}

func TestOfTwoWhoDecideAtOnceOneIsHeard(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path func(id string) string
		lost string
	}{
		"one case":   {func(id string) string { return "/console/cases/" + id }, "the case has changed since you opened it"},
		"many cases": {func(string) string { return "/console/decide" }, "it was decided already"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.rejected(b.Key, "Connecting", dsn("svc"))
			readers := []*reader{b.signedIn(), b.signedIn()}
			forms := make([]url.Values, len(readers))
			for i, decision := range []string{"uphold", "false_alarm"} {
				forms[i] = readers[i].form("/console/cases/"+id, "decision", decision, "reason", "Looked at.", "case", id)
			}
			// Nobody gets hold of the case until both have sent their decision.
			held, err := b.Store.Pool().Begin(t.Context())
			require.NoError(t, err)
			_, err = held.Exec(t.Context(), `select from moderation_cases where id = $1 for update`, b.id(id).UUID)
			require.NoError(t, err)
			answers := make(chan *answer, len(readers))
			for i, r := range readers {
				go func() { answers <- r.post(tt.path(id), forms[i]) }()
			}
			require.Eventually(t, func() bool {
				return b.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == len(readers)
			}, 20*time.Second, time.Millisecond)
			require.NoError(t, held.Rollback(t.Context()))
			lost := 0
			for range readers {
				if a := <-answers; strings.Contains(a.body, tt.lost) {
					lost++
				}
			}
			require.Equal(t, 1, lost, "who came second is told of it")
			require.Equal(t, 1, b.count(`select count(*) from moderation_events where case_id = $1 and what in ('uphold', 'false_alarm')`, b.id(id).UUID))
		})
	}
}

func TestAPartyIsLimitedOnThePageOfACase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.rejected(b.Key, "Connecting", dsn("svc"))
	r, path := b.signedIn(), "/console/cases/"+id
	require.Equal(t, http.StatusSeeOther, r.post(path, r.form(path, "decision", "limit", "reason", "Slower.", "writes", "7")).status)
	limits, err := b.Store.Limits(t.Context(), b.Human)
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(limits, func(l store.Limit) bool { return l.Scope == "root" && l.Capacity == 7 }), "%v", limits)
}

func TestOwnPartyCasesHaveNoForm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	human, _, agentKey := b.Party(store.Verification{})
	id := b.rejected(agentKey, "Connecting", dsn("svc"))
	b.key = b.KeyOf(human, "moderate")
	r, path := b.signedIn(), "/console/cases/"+id
	page := r.get(path).body
	require.Contains(t, page, "This is your own party.")
	require.NotContains(t, page, `name="decision"`)
	queue := r.get("/console")
	require.Contains(t, queue.body, "your own party")
	require.NotContains(t, queue.body, `type="checkbox" name="case"`)
	form := r.form(path, "decision", "uphold", "reason", "It is one.")
	form.Set("seen", "true.-.-")
	a := r.post(path, form)
	require.Equal(t, http.StatusForbidden, a.status)
	require.True(t, b.caseOf(id).Open)
	a = r.post("/console/decide", r.form("/console", "decision", "uphold", "reason", "It is one.", "case", id))
	require.Contains(t, a.body, "nobody decides about their own party")
	require.True(t, b.caseOf(id).Open)
}

func TestManyCasesAreDecidedEachByItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.rejected(b.Key, "First", dsn("one"))
	second := b.rejected(b.Key, "Second", dsn("two"))
	done := b.rejected(b.Key, "Third", dsn("three"))
	item, flagged := b.flagged(b.Key, "Maps", "The map needs "+weakToken())
	human, _, agentKey := b.Party(store.Verification{})
	own := b.rejected(agentKey, "Mine", dsn("four"))
	b.key = b.KeyOf(human, "read", "moderate")
	r := b.signedIn()
	require.Equal(t, http.StatusSeeOther, r.post("/console/cases/"+done, r.form("/console/cases/"+done, "decision", "uphold", "reason", "It is one.")).status)

	send := func(more ...string) *answer { return r.post("/console/decide", r.form("/console", more...)) }
	for rule, form := range map[string][]string{
		"no case":      {"decision", "hold", "reason", "Why."},
		"no decision":  {"case", first, "reason", "Why."},
		"no reason":    {"case", first, "decision", "hold", "reason", " "},
		"a limit":      {"case", first, "decision", "limit", "reason", "Why.", "writes", "1"},
		"no ID":        {"case", "x", "decision", "hold", "reason", "Why."},
		"no case's ID": {"case", item.ID, "decision", "hold", "reason", "Why."},
	} {
		require.Equal(t, http.StatusUnprocessableEntity, send(form...).status, rule)
	}
	many := []string{"decision", "hold", "reason", "Why."}
	for range 26 {
		many = append(many, "case", first)
	}
	require.Equal(t, http.StatusUnprocessableEntity, send(many...).status, "too many")

	a := send("decision", "hold", "reason", "Held until looked at.", "case", first, "case", flagged, "case", own, "case", done, "case", flagged)
	require.Equal(t, http.StatusOK, a.status)
	require.Contains(t, a.body, "1 of 4 decided:")
	for _, says := range []string{"this decision does not fit the case: it takes uphold", "nobody decides about their own party", "it was decided already"} {
		require.Contains(t, a.body, says)
	}
	require.Equal(t, "hold", b.caseOf(flagged).Decision)
	a = send("decision", "false_alarm", "reason", "Made up.", "case", first, "case", second)
	require.Contains(t, a.body, "2 of 2 decided:")
	require.Equal(t, "false_alarm", b.caseOf(second).Decision)
}

func TestAfterADecisionComesTheNextCaseOfTheSameFilter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.rejected(b.Key, "First", dsn("one"))
	_, other := b.flagged(b.Key, "Maps", "The map needs "+weakToken())
	human, _, agentKey := b.Party(store.Verification{})
	own := b.rejected(agentKey, "Mine", dsn("four"))
	last := b.rejected(b.Key, "Last", dsn("two"))
	b.key = b.KeyOf(human, "moderate")
	r := b.signedIn()
	const filter = "?origin=rejection"
	decide := func(id string) string {
		path := "/console/cases/" + id + filter
		return r.post(path, r.form(path, "decision", "uphold", "reason", "It is one.")).location()
	}
	require.Equal(t, "/console/cases/"+last+filter[:1]+"decided="+first+"&origin=rejection", decide(first), "neither %s nor one's own %s", other, own)
	require.Contains(t, r.get("/console/cases/"+last+"?decided="+first).body, first+": uphold.")
	require.Equal(t, "/console?decided="+last+"&origin=rejection", decide(last))
	require.NotContains(t, r.get("/console/cases/"+last+"?decided="+other).body, "Decided.</strong>", "only what is true is said")
}

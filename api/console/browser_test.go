package console_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/browser"
	"interai/store"
)

// shots is where screenshots go: a folder that INTERAI_SHOTS names, for those who want to look at them.
func shots(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("INTERAI_SHOTS"); dir != "" {
		require.NoError(t, os.MkdirAll(dir, 0o700))
		return dir
	}
	return t.TempDir()
}

// enter signs a moderator in, with the keyboard alone.
func (b *bundle) enter(page *browser.Page) {
	b.t.Helper()
	page.Type("#key", b.key)
	page.Press("Enter")
	page.Await(`location.pathname !== "/console/sign-in"`)
}

func TestAFullCaseInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t)
	b := setup(t)
	other := b.rejected(b.Key, "Another", dsn("first"))
	body := "Connect with " + dsn("") + "\nthen use a pool."
	id := b.rejected(b.Key, "Connecting to the database", body)

	page := chromium.Open(t, b.site+"/console", browser.View{Width: 1280, Height: 900})
	b.enter(page)
	var found []string
	page.Eval(`[...document.querySelectorAll("tr[data-case]")].map(r => r.dataset.case)`, &found)
	require.Equal(t, []string{other, id}, found, "the longest waiting first")
	require.NotContains(t, page.HTML(), password())

	page.Press("j", "ArrowDown", "k", "j", "x")
	var at struct {
		Case string
		Tick bool
	}
	page.Eval(`(() => { const row = document.activeElement.closest("tr"); return {Case: row.dataset.case, Tick: row.querySelector("input").checked} })()`, &at)
	require.Equal(t, id, at.Case)
	require.True(t, at.Tick)
	page.Press("o")
	page.Await(`document.body.dataset.page === "case"`)
	text := page.HTML()
	require.NotContains(t, text, password(), "the value is nowhere")
	require.Contains(t, text, "[secret:")
	require.Contains(t, text, "then use a pool.")

	page.Press("2", "r")
	page.Type("#reason", "It is r2 of our manual? A made-up value.") // digits and letters are text here
	var chosen string
	page.Eval(`document.querySelector("input[name=decision]:checked").value`, &chosen)
	require.Equal(t, "false_alarm", chosen)
	page.Click(".decide button")
	page.Await(`location.search.includes("decided")`)
	require.Contains(t, page.HTML(), id+": false alarm.")
	require.Contains(t, page.HTML(), other, "the next case that waits")

	var out evidence.PublishOutput
	b.Must(b.Client(b.Key), "publish", fields{"content_type": "note", "title": "Connecting to the database", "body_markdown": body}, &out)
	page.Go(b.site + "/console/cases/" + id)
	var history string
	page.Eval(`document.querySelector("ol.history").innerText`, &history)
	require.Contains(t, history, "It is r2 of our manual? A made-up value.")
	require.Contains(t, history, "retried by the server")

	page.Press("?")
	var help bool
	page.Eval(`document.getElementById("keys").open`, &help)
	require.True(t, help)
	page.Press("g", "q")
	page.Await(`document.body.dataset.page === "queue"`)
	require.Empty(t, page.Complaints())
	page.Click(".out button")
	page.Await(`location.search === "?ended=1"`)
	page.Go(b.site + "/console")
	page.Await(`location.pathname === "/console/sign-in"`)
}

// exhibit fills a queue with cases of every kind.
func (b *bundle) exhibit() (refused, flagged, own string) {
	b.t.Helper()
	item, flagged := b.flagged(b.Key, "Maps that everybody may look at", "The map needs "+weakToken()+" in its address.\n\n"+strings.Repeat("A line that stays as it is.\n\n", 12))
	_, err := b.Client(b.Key).Call(b.t.Context(), "publish", fields{
		"content_type": "note", "title": "Maps", "revision_of": item.ID, "summary": "How to draw maps with a very_long_identifier_" + strings.Repeat("of_many_words_", 8),
		"body_markdown": "The map needs a key.\n\nConnect to " + dsn("map") + " first, write to anna.kowalska@posteo.de.\n\n" + strings.Repeat("A line that stays as it is.\n\n", 12),
	}, nil)
	require.Error(b.t, err)
	cases, _, err := b.Node.Moderation.Cases(b.t.Context(), store.CaseQuery{State: store.CasesAll, Limit: 1})
	require.NoError(b.t, err)
	refused = cases[0].ID.String()
	_, _, key := b.Party(store.Verification{})
	b.rejected(key, "The same", "Use "+dsn("map"))
	human, _, ownKey := b.Party(store.Verification{})
	own = b.rejected(ownKey, "Mine", dsn("mine"))
	b.key = b.KeyOf(human, "read", "moderate")
	r := b.signedIn()
	for i, what := range []string{"uphold", "uphold", "false_alarm"} {
		path := "/console/cases/" + b.rejected(b.Key, "Older", dsn(fmt.Sprint("older", i)))
		require.NotEmpty(b.t, r.post(path, r.form(path, "decision", what, "reason", "Looked at with care.")).location())
	}
	b.exec(`update moderation_cases set opened_at = opened_at - interval '5 days 3 hours' where origin = 'finding'`)
	b.exec(`update moderation_cases set opened_at = opened_at - interval '3 hours 5 minutes' where id = $1`, b.id(refused).UUID)
	b.exec(`update moderation_cases set opened_at = decided_at - interval '47 minutes' where not open`)
	return refused, flagged, own
}

func TestPagesOfTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t)
	b := setup(t)
	refused, flagged, own := b.exhibit()
	dir := shots(t)
	for _, width := range []int{400, 1280} {
		for _, dark := range []bool{false, true} {
			page := chromium.Open(t, b.site+"/console/sign-in", browser.View{Width: width, Height: 900, Dark: dark})
			look := func(name string) {
				page.Screenshot(filepath.Join(dir, fmt.Sprintf("%s-%d-%t.png", name, width, dark)))
				inspect(t, page, fmt.Sprintf("%s %d %t", name, width, dark), dark)
			}
			look("signin")
			b.enter(page)
			look("queue")
			page.Press("j", "x", "?")
			look("queue-keys")
			for name, path := range map[string]string{
				"case-refused": "/cases/" + refused, "case-flagged": "/cases/" + flagged, "case-own": "/cases/" + own, "statistics": "/statistics",
				"queue-filtered": "?state=decided&rule=uri_password", "queue-empty": "?reason=nothing",
			} {
				page.Go(b.site + "/console" + path)
				look(name)
			}
			require.Empty(t, page.Complaints())
		}
	}
}

func TestJobsAreBehindTheSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/console/jobs", "/console/jobs/", "/console/jobs/api/queues", "/console/jobs/jobs"} {
		require.Equal(t, http.StatusSeeOther, b.reader().get(path).status, path)
	}
	stranger := b.reader().do(http.MethodPost, "/console/jobs/api/jobs/delete", nil, "Content-Type", "application/json")
	require.Equal(t, http.StatusUnauthorized, stranger.status)
	r := b.signedIn()
	foreign := r.do(http.MethodPost, "/console/jobs/api/jobs/delete", nil, "Sec-Fetch-Site", "cross-site", "Content-Type", "application/json")
	require.Equal(t, http.StatusForbidden, foreign.status)
	a := r.get("/console/jobs/api/queues")
	require.Equal(t, http.StatusOK, a.status)
	require.Contains(t, a.body, "trust")
	require.NotContains(t, a.header.Get("Content-Security-Policy"), "script-src 'self' 'unsafe")

	chromium := browser.Start(t)
	page := chromium.Open(t, b.site+"/console/jobs/", browser.View{Width: 1280, Height: 900})
	b.enter(page)
	page.Await(`document.body.innerText.includes("Completed")`)
	page.Screenshot(filepath.Join(shots(t), "jobs.png"))
	require.Empty(t, page.Complaints(), "it keeps to its policy")
}

// inspect checks what every page has to keep.
func inspect(t *testing.T, page *browser.Page, name string, dark bool) {
	t.Helper()
	var seen struct {
		Scroll, Inner int
		Dark          bool
		Levels        []int
		Unlabelled    []string
		Faint         []string
		Untitled      int
	}
	page.Eval(`(() => ({
		Scroll: document.scrollingElement.scrollWidth, Inner: innerWidth,
		Dark: getComputedStyle(document.documentElement).backgroundColor === "rgb(22, 24, 26)",
		Levels: [...document.querySelectorAll("h1, h2, h3, h4")].map(h => +h.tagName[1]),
		Unlabelled: [...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(e => !e.labels.length).map(e => e.name),
		Untitled: [...document.querySelectorAll("table")].filter(t => !t.querySelector("th[scope=col]")).length,
		Faint: `+faintTexts+`,
	}))()`, &seen)
	require.LessOrEqual(t, seen.Scroll, seen.Inner, "%s: nothing scrolls sideways", name)
	require.Equal(t, dark, seen.Dark, "%s: the stylesheet is there and follows the reader", name)
	require.Empty(t, seen.Unlabelled, name)
	require.Empty(t, seen.Faint, "%s: texts with too little contrast", name)
	require.Zero(t, seen.Untitled, name)
	require.Equal(t, 1, seen.Levels[0], name)
	for i, level := range seen.Levels[1:] {
		require.LessOrEqual(t, level, seen.Levels[i]+1, "%s: headings are in order", name)
		require.Greater(t, level, 1, name)
	}
}

// faintTexts lists elements whose own text has less contrast with what is behind it than 4.5 (WCAG 2, 1.4.3).
const faintTexts = `(() => {
	const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const ground = e => {
		for (; e; e = e.parentElement) {
			const c = parse(getComputedStyle(e).backgroundColor);
			if (c.length === 3 || c[3] > 0) return c;
		}
		return [255, 255, 255];
	};
	const out = [];
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('svg, .hidden, .skip')) continue;
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (contrast < 4.5) out.push(e.tagName + '.' + e.className + ' ' + contrast.toFixed(2));
	}
	return out;
})()`

package console

import (
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"interai/evidence/moderation"
	"interai/store"
)

// queueView is a page of the queue.
type queueView struct {
	frame

	Filter  filter
	Origins []store.CaseOrigin
	Tabs    []tab
	Rows    []rowView
	Problem string
	// Decided says what was done just now.
	Decided string
	// First is the address of the first page, "" on it; Next is that of the next one, "" on the last.
	First, Next string
	Narrowed    bool
	// Tickable says that there is a case among them that the moderator may decide about.
	Tickable bool
	Choices  []choice
	// Send is where the form of many decisions goes.
	Send string
}

// tab is one state with how many cases it has.
type tab struct {
	Name, Address string
	Count         int
	Here          bool
}

// rowView is one case in the queue.
type rowView struct {
	ID, Address, State, Reason, Origin, Excerpt, Author, Party, PartyName string
	Rules                                                                 []string
	Waits                                                                 string
	Opened, Last                                                          time.Time
	Times, Seen, Decision                                                 string
	// Own says that the moderator belongs to the party.
	Own, Open bool
}

func (s *Console) queuePage(c *gin.Context) {
	started, v := s.now(), visitorOf(c)
	f, query, problem := filterOf(c.Request.URL.Query())
	status := http.StatusOK
	if after := c.Query("after"); after != "" && problem == nil {
		query.After, problem = caseAfter(after)
	}
	view := queueView{frame: s.frame(c, "Queue"), Filter: f, Origins: store.CaseOrigins(), Narrowed: len(f.values()) > 0}
	view.Here, view.Page = "queue", "queue"
	if problem != nil {
		status, view.Problem, query.After = http.StatusBadRequest, "This filter cannot be used: "+problem.Error()+".", store.ID{}
	}
	page, err := s.queue.Queue(c.Request.Context(), query)
	if !query.After.IsZero() && errors.Is(err, store.ErrNotFound) {
		s.refuse(c, http.StatusNotFound, "This page is gone", "It begins after a case that does not exist. Go back to the first page of the queue.")
		return
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	s.fillQueue(&view, &page, v.moderator, query.After)
	if done, err := store.ParseID(c.Query("decided")); err == nil {
		view.Decided = s.decided(c, done)
	}
	s.record(c, v.moderator.Actor, "console.queue", map[string]string{"filter": f.values().Encode()}, plural(len(page.Cases), "case", "cases"), "", started)
	s.render(c, status, "queue.html", view)
}

// caseAfter is the case after which a page begins.
func caseAfter(text string) (store.ID, error) {
	id, err := store.ParseID(text)
	if err != nil || id.Kind != store.KindCase {
		return store.ID{}, errors.New("a page goes on after a case, which is an ID such as cas_…")
	}
	return id, nil
}

func (s *Console) fillQueue(view *queueView, page *moderation.QueuePage, m moderation.Moderator, after store.ID) {
	now, f := s.now(), view.Filter
	counts := map[string]int{
		store.CasesOpen: page.Counts.Open, store.CasesAppealed: page.Counts.Appealed, store.CasesDecided: page.Counts.Decided,
		store.CasesAll: page.Counts.All,
	}
	for _, state := range states() {
		other := f
		other.State = state
		view.Tabs = append(view.Tabs, tab{Name: decisionLabel(state), Address: other.address(Path), Count: counts[state], Here: state == f.State})
	}
	for i := range page.Cases {
		k := &page.Cases[i]
		view.Rows = append(view.Rows, rowOf(k, page.Excerpts[k.ID], f, m, now))
		view.Tickable = view.Tickable || k.Open && !m.OwnParty(k)
	}
	if !after.IsZero() {
		view.First = f.address(Path)
	}
	if page.More {
		view.Next = f.address(Path, "after", page.Cases[len(page.Cases)-1].ID.String())
	}
	view.Choices, view.Send = choicesOf(manyDecisions(), true), f.address(Path+"/decide")
}

func rowOf(k *store.Case, excerpt store.CaseExcerpt, f filter, m moderation.Moderator, now time.Time) rowView {
	row := rowView{
		ID: k.ID.String(), Address: f.address(Path + "/cases/" + k.ID.String()), State: stateOf(k), Reason: words(k.Reason),
		Origin: string(k.Origin), Rules: k.Rules, Excerpt: oneLine(excerpt.Text), Author: oneLine(k.ActorName), Party: k.Root.String(),
		PartyName: oneLine(k.RootName), Opened: k.OpenedAt, Last: k.LastAt, Times: times(k.Times), Own: m.OwnParty(k), Open: k.Open,
		Decision: words(k.Decision), Waits: waits(k, now),
	}
	if excerpt.Seen > 0 && len(k.Rules) > 0 {
		row.Seen = times(excerpt.Seen) + " by " + plural(excerpt.SeenBy, "party", "parties")
	}
	if row.Excerpt == "" {
		row.Excerpt = "no text is kept"
	}
	return row
}

// waits is how long a case waits, or has waited: since its appeal if there is one that nobody has decided about.
func waits(k *store.Case, now time.Time) string {
	from, until := k.OpenedAt, now
	switch {
	case k.Open && k.AppealedAt != nil:
		from = *k.AppealedAt
	case !k.Open && k.DecidedAt != nil:
		until = *k.DecidedAt
	}
	return span(until.Sub(from))
}

// decided says what was decided about a case, as it is stored.
func (s *Console) decided(c *gin.Context, id store.ID) string {
	k, err := s.queue.Case(c.Request.Context(), id)
	if err != nil || k.Open || k.Decision == "" {
		return ""
	}
	return id.String() + ": " + words(k.Decision) + "."
}

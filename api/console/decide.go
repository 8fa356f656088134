package console

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"interai/api/ops"
	"interai/evidence/moderation"
	"interai/store"
)

// stateField is the field of a form with the state of the case that its reader has seen.
const stateField = "seen"

// errChanged says that somebody else was quicker.
var errChanged = errors.New("the case has changed since you opened it: look at it again before you decide")

// errDecided says that a case of a list waits no more.
var errDecided = errors.New("it was decided already: open it to decide anew")

// seenState names the state of a case, so that nobody decides about another one than they have read.
func seenState(k *store.Case) string {
	moment := func(t *time.Time) string {
		if t == nil {
			return "-"
		}
		return strconv.FormatInt(t.UnixMicro(), 10)
	}
	return strconv.FormatBool(k.Open) + "." + moment(k.DecidedAt) + "." + moment(k.AppealedAt)
}

// decisionOf reads a decision from a form.
func decisionOf(form url.Values) (moderation.Decision, error) {
	d := moderation.Decision{What: form.Get("decision"), Reason: form.Get("reason")}
	if d.What == "" {
		return d, errors.New("choose a decision")
	}
	if d.What != moderation.Limit {
		return d, nil
	}
	writes, err := strconv.Atoi(strings.TrimSpace(form.Get("writes")))
	if err != nil {
		return d, fmt.Errorf("a limit needs the writes an hour, a whole number within 1 and %d", store.MaxCapacity)
	}
	d.WritesPerHour = writes
	return d, nil
}

// decide carries out a decision about one case and goes on to the next that waits.
func (s *Console) decide(c *gin.Context) {
	id, ok := s.caseID(c)
	if !ok {
		return
	}
	started, form := s.now(), c.Request.PostForm
	f, query, _ := filterOf(c.Request.URL.Query())
	d, err := decisionOf(form)
	if err == nil {
		err = s.decideOne(c, id, d, form.Get(stateField), started)
	}
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			s.missing(c)
			return
		}
		if status, says := problem(err); says != "" {
			s.showCase(c, id, status, draft{Problem: says, Decision: d.What, Reason: d.Reason, Writes: form.Get("writes")})
			return
		}
		s.fail(c, err)
		return
	}
	next, err := s.nextCase(c, id, query)
	if err != nil {
		s.fail(c, err)
		return
	}
	to := Path
	if !next.IsZero() {
		to += "/cases/" + next.String()
	}
	c.Redirect(http.StatusSeeOther, f.address(to, "decided", id.String()))
}

// decideOne decides about a case in the state in which it was read; "" is any state in which it waits. What is refused
// is audited here, what is done by the decision itself.
func (s *Console) decideOne(c *gin.Context, id store.ID, d moderation.Decision, state string, started time.Time) error {
	ctx, m := c.Request.Context(), visitorOf(c).moderator
	d.Stands = func(k *store.Case) error {
		switch {
		case state == "" && !k.Open:
			return errDecided
		case state != "" && state != seenState(k):
			return errChanged
		}
		return nil
	}
	_, err := s.queue.Decide(ctx, m, id, d)
	if err != nil {
		code := ops.ValidationFailed
		switch {
		case errors.Is(err, store.ErrNotFound):
			code = ops.NotFound
		case store.IsUnavailable(err):
			code = ops.InternalError
		}
		s.record(c, m.Actor, "moderation.decide", map[string]string{"case": id.String()}, "refused", string(code), started)
	}
	return err
}

// problem is what a moderator is told of a refused decision, "" for a failure of the server.
func problem(err error) (status int, says string) {
	for refusal, code := range map[error]int{
		errChanged: http.StatusConflict, errDecided: http.StatusConflict, moderation.ErrOwnParty: http.StatusForbidden,
		moderation.ErrScope: http.StatusForbidden, moderation.ErrReason: http.StatusUnprocessableEntity,
		moderation.ErrReasonHolds: http.StatusUnprocessableEntity, store.ErrNotFound: http.StatusNotFound,
	} {
		if errors.Is(err, refusal) {
			return code, refusal.Error()
		}
	}
	if errors.Is(err, moderation.ErrNotOffered) {
		// What follows the ID of the case says what would fit.
		_, after, _ := strings.Cut(err.Error(), moderation.ErrNotOffered.Error())
		return http.StatusUnprocessableEntity, moderation.ErrNotOffered.Error() + after
	}
	if errors.Unwrap(err) == nil && !store.IsUnavailable(err) { // what a form lacks
		return http.StatusUnprocessableEntity, err.Error()
	}
	return http.StatusInternalServerError, ""
}

// nextCase is the next open case after one, in the order of the filter, that the moderator may decide about; the zero ID
// when there is none.
func (s *Console) nextCase(c *gin.Context, id store.ID, query store.CaseQuery) (store.ID, error) {
	if query.State != store.CasesAppealed {
		query.State = store.CasesOpen
	}
	m := visitorOf(c).moderator
	for _, after := range []store.ID{id, {}} {
		query.After, query.Limit = after, pageSize
		cases, _, err := s.queue.Cases(c.Request.Context(), query)
		if err != nil {
			return store.ID{}, err
		}
		for i := range cases {
			if cases[i].ID != id && !m.OwnParty(&cases[i]) {
				return cases[i].ID, nil
			}
		}
	}
	return store.ID{}, nil
}

// manyDecisions are those that may be made about many cases at once.
func manyDecisions() []string {
	return []string{
		moderation.Uphold, moderation.FalseAlarm, moderation.Hold, moderation.Release, moderation.Redact, moderation.Remove,
		moderation.Restore,
	}
}

// outcomeView lists what became of each of many decisions.
type outcomeView struct {
	frame

	Back     string
	Done     int
	Decision string
	Outcomes []outcome
}

// outcome is what became of one decision; Problem is "" where it was carried out.
type outcome struct{ ID, Address, Problem string }

// decideMany carries out one decision about each of many cases, each by itself.
func (s *Console) decideMany(c *gin.Context) {
	started, form := s.now(), c.Request.PostForm
	f, _, _ := filterOf(c.Request.URL.Query())
	ids, d, says := manyOf(form)
	if says != "" {
		s.refuse(c, http.StatusUnprocessableEntity, "Nothing was decided", says+" Go back to the queue and send it anew.")
		return
	}
	view := outcomeView{frame: s.frame(c, "Decisions"), Back: f.address(Path), Decision: words(d.What)}
	view.Page = "outcome"
	for _, id := range ids {
		o := outcome{ID: id.String(), Address: f.address(Path + "/cases/" + id.String())}
		if err := s.decideOne(c, id, d, "", started); err != nil {
			if _, o.Problem = problem(err); o.Problem == "" {
				s.logger.ErrorContext(c.Request.Context(), "decision failed", "case", o.ID, "error", err.Error())
				o.Problem = "the server failed: nothing was decided"
			}
		} else {
			view.Done++
		}
		view.Outcomes = append(view.Outcomes, o)
	}
	s.render(c, http.StatusOK, "outcome.html", view)
}

// manyOf reads the cases and the decision of a form, or answers what is wrong with it.
func manyOf(form url.Values) (ids []store.ID, d moderation.Decision, says string) {
	d, err := decisionOf(form)
	switch {
	case err != nil:
		return nil, d, "You did not choose a decision."
	case d.What == moderation.Limit:
		return nil, d, "A limit is set on the page of a case."
	case len(form["case"]) == 0:
		return nil, d, "No case was ticked."
	case len(form["case"]) > pageSize:
		return nil, d, "There are too many cases: at most " + strconv.Itoa(pageSize) + " at once."
	case strings.TrimSpace(d.Reason) == "":
		return nil, d, "A reason is required."
	}
	seen := map[store.ID]bool{}
	for _, text := range form["case"] {
		id, err := store.ParseID(text)
		if err != nil || id.Kind != store.KindCase {
			return nil, d, "One of the cases has no valid ID."
		}
		if !seen[id] {
			ids = append(ids, id)
		}
		seen[id] = true
	}
	return ids, d, ""
}

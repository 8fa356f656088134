package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"interai/evidence/moderation"
	"interai/store"
)

// caseView is the page of a case.
type caseView struct {
	frame

	ID, State, Reason, Origin, Tool, Times, Waits, Decision, DecidedBy string
	Opened, Last                                                       time.Time
	DecidedAt, AppealedAt                                              *time.Time
	Rejection                                                          bool
	Author, AuthorName, Root, RootName, RootNow, Object, Revises       string
	Held                                                               bool
	Findings                                                           []findingView
	Texts, Present                                                     []textView
	Changes                                                            []change
	// ChangesSay says what the changes are between.
	ChangesSay string
	Facts      string
	Party      partyView
	Events     []eventView
	// Own says that the moderator belongs to the party, and so may not decide.
	Own     bool
	Choices []choice
	Seen    string
	Draft   draft
	// JustDecided says what was decided about the case before this one.
	JustDecided string
	Back, Send  string
}

// draft is what was typed into a form that was refused, and why.
type draft struct{ Problem, Decision, Reason, Writes string }

// findingView is one finding of a case.
type findingView struct {
	No                                    int
	Rule, About, Kind, Action, Hint, Path string
	Line, Column                          int
	Length                                string
	Seen                                  string
	Marked                                bool
}

// partyView is what a party has to do with moderation so far.
type partyView struct{ Age, Size, Record string }

func (s *Console) partyOf(h *store.PartyHistory) partyView {
	return partyView{
		Age:  span(s.now().Sub(h.Since)),
		Size: plural(h.Actors, "actor", "actors") + ", " + plural(h.Contents, "item", "items"),
		Record: plural(h.Cases, "case", "cases") + " (" + strconv.Itoa(h.Open) + " open), " + plural(h.Rejections, "rejection", "rejections") + "; " +
			strconv.Itoa(h.Upheld) + " upheld, " + plural(h.FalseAlarms, "false alarm", "false alarms"),
	}
}

// eventView is one thing that happened to a case.
type eventView struct {
	At               time.Time
	What, By, Reason string
}

func (s *Console) casePage(c *gin.Context) {
	if id, ok := s.caseID(c); ok {
		s.showCase(c, id, http.StatusOK, draft{})
	}
}

// showCase answers with the page of a case; a draft is what was sent and refused.
func (s *Console) showCase(c *gin.Context, id store.ID, status int, d draft) {
	started, v := s.now(), visitorOf(c)
	dossier, ok := s.read(c.Request.Context(), c, id)
	if !ok {
		return
	}
	f, _, _ := filterOf(c.Request.URL.Query())
	view := s.caseViewOf(&dossier, v.moderator)
	view.frame = s.frame(c, "Case: "+words(dossier.Case.Reason))
	view.Page, view.Draft = "case", d
	view.Back, view.Send = f.address(Path), f.address(Path+"/cases/"+id.String())
	if done, err := store.ParseID(c.Query("decided")); err == nil && done != id {
		view.JustDecided = s.decided(c, done)
	}
	s.record(c, v.moderator.Actor, "console.case", map[string]string{"case": id.String()}, id.String()+" "+view.State, "", started)
	s.render(c, status, "case.html", view)
}

func (s *Console) caseViewOf(d *moderation.Dossier, m moderation.Moderator) caseView {
	k := &d.Case
	view := caseView{
		ID: k.ID.String(), State: stateOf(k), Reason: words(k.Reason), Origin: originSays(k.Origin), Tool: k.Tool, Times: times(k.Times),
		Waits: waits(k, s.now()), Decision: words(k.Decision), DecidedBy: k.DecidedBy.String(), Opened: k.OpenedAt, Last: k.LastAt,
		DecidedAt: k.DecidedAt, AppealedAt: k.AppealedAt, Rejection: k.Origin == store.OriginRejection,
		Author: k.Actor.String(), AuthorName: oneLine(k.ActorName), Root: k.Root.String(), RootName: oneLine(k.RootName),
		Object: k.Object.String(), Revises: k.Revises.String(), Held: d.Held, Own: m.OwnParty(k), Seen: seenState(k),
		Party: s.partyOf(&d.Party),
	}
	if k.RootNow != k.Root {
		view.RootNow = k.RootNow.String()
	}
	view.Texts = marked(k.Masked, k.Findings)
	view.Present = shown(d.Present, k.Object.Kind)
	view.Findings = s.findings(k, view.Texts)
	// What was found stands before what only surrounds it.
	slices.SortStableFunc(view.Texts, func(a, b textView) int { return cmp.Compare(b.marks(), a.marks()) })
	switch {
	case len(d.Before) > 0:
		view.Changes, view.ChangesSay = changes(d.Before, d.Present), "From the revision before to this one."
	case !k.Revises.IsZero():
		view.Changes, view.ChangesSay = changes(d.Present, sentOf(k.Masked, d.Present)), "From what is stored to what was sent and refused."
	}
	if k.Origin == store.OriginSignal {
		view.Facts = pretty(string(k.Facts))
	}
	for _, e := range d.Events {
		by := e.Actor.String()
		if by == "" {
			by = "the server"
		} else if e.ActorName != "" {
			by = oneLine(e.ActorName) + ", " + by
		}
		view.Events = append(view.Events, eventView{At: e.At, What: words(e.What), By: by, Reason: visible(e.Reason)})
	}
	if !view.Own {
		view.Choices = choicesOf(d.Offered, !k.Object.IsZero())
	}
	return view
}

func (s *Console) findings(k *store.Case, texts []textView) []findingView {
	inText := map[int]bool{}
	for _, text := range texts {
		for _, segment := range text.Segments {
			inText[segment.No] = true
		}
	}
	out := make([]findingView, 0, len(k.Findings))
	for i := range k.Findings {
		f := &k.Findings[i]
		out = append(out, findingView{
			No: i + 1, Rule: f.Rule, About: s.rules[f.Rule], Kind: words(f.Kind), Action: actionSays(f.Action), Hint: hint(f),
			Path: oneLine(f.Path), Line: f.Line, Column: f.Column, Length: plural(f.Length, "character", "characters"), Marked: inText[i+1],
			Seen: times(max(f.Seen, 1)) + " by " + plural(max(f.SeenBy, 1), "party", "parties"),
		})
	}
	return out
}

// sentOf are the sent texts at the paths of stored ones.
func sentOf(sent, stored []store.MaskedText) []store.MaskedText {
	paths := map[string]bool{}
	for _, text := range stored {
		paths[text.Path] = true
	}
	var out []store.MaskedText
	for _, text := range sent {
		if paths[text.Path] {
			out = append(out, text)
		}
	}
	return out
}

// shown are stored texts as they are read; files are named by their length.
func shown(texts []store.MaskedText, kind store.Kind) []textView {
	var out []textView
	for _, text := range texts {
		switch {
		case text.Text == "" || text.Text == "[]" || text.Text == "{}":
			continue
		case kind == store.KindAsset && text.Path == "/data":
			text.Text = "[file, " + plural(len(text.Text), "character", "characters") + " of base64]"
		}
		out = append(out, textView{Path: text.Path, Segments: []segment{{Text: visible(pretty(text.Text))}}})
	}
	return out
}

// pretty is a JSON value on lines of its own, any other text as it is.
func pretty(text string) string {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return text
	}
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

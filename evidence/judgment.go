package evidence

import (
	"context"
	"errors"
	"strconv"
	"time"

	"interai/store"
)

// judgment is what a review or a rating rests on beside its own row: the use it is based on, and its sources.
type judgment struct {
	basedOn store.ID
	sources []draftSource
}

// digestOf is what names a request with this judgment. A use has none, and is named by its row alone.
func (j *judgment) digestOf(row store.Evidence) any {
	if j == nil || len(j.sources) == 0 {
		return row
	}
	return struct {
		Evidence store.Evidence
		Sources  []draftSource
	}{row, j.sources}
}

func (j *judgment) query(r *request) store.JudgmentQuery {
	q := store.JudgmentQuery{Target: r.target, Judge: r.call.Actor, BasedOn: j.basedOn}
	for _, source := range j.sources {
		if !source.ID.IsZero() {
			q.Sources = append(q.Sources, source.ID)
		}
	}
	return q
}

// decide refuses who judges its own party's work, a basis that is none, and sources that the judge may not see.
//
// The facts were read under the lock that changes of controllers take, so the judge's party and the author's are those
// of the moment of the judgment. Somebody who becomes an author later, by a new controller or by stating the claim as
// well, has judged before: that is a matter of the trust model, which leaves out what an author's party says.
func (j *judgment) decide(judge store.ID, facts *store.JudgmentFacts) error {
	if facts.Own {
		return selfReview()
	}
	if !j.basedOn.IsZero() {
		if err := decideBasis(judge, facts.Basis); err != nil {
			return err
		}
	}
	for _, source := range j.sources {
		if _, seen := facts.Sources[source.ID]; !source.ID.IsZero() && !seen {
			return notFound("sources/" + strconv.Itoa(source.at) + "/id")
		}
	}
	return nil
}

// errUnsettled says that a judgment could not be decided on, because controllers are being changed: nothing of it was
// written, and it may be submitted again.
var errUnsettled = errors.New("controllers are being changed")

const (
	// unsettledPause is the pause before such a judgment is submitted again, unsettledPatience how long it is in all.
	unsettledPause    = 20 * time.Millisecond
	unsettledPatience = 5 * time.Second
)

// settle submits a judgment again until it can be decided on. It waits here, and not where all evidence passes.
func (s *Service) settle(ctx context.Context, r *request) (committed, error) {
	until := time.Now().Add(unsettledPatience)
	for {
		result, err := s.committer.submit(ctx, r)
		if !errors.Is(err, errUnsettled) {
			return result, err
		}
		if time.Now().After(until) {
			return committed{}, overloaded()
		}
		timer := time.NewTimer(unsettledPause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return committed{}, ctx.Err()
		}
	}
}

const basedOnUsage = "based_on_usage"

// decideBasis accepts an active use by the judge itself, of the judged target or of an older revision of it.
func decideBasis(judge store.ID, basis store.Basis) error {
	wrong := func(rule, message string) error {
		return &Error{
			Code: CodeInvalidTarget, Message: basedOnUsage + " " + message,
			Problems: []Problem{{Path: "/" + basedOnUsage, Rule: rule, Message: message}},
		}
	}
	switch {
	case basis.Kind != store.EvidenceUsage, basis.Actor != judge.UUID && !basis.Seen:
		return notFound(basedOnUsage)
	case basis.Actor != judge.UUID:
		return notAuthor(basedOnUsage + " must be a usage record of your own")
	case basis.Retracted:
		return wrong("active", "must not be retracted: report the use anew")
	case !basis.SameTarget:
		return wrong("same_target", "must be about the same target, or about an older revision of it")
	}
	return nil
}

// basis reads the ID of a usage record, the zero ID if there is none.
func basis(text string) (store.ID, error) {
	if text == "" {
		return store.ID{}, nil
	}
	id, err := store.ParseID(text)
	if err != nil || id.Kind != store.KindUsage {
		return store.ID{}, invalidTarget(basedOnUsage, "a use_ record")
	}
	return id, nil
}

// cite finds or makes the sources that the accepted reviews of a group rest on. It takes a round trip only if one of them
// names a source by its URL.
func cite(ctx context.Context, tx *store.Tx, group []*request, outcomes []outcome) ([][]store.PublishedSource, error) {
	var wanted []store.NewSource
	accepted := func(i int) bool {
		return group[i].judgment != nil && outcomes[i].err == nil
	}
	for i, r := range group {
		if !accepted(i) {
			continue
		}
		for _, source := range r.judgment.sources {
			if source.ID.IsZero() {
				wanted = append(wanted, store.NewSource{
					URL: source.URL, Family: source.Family, Title: source.Title, By: r.call.Actor,
				})
			}
		}
	}
	_, found, err := tx.EnsureNamed(ctx, store.ID{}, store.ID{}, nil, wanted)
	if err != nil {
		return nil, err
	}
	cited := make([][]store.PublishedSource, len(group))
	for i, r := range group {
		if accepted(i) {
			cited[i], found = named(r.judgment.sources, found)
		}
	}
	return cited, nil
}

// named gives sources their IDs, each once: those without one take the next ones found. It answers what is left of these.
func named(sources []draftSource, found []store.Named) ([]store.PublishedSource, []store.Named) {
	var out []store.PublishedSource
	seen := map[store.ID]bool{}
	for _, source := range sources {
		id := source.ID
		if id.IsZero() {
			id, found = found[0].ID, found[1:]
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, store.PublishedSource{ID: id, Title: source.Title})
		}
	}
	return out, found
}

// rationale is why somebody judges: inert Markdown.
func (p *problems) rationale(in string) string {
	const path = "/rationale_markdown"
	return p.atMost(path, p.markdown(path, in), maxRationale)
}

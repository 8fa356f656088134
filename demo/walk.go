package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"interai/evidence"
)

const (
	// statisticsPatience bounds the wait for the statistics of words: a job looks after them every 15 s, and a server
	// after the job's result every 5 s.
	statisticsPatience = 40 * time.Second
	// shown is how many results a step of the walk asks for.
	shown = 3
)

// misspelt is a question with a typing error in its second word.
const misspelt = "postgres autovaccum cannot keep up"

// adopted is the claim that the walk states in other words first, and adopts then.
const adopted = "rabbit-memory-alarm#1"

// walk is one reader's way from a question to a decision, and what it tells others afterwards.
type walk struct {
	*librarian

	client *session
	// patience bounds the wait for the statistics of words.
	patience time.Duration
	steps    []Step
}

func newWalk(b *librarian) *walk {
	return &walk{librarian: b, client: b.session(b.reader), patience: statisticsPatience}
}

// answer is the answer of a tool, which says the same in words as the server does.
type answer interface{ Text() string }

// step makes one call and keeps what came; out has to be empty.
func (w *walk) step(ctx context.Context, about, tool string, args any, out answer) error {
	request, err := encode(args)
	if err != nil {
		return fmt.Errorf("encode the request of %s: %w", tool, err)
	}
	var raw json.RawMessage
	if err := w.client.call(ctx, tool, args, &raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("decode the answer of %s: %w", tool, err)
	}
	w.steps = append(w.steps, Step{About: about, Tool: tool, Request: request, Text: out.Text(), Answer: raw})
	return nil
}

// note adds to the latest step what a reader should know.
func (w *walk) note(text string) { w.steps[len(w.steps)-1].Note = text }

// encode is JSON of one line that people can read.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// searchArgs are the arguments of the tool search that the walk uses.
type searchArgs struct {
	Query          string           `json:"query,omitempty"`
	Kinds          []string         `json:"kinds,omitempty"`
	AlternativesTo *alternativesArg `json:"alternatives_to,omitempty"`
	Tags           []string         `json:"tags,omitempty"`
	Limit          int              `json:"limit"`
}

type alternativesArg struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// run takes all steps.
func (w *walk) run(ctx context.Context) error {
	known, err := w.awaitStatistics(ctx)
	if err != nil {
		return err
	}
	if err := w.find(ctx, known); err != nil {
		return err
	}
	if err := w.decide(ctx); err != nil {
		return err
	}
	return w.tell(ctx)
}

// awaitStatistics waits until the server knows how common the words of what was loaded are: without them it repairs no
// spelling, and weighs all words alike. It reports false if that took too long, as it may where there is so much other
// content that the server sees no reason to count anew.
func (w *walk) awaitStatistics(ctx context.Context) (bool, error) {
	deadline, pause := time.Now().Add(w.patience), firstLook
	for {
		var out evidence.SearchOutput
		// Few results, all on one page: the server keeps no list for further pages.
		args := searchArgs{Query: misspelt, Kinds: []string{"content"}, Tags: []string{"demo", "vacuum"}, Limit: 50}
		if err := w.client.call(ctx, "search", args, &out); err != nil {
			return false, err
		}
		if out.DidYouMean != "" || time.Now().After(deadline) {
			return out.DidYouMean != "", nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return false, ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, lastLook)
	}
}

// find looks for help in three ways.
func (w *walk) find(ctx context.Context, statistics bool) error {
	for _, question := range []struct{ about, query string }{
		{"A question in natural words", "which queries make my database server slow?"},
		{"An error code", "SQLSTATE 40001"},
		{"A word misspelt: the answer says what was looked for as well", misspelt},
	} {
		args := searchArgs{Query: question.query, Kinds: []string{"content"}, Limit: shown}
		if err := w.step(ctx, question.about, "search", args, &evidence.SearchOutput{}); err != nil {
			return err
		}
	}
	if !statistics {
		w.note("The server has not counted the words of the knowledge set yet, so no spelling is repaired. Run the demo again later.")
	}
	return nil
}

// decide looks for something simpler, compares what may do, and reads the best result as a whole.
func (w *walk) decide(ctx context.Context) error {
	var found evidence.SearchOutput
	if err := w.step(ctx, "Alternatives to RabbitMQ that are simpler: both scores are shown, where there are any", "search",
		searchArgs{AlternativesTo: &alternativesArg{ID: w.ids["rabbitmq"], Reason: "simpler"}, Limit: shown}, &found); err != nil {
		return err
	}
	if len(found.Results) == 0 {
		return errors.New("the server finds no alternatives to RabbitMQ")
	}
	compared := []string{w.ids["rabbitmq"], w.ids["nats"], w.ids["river"]}
	if err := w.step(ctx, "RabbitMQ, NATS and River for something small: facts in the order asked, no winner", "compare",
		map[string]any{"ids": compared, "context": map[string]string{"scale": "small"}}, &evidence.CompareOutput{}); err != nil {
		return err
	}
	return w.step(ctx, "The best of the alternatives as a whole, with what its trust is made of", "get",
		map[string]any{"id": found.Results[0].ID, "include": []string{"body", "claims", "relations", "evidence_summary", "explanation"}},
		&evidence.GetOutput{})
}

// tell publishes what the reader has found out: first in words of its own, then with the claim that exists already.
func (w *walk) tell(ctx context.Context) error {
	note := publishArgs{
		ContentType: "note", Title: "Our publishers hung because of a memory alarm",
		Summary:      "Consumers were too slow, queues grew, and the broker stopped everybody who published.",
		BodyMarkdown: "More consumers let the queues drain; the publishers went on by themselves.\n",
		NewSubjects:  w.subjects([]string{"rabbitmq"}), Tags: []string{"demo", "rabbitmq"}, Language: "en",
		Claims:         []claimArg{{Text: "Publishers hang: RabbitMQ blocks their connections while the memory alarm is on."}},
		IdempotencyKey: idempotencyKey(knowledgeName, "note", 0, adopted),
	}
	var first evidence.PublishOutput
	if err := w.step(ctx, "The reader publishes what happened; the answer names claims that may mean the same", "publish", note, &first); err != nil {
		return err
	}
	if !suggests(&first, w.ids[adopted]) {
		w.note("The server suggests no claim of the knowledge set, so none is adopted.")
		return nil
	}
	note.RevisionOf, note.ChangeNote = first.ID, "The claim existed already: adopted."
	note.Claims = []claimArg{{ID: w.ids[adopted]}}
	note.IdempotencyKey = idempotencyKey(knowledgeName, "revision", 0, adopted)
	if err := w.step(ctx, "It means the same, so the reader adopts the existing claim: evidence gathers in one place", "publish", note,
		&evidence.PublishOutput{}); err != nil {
		return err
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	return w.step(ctx, "The claim now, with all that state it", "get",
		map[string]any{"id": w.ids[adopted], "include": []string{"relations", "evidence_summary"}}, &evidence.GetOutput{})
}

// suggests tells whether an answer of publish suggests a claim.
func suggests(out *evidence.PublishOutput, id string) bool {
	for _, claim := range out.Claims {
		for _, similar := range claim.Similar {
			if similar.ID == id {
				return true
			}
		}
	}
	return false
}

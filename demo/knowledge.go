package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"interai/api/mcp"
)

// KnowledgeReport is the outcome of RunKnowledge: how much is on the server, and what it answered on the walk.
type KnowledgeReport struct {
	// Items, Experiences and Entities were loaded. Matched is how many claims an item stated that existed already.
	Items       int `json:"items"`
	Experiences int `json:"experiences"`
	Entities    int `json:"entities"`
	Matched     int `json:"matched_claims"`
	// Actors played. Sent uses, reviews and ratings are on the server; Deferred ones met a limit.
	Actors   int `json:"actors"`
	Sent     int `json:"sent"`
	Deferred int `json:"deferred"`
	// New is how much of all this was made by this run, by the server's clock and ours: 0 if all was there already.
	New int `json:"new"`
	// Steps are the calls of the walk, in order.
	Steps   []Step  `json:"steps"`
	Seconds float64 `json:"seconds"`
}

// Step is one call of the walk.
type Step struct {
	// About says what is asked, for people; Note what they should know about the answer.
	About   string          `json:"about"`
	Tool    string          `json:"tool"`
	Request json.RawMessage `json:"request"`
	// Text is the answer in words, Answer the same as the server's JSON.
	Text   string          `json:"text"`
	Answer json.RawMessage `json:"answer"`
	Note   string          `json:"note,omitempty"`
}

// RunKnowledge loads the built-in knowledge set, waits until trust includes it, and walks from a question to a decision
// through the tools search, compare, get and publish. Of the options Data, Limit and Seed are not used. It may be
// interrupted and run again; a second run loads nothing. Only one process at a time may run it (store.ErrDemoBusy).
func RunKnowledge(ctx context.Context, o Options) (KnowledgeReport, error) {
	if o.Store == nil || o.URL == "" {
		return KnowledgeReport{}, errors.New("run the demo: Store and URL are required")
	}
	if o.Workers <= 0 {
		o.Workers = defaultWorkers
	}
	began := time.Now()
	l, err := readLibrary()
	if err != nil {
		return KnowledgeReport{}, err
	}
	release, err := o.Store.LockDemo(ctx)
	if err != nil {
		return KnowledgeReport{}, err
	}
	defer release()
	dialer, err := mcp.NewDialer(o.URL, o.Workers)
	if err != nil {
		return KnowledgeReport{}, err
	}
	defer dialer.Close()
	b := newLibrarian(l, &o, dialer)
	b.began, b.out.began = began, began
	if err := b.load(ctx); err != nil {
		return KnowledgeReport{}, fmt.Errorf("load the knowledge set: %w", err)
	}
	w := newWalk(b)
	defer w.client.close()
	if err := w.run(ctx); err != nil {
		return KnowledgeReport{}, fmt.Errorf("walk through the knowledge set: %w", err)
	}
	report := KnowledgeReport{
		Items: len(l.Items), Experiences: len(l.Experiences), Entities: len(l.Entities), Matched: b.matched,
		Actors: len(b.crew.actors), Sent: int(b.out.sent.Load()), Deferred: int(b.out.deferred.Load()),
		New: b.made + int(b.out.made.Load()), Steps: w.steps, Seconds: time.Since(began).Seconds(),
	}
	if o.Out != nil {
		err = report.WriteText(o.Out)
	}
	return report, err
}

// WriteText writes the walk for people: each request in one line, the server's answer in words under it.
func (r *KnowledgeReport) WriteText(w io.Writer) error {
	var b strings.Builder
	what := "Loaded"
	if r.New == 0 && r.Deferred == 0 {
		what = "All was there already:"
	}
	fmt.Fprintf(&b, "%s %d items, %d experiences and %d entities by %d parties; %d claims were stated before in other words; "+
		"%d uses, reviews and ratings.\n", what, r.Items, r.Experiences, r.Entities, r.Actors, r.Matched, r.Sent)
	if r.Deferred > 0 {
		fmt.Fprintf(&b, "%d more met a rate limit: run the demo again later, or against a server with a higher INTERAI_WRITES_PER_HOUR.\n", r.Deferred)
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		fmt.Fprintf(&b, "\n%d. %s\n\n> %s %s\n", i+1, step.About, step.Tool, step.Request)
		for line := range strings.Lines(step.Text) {
			if line != "\n" {
				b.WriteString("  ")
			}
			b.WriteString(line)
		}
		if step.Note != "" {
			fmt.Fprintf(&b, "\n(%s)\n", step.Note)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the walk: %w", err)
	}
	return nil
}

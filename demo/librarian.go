package demo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"interai/api/mcp"
	"interai/evidence"
	"interai/store"
)

const (
	knowledgeName = "knowledge"
	// knowledgeAuthors share the items among them, knowledgeOperators use and judge what those wrote: nobody judges
	// what he has written. The reader takes the walk.
	knowledgeAuthors   = 5
	knowledgeOperators = 12
)

// librarian loads the knowledge set into a server.
type librarian struct {
	*library

	options *Options
	dialer  *mcp.Dialer
	meter   *meter
	crew    dataset // actors only
	keys    []string
	reader  int

	ids map[string]string // public IDs by reference
	// matched is how many claims of items existed before.
	matched int
	// made is how many items and experiences are younger than began.
	made  int
	began time.Time
	refs  []string // of what opinions are about, by the index that reports have
	out   sender
}

func newLibrarian(l *library, o *Options, dialer *mcp.Dialer) *librarian {
	b := &librarian{library: l, options: o, dialer: dialer, ids: map[string]string{}}
	people := &roster{}
	for no := range knowledgeAuthors {
		people.party(author(no + 1))
	}
	for no := range knowledgeOperators {
		people.party(operator(no + 1))
	}
	b.reader = people.party("Demo " + knowledgeName + " reader")
	b.out.reports = b.reports(people)
	b.crew.actors = people.list
	b.meter = &meter{tell: o.Progress, total: len(l.Items) + len(l.Experiences) + len(b.out.reports)}
	b.out.workers, b.out.meter, b.out.session = o.Workers, b.meter, b.session
	b.out.title = func(i int) string { return b.refs[i] }
	b.out.target = func(i int) string { return b.ids[b.refs[i]] }
	return b
}

func author(no int) string   { return fmt.Sprintf("Demo %s author %d", knowledgeName, no) }
func operator(no int) string { return fmt.Sprintf("Demo %s operator %d", knowledgeName, no) }

func (b *librarian) session(actor int) *session {
	return &session{dialer: b.dialer, key: b.keys[actor]}
}

// load publishes everything and lets everybody speak, and waits until trust includes it.
func (b *librarian) load(ctx context.Context) (err error) {
	if b.keys, err = recruit(ctx, b.options.Store, &b.crew, slices.Repeat([]bool{true}, len(b.crew.actors))); err != nil {
		return err
	}
	b.meter.add(0)
	if err := b.publish(ctx); err != nil {
		return err
	}
	if err := b.out.run(ctx); err != nil {
		return err
	}
	return b.settle(ctx)
}

// publish publishes items and experiences one after the other, because they refer to each other.
func (b *librarian) publish(ctx context.Context) error {
	sessions := make([]*session, len(b.crew.actors))
	defer func() {
		for _, s := range sessions {
			s.close()
		}
	}()
	for i := range sessions {
		sessions[i] = b.session(i)
	}
	for i := range b.Items {
		if err := b.publishItem(ctx, sessions[b.Items[i].Author-1], &b.Items[i]); err != nil {
			return err
		}
	}
	for i := range b.Experiences {
		x := &b.Experiences[i]
		args := x.submission(b.library, b.ids)
		args.IdempotencyKey = idempotencyKey(knowledgeName, "experience", 0, x.Key)
		var out evidence.SubmitExperienceOutput
		if err := sessions[knowledgeAuthors+x.Operator-1].call(ctx, "submit_experience", args, &out); err != nil {
			return fmt.Errorf("%s: %w", x.Title, err)
		}
		b.ids[x.Key] = out.ID
		b.note(out.ID)
	}
	return nil
}

func (b *librarian) publishItem(ctx context.Context, s *session, e *entry) error {
	args := e.publication(b.library, b.ids)
	args.IdempotencyKey = idempotencyKey(knowledgeName, "item", 0, e.Key)
	var out evidence.PublishOutput
	if err := s.call(ctx, "publish", args, &out); err != nil {
		return fmt.Errorf("%s: %w", e.Title, err)
	}
	if len(out.Claims) != len(e.Claims) || len(out.Subjects) != len(e.About) {
		return fmt.Errorf("%s: the server sees %d claims and %d subjects in %d and %d", e.Title, len(out.Claims), len(out.Subjects),
			len(e.Claims), len(e.About))
	}
	b.ids[e.Key] = out.ID
	for i, key := range e.About {
		b.ids[key] = out.Subjects[i].ID
	}
	for i, claim := range out.Claims {
		b.ids[claimRef(e.Key, i)] = claim.ID
		if claim.MatchedExisting {
			b.matched++
		}
	}
	b.note(out.ID)
	return nil
}

// note counts what was published, and what of it was made just now.
func (b *librarian) note(id string) {
	if madeSince(id, b.began) {
		b.made++
	}
	b.meter.add(1)
}

// madeSince tells whether an object was made at a time or later. IDs begin with the time of their making; a call that
// was answered before is answered with the ID of then.
func madeSince(id string, began time.Time) bool {
	parsed, err := store.ParseID(id)
	if err != nil {
		return false
	}
	made := time.Unix(parsed.UUID.Time().UnixTime())
	return !made.Before(began.Truncate(time.Millisecond)) // an ID knows no less
}

// settle waits until trust includes all evidence about what was loaded.
func (b *librarian) settle(ctx context.Context) error {
	var targets []store.ID
	for _, text := range slices.Compact(slices.Sorted(maps.Values(b.ids))) {
		id, err := store.ParseID(text)
		if err != nil {
			return fmt.Errorf("read an ID: %w", err)
		}
		targets = append(targets, id)
	}
	return settle(ctx, b.options.Store, targets)
}

// reports are the opinions, one by one: first everybody's use, then what is thought of it.
func (b *librarian) reports(people *roster) []report {
	var out []report
	index, same := map[string]int{}, counter{}
	for i := range b.Opinions {
		o := &b.Opinions[i]
		if _, known := index[o.Of]; !known {
			index[o.Of] = len(b.refs)
			b.refs = append(b.refs, o.Of)
		}
		say := func(at int, what string, args statement) {
			name := operator((o.First-1+at)%knowledgeOperators + 1)
			out = append(out, report{
				actor: people.party(name), item: index[o.Of], args: args,
				key: idempotencyKey(knowledgeName, what, same.next(what, o.Of, name), o.Of, name),
			})
		}
		for at, result := range o.Results {
			say(at, "use", usageArgs{UsageType: "configuration", Result: result, RealWorldUse: true, Context: o.Context})
		}
		for at, verdict := range o.Verdicts {
			say(at, "review", reviewArgs{Verdict: verdict})
		}
		for _, dimension := range slices.Sorted(maps.Keys(o.Ratings)) {
			for at, score := range o.Ratings[dimension] {
				say(at, "rate "+dimension, rateArgs{Dimension: dimension, Score: score, Context: o.Context})
			}
		}
	}
	return out
}

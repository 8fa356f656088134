package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"interai/api/mcp"
	"interai/evidence"
	"interai/store"
)

const (
	// lagPatience is how long trust may make no progress before the wait is given up.
	lagPatience = 2 * time.Minute
	firstLook   = 50 * time.Millisecond
	lastLook    = time.Second
	// lookAtOnce is how many targets one look asks about; getAtOnce how many reads one session makes.
	lookAtOnce = 500
	getAtOnce  = 64
)

// play is one data set being played.
type play struct {
	*dataset
	options *Options
	dialer  *mcp.Dialer
	meter   *meter

	usedItems, usedPubs, usedActors []bool
	keys                            []string // by actor
	published                       []evidence.PublishOutput
	out                             sender
}

func newPlay(d *dataset, o *Options, dialer *mcp.Dialer, m *meter) *play {
	p := &play{dataset: d, options: o, dialer: dialer, meter: m, published: make([]evidence.PublishOutput, len(d.publications))}
	p.usedItems, p.usedPubs, p.usedActors = d.used()
	p.out.reports, p.out.workers, p.out.meter = d.reports, o.Workers, m
	p.out.session, p.out.target, p.out.title = p.session, p.target, func(i int) string { return d.items[i].title }
	return p
}

// counts says what was sent, what was left for a later run, and by how many actors.
func (p *play) counts() counts {
	return counts{sent: int(p.out.sent.Load()), deferred: int(p.out.deferred.Load()), actors: count(p.usedActors)}
}

// run publishes, reports, waits until trust has caught up, and reads the results.
func (p *play) run(ctx context.Context) (rows []Row, err error) {
	if p.keys, err = recruit(ctx, p.options.Store, p.dataset, p.usedActors); err != nil {
		return nil, err
	}
	if err := p.publish(ctx); err != nil {
		return nil, err
	}
	if err := p.out.run(ctx); err != nil {
		return nil, err
	}
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	return p.collect(ctx)
}

func (p *play) session(actor int) *session {
	return &session{dialer: p.dialer, key: p.keys[actor]}
}

// byActor groups the indexes 0 to n-1 by actor, the longest group first, so that no worker is left alone with it at
// the end. actor answers -1 for an index to leave out.
func byActor(n int, actor func(i int) int) [][]int {
	groups := map[int][]int{}
	for i := range n {
		if a := actor(i); a >= 0 {
			groups[a] = append(groups[a], i)
		}
	}
	out := make([][]int, 0, len(groups))
	for _, group := range groups {
		out = append(out, group)
	}
	slices.SortFunc(out, func(a, b []int) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return a[0] - b[0]
	})
	return out
}

func (p *play) publish(ctx context.Context) error {
	groups := byActor(len(p.publications), func(i int) int {
		if !p.usedPubs[i] {
			return -1
		}
		return p.publications[i].author
	})
	return forEach(ctx, p.options.Workers, len(groups), func(ctx context.Context, g int) error {
		s := p.session(p.publications[groups[g][0]].author)
		defer s.close()
		for _, i := range groups[g] {
			if err := p.publishOne(ctx, s, i); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *play) publishOne(ctx context.Context, s *session, i int) error {
	args, out := p.publications[i].args, &p.published[i]
	args.IdempotencyKey = p.publications[i].key
	if err := s.call(ctx, "publish", args, out); err != nil {
		return fmt.Errorf("%s: %w", args.Title, err)
	}
	if len(out.Claims) != len(args.Claims) {
		return fmt.Errorf("%s: the server sees %d claims in %d", args.Title, len(out.Claims), len(args.Claims))
	}
	p.meter.add(1)
	return nil
}

// target is the public ID of an item whose publication is done.
func (p *play) target(i int) string {
	it := p.items[i]
	if it.claim >= 0 {
		return p.published[it.pub].Claims[it.claim].ID
	}
	return p.published[it.pub].ID
}

// settle waits until trust includes all evidence about the items.
func (p *play) settle(ctx context.Context) error {
	var targets []store.ID
	for i := range p.items {
		if !p.usedItems[i] {
			continue
		}
		id, err := store.ParseID(p.target(i))
		if err != nil {
			return fmt.Errorf("read the ID of %s: %w", p.items[i].title, err)
		}
		targets = append(targets, id)
	}
	return settle(ctx, p.options.Store, targets)
}

// settle waits until trust includes all evidence about the targets.
func settle(ctx context.Context, db *store.Store, targets []store.ID) error {
	for chunk := range slices.Chunk(targets, lookAtOnce) {
		if err := settled(ctx, lagPatience, func(ctx context.Context) (int64, error) {
			return db.LaggingAmong(ctx, chunk)
		}); err != nil {
			return err
		}
	}
	return nil
}

// settled polls until lagging answers 0. It gives up when the number has not fallen for as long as patience.
func settled(ctx context.Context, patience time.Duration, lagging func(context.Context) (int64, error)) error {
	best, since, pause := int64(-1), time.Now(), firstLook
	for {
		n, err := lagging(ctx)
		if err != nil || n == 0 {
			return err
		}
		if best < 0 || n < best {
			best, since = n, time.Now()
		} else if time.Since(since) > patience {
			return ErrTrustLags
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, lastLook)
	}
}

// collect reads each item through the tool get, as any agent would.
func (p *play) collect(ctx context.Context) ([]Row, error) {
	rows := p.rows()
	chunks := slices.Collect(slices.Chunk(rows, getAtOnce))
	err := forEach(ctx, p.options.Workers, len(chunks), func(ctx context.Context, c int) error {
		s := p.session(p.publications[p.items[chunks[c][0].item].pub].author)
		defer s.close()
		for i := range chunks[c] {
			row := &chunks[c][i]
			var out evidence.GetOutput
			args := map[string]any{"id": row.ID, "include": []string{"evidence_summary"}}
			if err := s.call(ctx, "get", args, &out); err != nil {
				return fmt.Errorf("read %s: %w", row.Title, err)
			}
			if out.Trust == nil {
				return fmt.Errorf("read %s: the answer has no trust", row.Title)
			}
			row.Status, row.Value, row.Lower, row.Upper = out.Status, out.Trust.Value, out.Trust.LowerBound, out.Trust.UpperBound
			row.Confirmations, row.Contradictions = out.Trust.Confirmations, out.Trust.Contradictions
			p.meter.add(1)
		}
		return nil
	})
	return rows, err
}

// rows are the used items in order, with what is known without the server.
func (p *play) rows() []Row {
	sums, ns := make([]float64, len(p.items)), make([]int, len(p.items))
	for _, r := range p.reports {
		if share, says := r.args.outcome(); says {
			sums[r.item] += share
			ns[r.item]++
		}
	}
	var rows []Row
	for i, it := range p.items {
		if !p.usedItems[i] {
			continue
		}
		rows = append(rows, Row{
			Set: p.name, ID: p.target(i), Title: it.title, Truth: it.truth, Judged: it.known,
			Reports: ns[i], Share: sums[i] / float64(max(ns[i], 1)), item: i,
		})
	}
	return rows
}

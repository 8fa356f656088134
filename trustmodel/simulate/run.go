package simulate

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"interai/trustmodel"
)

// attackExposure is the mean number of parties that try a target in the worlds
// that are attacked.
const attackExposure = 5

// Run simulates o and reports. It uses all processors; the report does not
// depend on how many there are.
func Run(ctx context.Context, o Options) (Report, error) {
	o, err := o.complete()
	if err != nil {
		return Report{}, fmt.Errorf("check options: %w", err)
	}
	m, err := trustmodel.NewModel(o.Params)
	if err != nil {
		return Report{}, err
	}
	b := newBatch(&o, m)
	if err := b.run(ctx); err != nil {
		return Report{}, fmt.Errorf("simulate: %w", err)
	}
	return b.report(), nil
}

// batch is the work of one run: independent tasks, each with its own place for
// what it finds.
type batch struct {
	options *Options
	model   *trustmodel.Model
	attacks []attack
	tasks   []func(ctx context.Context) error

	honest   [][]tally   // by exposure and seed
	rankings [][]Ranking // by attack and seed
	blows    [][]blow    // by variant and seed
}

func newBatch(o *Options, m *trustmodel.Model) *batch {
	b := &batch{options: o, model: m}
	b.attacks, _ = chosen(o.Attacks) // checked with the other options
	for _, exposure := range o.Exposures {
		b.honest = append(b.honest, b.honestTasks(exposure))
	}
	if len(o.Attacks) == 0 {
		for _, a := range rankingAttacks() {
			b.rankings = append(b.rankings, b.rankingTasks(a))
		}
	}
	for i := range b.attacks {
		for j := range b.attacks[i].variants {
			b.blows = append(b.blows, b.attackTasks(&b.attacks[i], &b.attacks[i].variants[j]))
		}
	}
	return b
}

func (b *batch) honestTasks(exposure float64) []tally {
	found := make([]tally, len(b.options.Seeds))
	for i, seed := range b.options.Seeds {
		b.tasks = append(b.tasks, func(ctx context.Context) error {
			return found[i].measureHonest(ctx, newWorld(b.model, b.options.setting(exposure), seed))
		})
	}
	return found
}

func (b *batch) rankingTasks(a rankingAttack) []Ranking {
	found := make([]Ranking, len(b.options.Seeds))
	for i, seed := range b.options.Seeds {
		b.tasks = append(b.tasks, func(ctx context.Context) (err error) {
			found[i], err = rankOnce(ctx, newWorld(b.model, b.options.setting(rankingExposure), seed), &a, seed)
			return err
		})
	}
	return found
}

func (b *batch) attackTasks(a *attack, v *variant) []blow {
	found := make([]blow, len(b.options.Seeds))
	for i, seed := range b.options.Seeds {
		b.tasks = append(b.tasks, func(ctx context.Context) (err error) {
			found[i], err = strikeOnce(ctx, b.model, b.options.setting(attackExposure), a, v, seed)
			return err
		})
	}
	return found
}

// run works the tasks off. The first error ends it, once the tasks in work are
// done.
func (b *batch) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan func(context.Context) error)
	var workers sync.WaitGroup
	var progress sync.Mutex
	done := 0
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for task := range queue {
				if err := task(ctx); err != nil {
					cancel(err)
				}
				progress.Lock()
				done++
				if b.options.Progress != nil {
					b.options.Progress(done, len(b.tasks))
				}
				progress.Unlock()
			}
		})
	}
	for _, task := range b.tasks {
		if ctx.Err() != nil {
			break
		}
		queue <- task
	}
	close(queue)
	workers.Wait()
	return context.Cause(ctx)
}

func (b *batch) report() Report {
	r := Report{
		ParamsHash: b.options.Params.Hash(), Changed: changes(b.options.Params), Seeds: b.options.Seeds,
		Parties: b.options.Parties, Targets: b.options.Targets,
	}
	for i, found := range b.honest {
		var all tally
		for j := range found {
			all.add(&found[j])
		}
		r.Honest = append(r.Honest, all.mean(b.options.Exposures[i]))
	}
	for _, found := range b.rankings {
		r.Rankings = append(r.Rankings, meanRanking(found))
	}
	for _, found := range b.blows {
		r.Attacks = append(r.Attacks, meanStrike(found))
	}
	r.Goals = r.goals()
	return r
}

// changes lists what sets p apart from trust-v1.
func changes(p trustmodel.Params) []trustmodel.Constant {
	var out []trustmodel.Constant
	v1 := trustmodel.V1().Constants()
	for i, c := range p.Constants() {
		if c != v1[i] {
			out = append(out, c)
		}
	}
	return out
}

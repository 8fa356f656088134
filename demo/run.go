package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"interai/api/mcp"
	"interai/store"
)

// Options say what to play, and against which server.
type Options struct {
	// Store is the database of the running server: demo actors and their keys are made there, and it tells when
	// trust has caught up. Required.
	Store *store.Store
	// URL is the server's MCP endpoint, such as http://127.0.0.1:8080/mcp. Required.
	URL string
	// Data is a directory with data in one of the documented forms (docs/DEMO.md); "" is the built-in world.
	Data string
	// Limit is how many reports are sent at most, over all data sets; 0 means all.
	Limit int
	// Workers is how many MCP clients work at once; 0 means 16.
	Workers int
	// Out gets the final table; nil means nowhere.
	Out io.Writer
	// Progress is told how many calls are done, one call at a time; nil means nobody.
	Progress func(done, total int)
	// Seed makes the built-in world; 0 means 1. Another seed is another world beside the first.
	Seed int64
}

const (
	defaultWorkers = 16
	defaultSeed    = 1
)

// ErrTrustLags says that trust did not include all evidence in time: the server's workers do not run, or are busy.
var ErrTrustLags = errors.New("trust does not include all evidence yet: does the server run its workers? Run the demo again to go on")

// Run plays all data sets and compares what trust makes of them with the truth. It may be interrupted and run again
// at any time: what is done already changes nothing. Only one process at a time may run it (store.ErrDemoBusy).
func Run(ctx context.Context, o Options) (Report, error) {
	if o.Store == nil || o.URL == "" {
		return Report{}, errors.New("run the demo: Store and URL are required")
	}
	if o.Workers <= 0 {
		o.Workers = defaultWorkers
	}
	began := time.Now()
	sets, err := o.datasets()
	if err != nil {
		return Report{}, err
	}
	release, err := o.Store.LockDemo(ctx)
	if err != nil {
		return Report{}, err
	}
	defer release()
	dialer, err := mcp.NewDialer(o.URL, o.Workers)
	if err != nil {
		return Report{}, err
	}
	defer dialer.Close()
	meter := newMeter(o.Progress, sets)
	report := Report{}
	for _, d := range sets {
		p := newPlay(d, &o, dialer, meter)
		rows, err := p.run(ctx)
		if err != nil {
			return Report{}, fmt.Errorf("play %s: %w", d.name, err)
		}
		report.add(d, rows, p.counts())
	}
	report.Seconds = time.Since(began).Seconds()
	if o.Out != nil {
		err = report.WriteTable(o.Out)
	}
	return report, err
}

// datasets makes or reads the data sets, cut to the limit.
func (o *Options) datasets() ([]*dataset, error) {
	var sets []*dataset
	if o.Data == "" {
		seed := o.Seed
		if seed == 0 {
			seed = defaultSeed
		}
		sets = []*dataset{world(seed)}
	} else {
		var err error
		if sets, err = load(o.Data); err != nil {
			return nil, err
		}
	}
	if o.Limit > 0 {
		sizes := make([]int, len(sets))
		for i, d := range sets {
			sizes[i] = len(d.reports)
		}
		for i, n := range share(o.Limit, sizes) {
			sets[i].limitTo(n)
		}
	}
	return sets, nil
}

// meter counts calls for the progress bar.
type meter struct {
	mu          sync.Mutex
	tell        func(done, total int)
	done, total int
}

func newMeter(tell func(done, total int), sets []*dataset) *meter {
	m := &meter{tell: tell}
	for _, d := range sets {
		items, publications, _ := d.used()
		m.total += count(items) + count(publications) + len(d.reports)
	}
	m.add(0)
	return m
}

func (m *meter) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
	if m.tell != nil {
		m.tell(m.done, m.total)
	}
}

func count(marks []bool) int {
	n := 0
	for _, mark := range marks {
		if mark {
			n++
		}
	}
	return n
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// caller makes one call at a time and waits for its end.
type caller interface {
	call(ctx context.Context) error
}

// window is when a measurement takes place: after a warm-up at the same load.
type window struct {
	WarmUp  time.Duration `json:"warm_up"`
	Measure time.Duration `json:"measure"`
}

// sample is one measurement.
type sample struct {
	Calls   int           `json:"calls"` // that ended within the measurement
	Acked   int           `json:"acked"` // all that succeeded, the warm-up's too
	Elapsed time.Duration `json:"elapsed"`
	P50     time.Duration `json:"p50"`
	P99     time.Duration `json:"p99"`
	CPU     usage         `json:"cpu"`
	Behind  int64         `json:"behind"` // targets whose last evidence trust did not include at the end; ours only
}

func (s sample) rate() float64 { return float64(s.Calls) / s.Elapsed.Seconds() }

func (s sample) perCall(cpu time.Duration) float64 {
	return float64(cpu.Microseconds()) / float64(max(s.Calls, 1))
}

// callTimeout bounds one call; a call that takes longer ends the run.
const callTimeout = 30 * time.Second

// drive lets every caller call again and again, and tells what happened within the window. A call that has begun is
// always waited for, so that the number of acknowledged calls is exact.
func drive(ctx context.Context, w window, callers []caller, watch watched) (sample, error) {
	began := time.Now().Add(w.WarmUp)
	ends := began.Add(w.Measure)
	ctx, cancel := context.WithDeadline(ctx, ends.Add(callTimeout))
	defer cancel()

	loops := make([]loop, len(callers))
	var running sync.WaitGroup
	for i, c := range callers {
		running.Go(func() { loops[i].run(ctx, c, began, ends) })
	}
	cpu, elapsed, cpuErr := watchCPU(began, ends, watch)
	running.Wait()

	out := sample{Elapsed: elapsed, CPU: cpu}
	var latencies []time.Duration
	errs := []error{cpuErr}
	for i := range loops {
		latencies = append(latencies, loops[i].latencies...)
		out.Acked += loops[i].acked
		errs = append(errs, loops[i].err)
	}
	if err := errors.Join(errs...); err != nil {
		return out, err
	}
	slices.Sort(latencies)
	out.Calls = len(latencies)
	out.P50, out.P99 = quantile(latencies, .5), quantile(latencies, .99)
	if out.Calls == 0 {
		return out, errors.New("no call ended within the measurement")
	}
	return out, nil
}

// watchCPU tells the CPU time used between two moments, and how long that really was.
func watchCPU(began, ends time.Time, watch watched) (usage, time.Duration, error) {
	<-time.After(time.Until(began))
	first := time.Now()
	before, err := watch.read()
	if err != nil {
		return usage{}, 0, err
	}
	<-time.After(time.Until(ends))
	after, err := watch.read()
	return after.minus(before), time.Since(first), err
}

// loop is what one caller did.
type loop struct {
	latencies []time.Duration // of calls that ended within the window
	acked     int
	err       error
}

func (l *loop) run(ctx context.Context, c caller, began, ends time.Time) {
	for {
		from := time.Now()
		if !from.Before(ends) {
			return
		}
		if err := c.call(ctx); err != nil {
			l.err = fmt.Errorf("after %d calls: %w", l.acked, err)
			return
		}
		l.acked++
		if to := time.Now(); to.After(began) && to.Before(ends) {
			l.latencies = append(l.latencies, to.Sub(from))
		}
	}
}

// quantile is the smallest value that the share q of sorted values does not exceed; 0 for no values.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	at := int(q*float64(len(sorted))+.9999999) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

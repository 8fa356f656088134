package node

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"interai/api/ops"
	"interai/store"
)

// metrics are the figures of one node, in a registry of their own.
type metrics struct {
	registry  *prometheus.Registry
	calls     *prometheus.CounterVec
	durations *prometheus.HistogramVec
	folds     prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "interai_calls_total", Help: "Calls by operation, adapter and error code; the code is empty on success.",
		}, []string{"operation", "adapter", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "interai_call_duration_seconds", Help: "Time from a call's arrival to its encoded answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation"}),
		folds: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "interai_snapshots_total", Help: "Trust snapshots computed by this node.",
		}),
	}
	m.registry.MustRegister(m.calls, m.durations, m.folds,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observe counts a finished call. A name that is no operation is one label value, whatever it was.
func (m *metrics) observe(_ context.Context, entry ops.Entry) {
	operation := entry.Operation
	if entry.Effect == "" {
		operation = "unknown"
	}
	m.calls.WithLabelValues(operation, entry.Meta.Adapter, string(entry.Code)).Inc()
	m.durations.WithLabelValues(operation).Observe(entry.Duration.Seconds())
}

func (m *metrics) folded(store.ID, int64) { m.folds.Inc() }

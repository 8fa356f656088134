package node

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"interai/api/ops"
	"interai/store"
)

// Names of the metrics.
const (
	callsMetric     = "interai_calls_total"
	durationsMetric = "interai_call_duration_seconds"
	snapshotsMetric = "interai_snapshots_total"
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
			Name: callsMetric, Help: "Calls by operation, adapter and error code; the code is empty on success.",
		}, []string{"operation", "adapter", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: durationsMetric, Help: "Time from a call's arrival to its encoded answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation"}),
		folds: prometheus.NewCounter(prometheus.CounterOpts{
			Name: snapshotsMetric, Help: "Trust snapshots computed by this node.",
		}),
	}
	m.registry.MustRegister(m.calls, m.durations, m.folds,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// MetricNames lists the metrics of a node's own, beside those of the Go runtime and of the process.
func MetricNames() []string {
	return []string{callsMetric, durationsMetric, snapshotsMetric}
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

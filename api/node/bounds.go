package node

import (
	"fmt"
	"time"

	"interai/antiabuse/gcra"
	"interai/api/limits"
	"interai/api/ops"
	"interai/api/tools"
	"interai/store"
)

const (
	// perRoot bounds how many calls of one party run at once; further ones wait.
	perRoot = 128
	// publicationsPerRoot bounds how many of them are publications: each holds a connection of the pool for its whole
	// transaction. Evidence shares one connection in the group commit, which would be slower with fewer at once.
	publicationsPerRoot = 8
	// waiting bounds how many calls may wait for a place.
	waiting = 4096
	// maxReaders bounds the meters of reads.
	maxReaders = 100_000
)

// httpBounds are what the transports over HTTP share.
type httpBounds struct {
	bodies                   *limits.Bodies
	requests, reads, streams *limits.Gate
}

// httpBounds bounds requests from their first byte to the last byte of their answer. There is room for more of them
// than calls are in work at once: some read, some wait, some write.
func (n *Node) httpBounds() (*httpBounds, error) {
	c := &n.Config
	bodies, err := limits.NewBodies(limits.BodiesConfig{
		Memory: c.BodyMemory, Ordinary: c.BodyLimit, Large: c.PublishBodyLimit, Patience: ops.DefaultReadDeadline,
	})
	if err != nil {
		return nil, err
	}
	requests, err := limits.NewGate(limits.GateConfig{Active: 4 * c.MaxActiveCalls, ActivePerKey: c.MaxActiveCalls, Queue: waiting})
	if err != nil {
		return nil, err
	}
	reads, err := limits.NewGate(limits.GateConfig{Active: c.MaxActiveCalls, ActivePerKey: max(1, c.MaxActiveCalls/8), Queue: waiting})
	if err != nil {
		return nil, err
	}
	streams, err := limits.NewGate(limits.GateConfig{Active: c.MaxStreams, ActivePerKey: c.MaxStreams / 4, Queue: 1})
	if err != nil {
		return nil, err
	}
	return &httpBounds{bodies: bodies, requests: requests, reads: reads, streams: streams}, nil
}

func (n *Node) writeLimits() store.WriteLimits {
	return store.WriteLimits{Root: n.Config.WritesPerHour, Actor: n.Config.ActorWritesPerHour}
}

// executors answers what makes executors that share the node's bounds.
func (n *Node) executors() (func(*ops.Registry) *ops.Executor, error) {
	active := n.Config.MaxActiveCalls
	calls, err := limits.NewGate(limits.GateConfig{Active: active, ActivePerKey: min(perRoot, active), Queue: waiting})
	if err != nil {
		return nil, err
	}
	publications, err := limits.NewGate(limits.GateConfig{Active: active, ActivePerKey: min(publicationsPerRoot, active), Queue: waiting})
	if err != nil {
		return nil, err
	}
	rate, err := gcra.New(n.Config.ReadsPerHour, time.Hour)
	if err != nil {
		return nil, fmt.Errorf("bound reads: %w", err)
	}
	reads := gcra.NewMeters(rate, maxReaders)
	return func(registry *ops.Registry) *ops.Executor {
		admission := &limits.Admission{
			Calls: calls, Publications: publications, Heavy: tools.Publishes, Reads: reads, Now: time.Now,
			IsRead: func(operation string) bool {
				op, known := registry.Lookup(operation)
				return known && op.Spec().Effect == ops.Read
			},
		}
		return ops.NewExecutor(registry, ops.WithLogger(n.logger), ops.WithMaxNesting(n.Config.MaxNesting), ops.WithAuditor(tools.NewAuditor(n.audit)),
			ops.WithAdmission(admission.Admit), ops.WithCharger(n.limiter.Charge), ops.WithScreen(tools.Screen(n.Moderation)),
			ops.WithCleaner(n.Moderation.Clean), ops.WithObserver(n.metrics.observe))
	}, nil
}

// Package ops owns operations as such: the immutable registry of what a server
// offers, the schemas derived from Go structs, and the one executor that
// authenticates, bounds, validates, runs, encodes and audits a call.
//
// It never sees a transport, SQL or a domain rule: adapters (MCP, Actions, the
// command line) translate their wire into a [Call] and a [Result] back, and
// services bind themselves with [Define]. Start reading at [Executor.Execute].
package ops

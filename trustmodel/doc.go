// Package trustmodel owns the mathematics of trust-v1: how one evidence record
// becomes a strength, how the strengths of all parties become a posterior with
// an interval and counters, and which raw status those figures earn.
//
// It is pure: plain structs in, plain structs out, no clock, no I/O, no state
// between calls. The same input gives the same bits on every run, in whatever
// order records, bins and parties arrive, because everything that is added up
// is an integer. It never decides who a party is, never reads a database, and
// never keeps a status between two computations.
//
// Start reading at [Model]: build one with [NewModel] from [V1], turn records
// into [Sums] with [Model.Sums], and evaluate a target with [Model.Compute].
// docs/TRUST_MODEL.md explains the same model to its users.
package trustmodel

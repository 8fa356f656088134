// Package trustbench owns the measurements of the trust model on data whose
// outcomes are known: labels with a gold truth, usage reports over time, a signed
// trust network, and numeric ratings. It holds tests only: it compares the model
// with plain rules and with published methods, and never changes either.
//
// The data is no part of this tree. The tests read the directory that
// INTERAI_DATA names, and are skipped where there is none. `make bench-trust`
// prints the whole table, `make bench-simulate` the goals of the simulation.
package trustbench

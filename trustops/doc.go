// Package trustops owns what operators do with versions of the trust model: make one, compute it beside the active one,
// compare two, switch, and take one out of service. It decides which of that is allowed when; it computes no trust
// itself and writes no SQL.
//
// Start reading at [Versions] and [Compare].
package trustops

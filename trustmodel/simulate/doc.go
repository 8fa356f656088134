// Package simulate measures the trust model where the truth is known: it makes
// worlds of honest parties and their evidence, lets attackers loose on them, and
// sets what the model publishes beside the truth and beside simpler rules.
//
// It is pure and deterministic: the same options give the same report, whatever
// the number of processors, because every world draws from generators seeded by
// the world's seed and by what is drawn. It never reads a clock, a file or a
// database, and never changes the model: other parameters are given to it.
//
// Start reading at [Run]. The worlds are ours, and attackers adapt: a report
// tells where the model breaks, never that it cannot be broken.
package simulate

// Package backfill measures how long it takes to compute a new version of the trust model beside the active one: many
// targets with their evidence, a real PostgreSQL with its own settings, real River jobs, the real worker.
//
// It is test code only, driven by BenchmarkBackfill ("make bench-backfill"), and never imported. A run ends by proving
// that both versions hold every record of every target. Start reading at BenchmarkBackfill.
package backfill

// Package antiabuse owns verdicts on what callers send: for now which URL is a source, what its canonical form is
// and to which family of sources it belongs. It is pure: no clock, no network, no database.
//
// Start reading at [ParseSource].
package antiabuse

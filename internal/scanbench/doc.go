// Package scanbench measures the scanners of antiabuse on a corpus of templates: what they find, what they find
// wrongly, and how fast, beside a well-known scanner. The expander of the corpus (expand.go) comes from the corpus
// itself (CC0). The package is for tests only; start reading at [Case].
package scanbench

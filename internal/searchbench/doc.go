// Package searchbench owns the measurements of search and of claim keys on data whose answers are known: queries with
// judged documents, and pairs of claims that are or are not the same. It holds tests only: it compares what the
// product does with published methods and with plain rules, and never changes either.
//
// The data is no part of this tree. The tests read the directory that INTERAI_DATA names, or the sibling folder
// ../shared/data of the checkout, and are skipped where there is none. Any search can be measured: write an engine and
// give it to measure.
package searchbench

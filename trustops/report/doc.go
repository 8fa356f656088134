// Package report owns how a comparison of two versions looks as a document: one self-contained HTML file, its plots
// drawn into it. It computes nothing and reads nothing.
//
// Start reading at [HTML].
package report

// Package arch holds the tests of the tree's structure: which package may import which, and which library lives
// where. It has no code of its own.
package arch

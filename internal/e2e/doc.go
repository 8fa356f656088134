// Package e2e builds the binary and drives it from outside, as its users do. It has tests only.
package e2e

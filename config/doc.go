// Package config owns interai's options: their names, defaults, rules and
// documentation, and the one Config that comes of command-line flags, INTERAI_*
// variables, an optional interai.yaml and the defaults, in that order.
//
// It never opens a connection or a listener, and never shows a secret. Every
// option is declared once, in the table of options.go; start reading there.
package config

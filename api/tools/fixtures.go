//go:build !conformance

package tools

import "interai/api/ops"

// fixtures are none: what the conformance suite calls is not in a server that people run.
func fixtures() []ops.Operation { return nil }

package main

import (
	"os"
	"runtime/debug"
)

// gcPercent trades some memory for far fewer collections: the protocol library makes a fresh buffer for each of the
// many small documents of a call, beside a small live heap. Measured at 2.7 times the calls of the default.
const gcPercent = 400

// setMemory applies the collector's settings; GOGC and GOMEMLIMIT win.
func setMemory(limit int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

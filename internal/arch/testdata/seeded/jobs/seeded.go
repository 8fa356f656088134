// Package jobs breaks a rule of the structure on purpose.
package jobs

import (
	_ "example.com/somebody/library"
	_ "interai/evidence"
	_ "interai/internal/pgtest"
	_ "interai/store"
)

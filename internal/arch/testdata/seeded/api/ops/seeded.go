// Package ops breaks a rule of the structure on purpose.
package ops

import (
	_ "interai/store"
)

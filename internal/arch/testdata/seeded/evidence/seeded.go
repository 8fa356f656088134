// Package evidence breaks a rule of the structure on purpose.
package evidence

import (
	_ "github.com/riverqueue/river"
)

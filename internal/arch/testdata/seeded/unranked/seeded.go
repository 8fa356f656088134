// Package unranked breaks a rule of the structure on purpose.
package unranked

import (
	_ "fmt"
)

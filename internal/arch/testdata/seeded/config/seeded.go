// Package config breaks a rule of the structure on purpose.
package config

import (
	_ "github.com/lmittmann/tint"
)

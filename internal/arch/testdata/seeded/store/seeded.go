// Package store breaks a rule of the structure on purpose.
package store

import (
	_ "interai/store/pgembed"
	_ "interai/trustmodel"
)

package demo

import (
	"os"
	"testing"

	"interai/internal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

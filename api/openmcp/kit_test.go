package openmcp_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
	"interai/api/ops"
	"interai/api/tools"
	"interai/evidence"
	"interai/internal/pgtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// registry is what the product offers; it needs a service only to run operations.
func registry(t testing.TB) *ops.Registry {
	t.Helper()
	reg, err := tools.NewRegistry(&evidence.Service{})
	require.NoError(t, err)
	return reg
}

func site() openmcp.Site {
	return openmcp.Site{
		URL: "https://inter-ai.example", Version: "1.2.3", Scopes: tools.Scopes(), Documents: []string{"/llms.txt", "/ai.md", "/SKILL.md"},
		Revisions: []string{"2026-07-28", "2025-11-25"}, Metrics: []string{"interai_calls_total"}, WritesPerHour: 200,
	}
}

// document is the product's at a site.
func document(t testing.TB, s openmcp.Site) []byte {
	t.Helper()
	raw, err := openmcp.Build(registry(t), s)
	require.NoError(t, err)
	return raw
}

// published is a file of the published documents; the test is skipped without them.
func published(t testing.TB, name string) []byte {
	t.Helper()
	base := os.Getenv("INTERAI_DATA")
	if base == "" {
		base = filepath.Join("..", "..", "..", "shared", "data")
	}
	for _, dir := range []string{base, filepath.Join(base, "openmcpspec")} {
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil {
			return raw
		}
	}
	t.Skip("not run: no published OpenMCPSpec documents; set INTERAI_DATA to the directory that has openmcpspec/" + name)
	return nil
}

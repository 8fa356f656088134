//go:build conformance

package clients

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
)

func TestTypeScriptClientsSeeProgress(t *testing.T) {
	dir, s := programs(t), stack.Start(t, stack.WithoutWorkers())
	for _, w := range []wish{{SDK: "v1"}, {SDK: "v2"}, {SDK: "v2", Era: "modern"}} {
		w.URL, w.Key = s.URL, s.Key
		w.Calls = []toolCall{{Name: "test_tool_with_progress", Progress: true}}
		got := typescript(t, dir, w)
		require.Empty(t, got.Thrown)
		require.Equal(t, []float64{0, 50, 100}, got.Calls[0].Steps, "%s %s", w.SDK, w.Era)
		require.Equal(t, "Done.", got.Calls[0].Text)
	}
}

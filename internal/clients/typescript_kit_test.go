package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// wish is what testdata/call.mjs shall do.
type wish struct {
	SDK     string            `json:"sdk"`
	Era     string            `json:"era,omitempty"`
	URL     string            `json:"url,omitempty"`
	Key     string            `json:"key,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Calls   []toolCall        `json:"calls"`
}

// toolCall is one call of a tool.
type toolCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Meta      map[string]any `json:"_meta,omitempty"`
	Progress  bool           `json:"progress,omitempty"`
}

// seen is what the client's program saw of a call: an answer, or what was thrown.
type seen struct {
	IsError    bool
	Structured json.RawMessage
	Text       string
	Steps      []float64
	Thrown     string
}

// session is all that it saw.
type session struct {
	Tools    []string
	Calls    []seen
	Protocol string
	Thrown   string
}

// typescript runs the program in a folder beside which the packages are found.
func typescript(t *testing.T, dir string, w wish) session {
	t.Helper()
	in := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(dir, "node_modules"), filepath.Join(in, "node_modules")))
	program, err := os.ReadFile(filepath.Join("testdata", "call.mjs"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(in, "call.mjs"), program, 0o600))
	raw, err := json.Marshal(w)
	require.NoError(t, err)
	r := node(t, dir, in, "call.mjs", string(raw))
	require.Zero(t, r.code, "%s\n%s", r.out, r.errors)
	var s session
	require.NoError(t, json.Unmarshal([]byte(r.out), &s), "%s\n%s", r.out, r.errors)
	if s.Thrown != "" {
		t.Log(s.Thrown, r.errors)
	}
	return s
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
)

// interai runs a command and answers its exit code with what it printed.
func interai(t *testing.T, stdin string, args ...string) (code int, out, log string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	err := root.ExecuteContext(t.Context())
	silent, isSilent := errors.AsType[*silentError](err)
	_, isUsage := errors.AsType[*usageError](err)
	switch {
	case err == nil:
	case isSilent:
		code = silent.code
	case isUsage:
		code = exitUsage
	default:
		code = exitFailed
	}
	return code, stdout.String(), stderr.String()
}

// built writes the product's own document to a file.
func built(t *testing.T) (file, document string) {
	t.Helper()
	code, document, _ := interai(t, "", "spec", "build", "--url", "https://inter-ai.test", "--data-dir", t.TempDir())
	require.Zero(t, code)
	file = filepath.Join(t.TempDir(), "openmcpspec_v0.4.1.json")
	require.NoError(t, os.WriteFile(file, []byte(document), 0o600))
	return file, document
}

func TestTheDocumentThatIsBuiltIsValidAndDoesNotDifferFromItself(t *testing.T) {
	file, document := built(t)
	require.Contains(t, document, "https://inter-ai.test/mcp")
	code, out, _ := interai(t, "", "spec", "validate", file)
	require.Zero(t, code, out)
	require.Contains(t, out, "0 errors, 0 warnings")
	code, out, _ = interai(t, "", "spec", "diff", file, file, "--json")
	require.Zero(t, code)
	var c openmcp.Comparison
	require.NoError(t, json.Unmarshal([]byte(out), &c))
	require.Empty(t, c.Changes)
}

func TestExitCodesOfSpecCommands(t *testing.T) {
	file, document := built(t)
	broken := strings.Replace(document, `"protocol": "https"`, `"protocol": "gopher"`, 1)
	moved := strings.Replace(document, `"hostname": "inter-ai.test"`, `"hostname": "elsewhere.test"`, 1)
	flagged := strings.Replace(document, `"pii": false`, `"pii": true`, 1) // the first parameter of compare
	sensitive := filepath.Join(t.TempDir(), "flagged.json")
	require.NoError(t, os.WriteFile(sensitive, []byte(flagged), 0o600))
	call := filepath.Join(t.TempDir(), "call.json")
	require.NoError(t, os.WriteFile(call, []byte(`{"intent":"compare","parameters":{"ids":["ent_a","ent_b"]}}`), 0o600))
	for _, tt := range []struct {
		rule, stdin string
		args        []string
		code        int
		out         string
	}{
		{"an invalid document", broken, []string{"validate", "-"}, 1, "/server/protocol"},
		{"an invalid document as JSON", broken, []string{"validate", "-", "--json"}, 1, `"pointer":"/server/protocol"`},
		{"what is no document", "{", []string{"validate", "-"}, 1, ""},
		{"a file that is not there", "", []string{"validate", "nowhere.json"}, 2, ""},
		{"a schema that is not there", document, []string{"validate", "-", "--schema", "nowhere.json"}, 2, ""},
		{"too few arguments", "", []string{"diff", file}, 2, ""},
		{"a breaking change", moved, []string{"diff", file, "-"}, 1, "server-moved"},
		{"a valid call", `{"intent":"whoami"}`, []string{"check-call", file, "-"}, 0, "valid"},
		{"an invalid call", `{"intent":"whoami","parameters":{"x":1}}`, []string{"check-call", file, "-"}, 1, "parameter-unknown"},
		{"a call against an invalid document", broken, []string{"check-call", "-", call}, 1, ""},
		{"a call with personal data", "", []string{"check-call", sensitive, call}, 3, "sensitive ids"},
		{"a call with personal data that may be sent", "", []string{"check-call", sensitive, call, "--allow-sensitive"}, 0, "sensitive ids"},
		{"an address with a path", "", []string{"build", "--url", "https://inter-ai.test/x"}, 2, ""},
		{"an address with a password", "", []string{"build", "--url", "https://u:p@inter-ai.test"}, 2, ""},
		{"a probe of nothing", "", []string{"probe"}, 2, ""},
		{"a probe of no URL", "", []string{"probe", "ftp://x"}, 2, ""},
		{"a probe of no command", "", []string{"probe", "--stdio", "--", "nowhere-at-all"}, 2, ""},
		{"a header that is none", "", []string{"probe", "http://127.0.0.1:1/mcp", "--header", "nothing"}, 2, ""},
		{"a header over stdio", "", []string{"probe", "--stdio", "--header", "A: b", "--", "true"}, 2, ""},
		{"a key file that is not there", "", []string{"probe", "http://127.0.0.1:1/mcp", "--key-file", "nowhere"}, 2, ""},
		{"a server that is not there", "", []string{"probe", "http://127.0.0.1:1/mcp", "--timeout", "5s"}, 1, ""},
		{"the schema", "", []string{"schema"}, 0, "draft-07"},
		{"an unknown command", "", []string{"paint"}, 2, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			code, out, log := interai(t, tt.stdin, append([]string{"spec"}, tt.args...)...)
			require.Equal(t, tt.code, code, "%s%s", out, log)
			require.Contains(t, out, tt.out)
		})
	}
}

package actions_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// exchangesEnv names a file for what was said on the wire; api/openapi/validate holds it against the document with
// validators of its own module.
const exchangesEnv = "INTERAI_TEST_EXCHANGES"

// exchange is one request with its answer.
type exchange struct {
	Method   string              `json:"method"`
	Path     string              `json:"path"`
	Header   map[string][]string `json:"header"`
	Body     string              `json:"body"`
	Status   int                 `json:"status"`
	Answered map[string][]string `json:"answered"`
	Answer   string              `json:"answer"`
	// Valid reports whether the request is one that the document allows.
	Valid bool `json:"valid"`
}

// exchanges are all of one node, with the document that it serves.
type exchanges struct {
	Document  json.RawMessage `json:"document"`
	Exchanges []exchange      `json:"exchanges"`

	valid bool
}

func (e *exchanges) add(method, path string, headers []string, body string, got reply) {
	sent := map[string][]string{}
	for i := 0; i < len(headers); i += 2 {
		sent[headers[i]] = append(sent[headers[i]], headers[i+1])
	}
	e.Exchanges = append(e.Exchanges, exchange{method, path, sent, body, got.status, got.header, got.body, e.valid})
}

// save writes them where the environment says, or nowhere.
func (e *exchanges) save(t *testing.T) {
	t.Helper()
	path := os.Getenv(exchangesEnv)
	if path == "" {
		return
	}
	raw, err := json.Marshal(e)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, raw, 0o600))
}

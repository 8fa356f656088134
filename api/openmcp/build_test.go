package openmcp_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
	"interai/api/ops"
)

func TestTheDocumentIsWhatTheGoldenFileSays(t *testing.T) {
	t.Parallel()
	got, path := document(t, site()), filepath.Join("testdata", "openmcpspec.json")
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "if this is meant: go test ./api/openmcp -run Golden -update")
	require.Equal(t, string(got), string(document(t, site())), "the same registry and site give the same bytes")
}

func TestTheDocumentIsValid(t *testing.T) {
	t.Parallel()
	withIssuer := site()
	withIssuer.Issuer, withIssuer.Audience = "https://issuer.example", "https://inter-ai.example/mcp"
	local := site()
	local.URL = "http://127.0.0.1:8080"
	for name, s := range map[string]openmcp.Site{"public": site(), "with an issuer": withIssuer, "local": local} {
		report, err := openmcp.Validate(document(t, s), openmcp.Options{Name: "openmcpspec_v0.4.1.json"})
		require.NoError(t, err, name)
		require.Empty(t, report.Findings, name)
		require.True(t, report.Valid)
	}
	report, err := openmcp.Validate(document(t, site()), openmcp.Options{Schema: published(t, "open-mcp-schema_v0.4_draft.json"), Formats: true})
	require.NoError(t, err)
	require.Empty(t, report.Findings, "against the published schema")
}

func TestOnlyAnIssuerMakesTokensAMethod(t *testing.T) {
	t.Parallel()
	var d openmcp.Document
	require.NoError(t, json.Unmarshal(document(t, site()), &d))
	require.Empty(t, d.Server.Auth.Methods)
	require.Equal(t, []string{"bearer_api_key"}, d.Server.Auth.Ours)
	s := site()
	s.Issuer, s.Audience = "https://issuer.example", "https://inter-ai.example/mcp"
	require.NoError(t, json.Unmarshal(document(t, s), &d))
	require.Equal(t, []string{"jwt"}, d.Server.Auth.Methods)
	require.Equal(t, s.Audience, d.Server.Auth.Audience)
}

func TestTheServerIsWhereItsAddressSays(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]openmcp.Server{
		"https://a.example":      {Hostname: "a.example", Port: 443, Protocol: "https"},
		"http://a.example/":      {Hostname: "a.example", Port: 80, Protocol: "http"},
		"http://127.0.0.1:8080":  {Hostname: "127.0.0.1", Port: 8080, Protocol: "http"},
		"https://[::1]:8443":     {Hostname: "::1", Port: 8443, Protocol: "https"},
		"ftp://a.example":        {},
		"/mcp":                   {},
		"http://a.example:99999": {},
	} {
		s := site()
		s.URL = url
		raw, err := openmcp.Build(registry(t), s)
		if want.Hostname == "" {
			require.Error(t, err, url)
			continue
		}
		require.NoError(t, err, url)
		var d openmcp.Document
		require.NoError(t, json.Unmarshal(raw, &d))
		require.Equal(t, want, openmcp.Server{Hostname: d.Server.Hostname, Port: d.Server.Port, Protocol: d.Server.Protocol}, url)
		require.Contains(t, d.Server.Endpoints, strings.TrimSuffix(url, "/")+"/mcp")
		require.NotContains(t, string(raw), "example//")
	}
	_, err := openmcp.Build(nil, site())
	require.Error(t, err)
}

func TestEveryParameterSaysWhetherItIsPersonal(t *testing.T) {
	t.Parallel()
	var d struct {
		Intents []struct {
			Name       string
			Parameters []map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(document(t, site()), &d))
	require.Len(t, d.Intents, 9)
	scanned := 0
	for _, intent := range d.Intents {
		for _, p := range intent.Parameters {
			require.Equal(t, false, p["pii"], "%s %s", intent.Name, p["name"])
			require.Equal(t, false, p["gdpr_sensitive"], "%s %s", intent.Name, p["name"])
			require.NotNil(t, p["x_schema"])
			if p["name"] == "body_markdown" || p["name"] == "context" || p["name"] == "used" {
				require.Equal(t, true, p["x_pii_scanned"])
				scanned++
			}
			if p["name"] == "limit" || p["name"] == "result" {
				require.Nil(t, p["x_pii_scanned"])
			}
		}
	}
	require.Positive(t, scanned)
}

func TestTheDocumentHoldsNoSecretAndNoPath(t *testing.T) {
	t.Parallel()
	raw := string(document(t, site()))
	for _, pattern := range []string{`iai_[A-Za-z0-9]`, `postgres(ql)?://`, `/(home|root|tmp|var|usr)/`, `127\.0\.0\.1`, `localhost`, `(?i)password`, `\.go\b`} {
		require.NotRegexp(t, pattern, raw)
	}
}

// The document must not promise tests that are not there, nor headings that the changelog has not.
func TestWhatTheDocumentNamesIsThere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	there := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			there[m[1]] = true
		}
		return err
	}))
	var d openmcp.Document
	require.NoError(t, json.Unmarshal(document(t, site()), &d))
	for _, names := range [][]string{d.Testing.ValidationCases, d.Testing.BDDCases, d.Testing.ConformanceTests} {
		require.NotEmpty(t, names)
		for _, name := range names {
			require.True(t, there[name], "%s is no test", name)
		}
	}
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	require.NoError(t, err)
	var headings []string
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(changelog), -1) {
		headings = append(headings, m[1])
	}
	require.Equal(t, headings, openmcp.Changelog())
}

func TestCodesOfTheTaxonomyAreKnown(t *testing.T) {
	t.Parallel()
	for _, code := range ops.Codes() {
		require.Regexp(t, `^MCP-ERR-`, openmcp.CodeOf(code))
	}
}

package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// namedTest is how AGENT_INTERFACE.md names a test: its name, and its package's folder in brackets.
	namedTest = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Za-z0-9_]+)`\\s+\\(`([a-z0-9/]+)`\\)")
	anyTest   = regexp.MustCompile("`(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*`")
	contract  = regexp.MustCompile(`(?m)^## (AIF-\d{3}) `)
)

// functions are the names of the tests in a folder.
func functions(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
	require.NoError(t, err)
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			found[match[1]] = true
		}
	}
	return found
}

// sections cuts a document at its contracts.
func sections(text string) map[string]string {
	out := map[string]string{}
	starts := contract.FindAllStringSubmatchIndex(text, -1)
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		out[text[start[2]:start[3]]] = text[start[0]:end]
	}
	return out
}

func TestEveryContractOfTheAgentInterfaceNamesTestsThatExist(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "AGENT_INTERFACE.md"))
	require.NoError(t, err)
	text := string(raw)
	require.Len(t, anyTest.FindAllString(text, -1), len(namedTest.FindAllString(text, -1)), "each test is named with its folder")
	contracts := sections(text)
	require.Len(t, contracts, 8)
	for i := 1; i <= 8; i++ {
		name := fmt.Sprintf("AIF-%03d", i)
		t.Run(name, func(t *testing.T) {
			named := namedTest.FindAllStringSubmatch(contracts[name], -1)
			require.GreaterOrEqual(t, len(named), 3)
			for _, test := range named {
				require.True(t, functions(t, test[2])[test[1]], "%s is in no test file of %s", test[1], test[2])
			}
		})
	}
}

func TestContractsAreCutAtTheirHeadings(t *testing.T) {
	got := sections("# T\n\n## AIF-001 A\n\na\n\n## AIF-002 B\n\nb AIF-001 \n")
	require.Equal(t, "## AIF-001 A\n\na\n\n", got["AIF-001"])
	require.True(t, strings.HasSuffix(got["AIF-002"], "b AIF-001 \n"))
	require.False(t, functions(t, "internal/docs")["TestNothing"])
	require.True(t, functions(t, "internal/docs")["TestContractsAreCutAtTheirHeadings"])
}

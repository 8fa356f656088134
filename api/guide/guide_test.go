package guide

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

var update = flag.Bool("update", false, "write the golden files anew")

type nothing struct{}

// operation is a stand-in with a description of two sentences.
func operation(name, scope string) ops.Operation {
	effect := ops.Read
	if slices.Contains(writers, name) {
		effect = ops.Write
	}
	return ops.Define(ops.Spec{
		Name: name, Title: name, Scope: scope, Effect: effect, Description: "Does what " + name + " does: really. More is to be said.",
	}, func(context.Context, *ops.Call, *nothing) (*nothing, error) { return &nothing{}, nil })
}

func guideOf(t *testing.T, names ...string) *Guide {
	t.Helper()
	var all []ops.Operation
	for _, name := range names {
		all = append(all, operation(name, map[string]string{"get": "read", "publish": "publish"}[name]))
	}
	reg, err := ops.NewRegistry(all...)
	require.NoError(t, err)
	g, err := New(reg, Site{URL: "https://inter-ai.example/", Version: "1.2.3"})
	require.NoError(t, err)
	return g
}

// writers are those of the operations that store something.
var writers = []string{"publish", "submit_experience", "report_usage", "review", "rate"}

// nine are the operations of the specification.
var nine = []string{"search", "get", "compare", "publish", "submit_experience", "report_usage", "review", "rate", "whoami"}

func TestDocumentsAreWhatTheGoldenFilesSay(t *testing.T) {
	t.Parallel()
	g := guideOf(t, nine...)
	for name, text := range map[string]string{
		"llms.txt": g.LLMs(), "ai.md": g.AI(), "SKILL.md": g.Skill(), "about.md": g.About(), "instructions.md": g.Instructions(),
		"prompt.md": g.Prompt("Retry failed webhook deliveries."),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), text, "if this is meant: go test ./api/guide -update")
		})
	}
}

func TestEveryDocumentHasWhatAReaderNeeds(t *testing.T) {
	t.Parallel()
	g := guideOf(t, nine...)
	for name, text := range map[string]string{"llms.txt": g.LLMs(), "ai.md": g.AI(), "SKILL.md": g.Skill()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, text, "https://inter-ai.example/mcp")
			require.NotContains(t, text, "example//")
			require.Contains(t, text, untrusted)
			for _, tool := range nine {
				require.Contains(t, text, "- `"+tool+"`")
			}
			for _, client := range []string{"Claude Code", "Claude Desktop", "Cursor", "VS Code", "interai stdio"} {
				require.Contains(t, text, client)
			}
			for _, s := range workflow() {
				if !slices.Contains(nine, s.operation) {
					continue
				}
				require.Contains(t, text, upper(s.say))
			}
		})
	}
}

func TestTextsNameOnlyWhatIsServed(t *testing.T) {
	t.Parallel()
	g := guideOf(t, "get", "whoami")
	for name, text := range map[string]string{
		"llms.txt": g.LLMs(), "ai.md": g.AI(), "SKILL.md": g.Skill(), "about": g.About(), "instructions": g.Instructions(), "prompt": g.Prompt(""),
	} {
		require.Contains(t, text, "get", name)
		for _, absent := range []string{"search for", "compare if", "report_usage", "`publish`", "submit_experience", "`rate`", "`review`"} {
			require.NotContains(t, text, absent, name)
		}
	}
	require.NotContains(t, guideOf(t, "whoami").Instructions(), "Workflow")
	two := guideOf(t, "search", "fetch").Instructions()
	require.Contains(t, two, "search for candidates and alternatives; fetch what you mean to use")
	require.NotContains(t, two, "idempotency_key", "nothing is written")
}

func TestTheSkillHasFrontMatter(t *testing.T) {
	t.Parallel()
	lines := strings.Split(guideOf(t, nine...).Skill(), "\n")
	require.Equal(t, "---", lines[0])
	require.Equal(t, "name: inter-ai", lines[1])
	require.True(t, strings.HasPrefix(lines[2], "description: "))
	require.NotContains(t, strings.TrimPrefix(lines[2], "description: "), ": ", "a colon would begin a YAML mapping")
	require.Equal(t, "---", lines[3])
}

// A token is about four bytes of English.
const bytesPerToken = 4

func TestPromptAndInstructionsAreShortAndOfOneSource(t *testing.T) {
	t.Parallel()
	g := guideOf(t, nine...)
	require.Less(t, len(g.Prompt("Retry failed webhook deliveries."))/bytesPerToken, 600)
	require.Less(t, len(g.Instructions())/bytesPerToken, 500)
	for _, part := range []string{purpose, untrusted, writing} {
		require.Contains(t, g.Prompt(""), part)
		require.Contains(t, g.Instructions(), part)
	}
}

func TestThePromptRepeatsABoundedTask(t *testing.T) {
	t.Parallel()
	g := guideOf(t, "get")
	require.Contains(t, g.Prompt("  do it "), "task:\n\ndo it\n")
	long := g.Prompt(strings.Repeat("é", 50_000))
	require.Contains(t, long, strings.Repeat("é", maxTaskRunes)+"…")
	require.Less(t, len(long), 10_000)
	require.NotContains(t, g.Prompt("a\xffb"), "\xff")
}

func TestDescriptionsAreCutAtTheFirstSentence(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"One. Two.": "One.", "One: two. Three.": "One.", "One e.g.x two.": "One e.g.x two.", "No end": "No end", "At http://x y. Z.": "At http://x y.", "One.": "One.",
	} {
		require.Equal(t, want, firstSentence(given), given)
	}
}

func TestTheAddressMayBeTheReadersOwn(t *testing.T) {
	t.Parallel()
	g := guideOf(t, "get")
	require.Contains(t, g.At("http://127.0.0.1:8080/").LLMs(), " http://127.0.0.1:8080/mcp ")
	require.Contains(t, g.LLMs(), "https://inter-ai.example/mcp", "the guide itself stays where it is")
	require.NotContains(t, g.At("").About(), "Server:")
	_, err := New(nil, Site{})
	require.Error(t, err)
}

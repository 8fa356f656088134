package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/node"
	"interai/api/tools"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// patience bounds one run: the Go example is built first, on a machine that may be busy.
const patience = 5 * time.Minute

// program is one example and how it is run.
type program struct {
	dir     string // where it is run, from the root of the tree
	command []string
	// missing says what the machine lacks to run it, "" for nothing.
	missing func(root string) string
}

func needs(programs ...string) func(string) string {
	return func(string) string {
		for _, tool := range programs {
			if _, err := exec.LookPath(tool); err != nil {
				return tool
			}
		}
		return ""
	}
}

func programs() map[string]program {
	return map[string]program{
		"curl":   {".", []string{"sh", "examples/curl/workflow.sh"}, needs("sh", "curl", "awk", "sed")},
		"python": {".", []string{"python3", "examples/python/workflow.py"}, needs("python3")},
		"go":     {".", []string{"go", "run", "./examples/go"}, needs("go")},
		"typescript": {"examples/typescript", []string{"npm", "start", "--silent", "--"}, func(root string) string {
			if _, err := os.Stat(filepath.Join(root, "examples", "typescript", "node_modules")); err != nil {
				return "examples/typescript/node_modules (npm install)"
			}
			return needs("node", "npm")(root)
		}},
	}
}

// run starts an example with words to search for and an environment of its own, and answers what it prints.
func (p program) run(t *testing.T, root, words string, env ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.command[0], append(p.command[1:len(p.command):len(p.command)], words)...)
	cmd.Dir = filepath.Join(root, p.dir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	// What the one who runs the tests has set is not what is meant here.
	for _, variable := range os.Environ() {
		if !regexp.MustCompile(`^(INTERAI_|XDG_DATA_HOME=)`).MatchString(variable) {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// step matches the line of a step, with the ID that it ends with or has.
func step(t *testing.T, output, tool, prefix string) store.ID {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + tool + `: .*\b(` + prefix + `_[0-9a-z]{26})\b`).FindStringSubmatch(output)
	require.NotNil(t, found, "%s in:\n%s", tool, output)
	id, err := store.ParseID(found[1])
	require.NoError(t, err)
	return id
}

func TestExamplesDoTheWholeWorkflow(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	s := stack.Start(t)
	author := s.Client(s.Key)
	for _, title := range []string{"Webhook deliveries, deduplicated by their id", "Webhook deliveries in a queue"} {
		s.Must(author, "publish", map[string]any{"content_type": "procedure", "title": title, "summary": "How to handle webhook deliveries.", "language": "en"}, nil)
	}
	s.Eventually("both can be found", func() bool {
		var found struct{ Results []any }
		return s.Call(author, "search", map[string]any{"query": "webhook deliveries", "kinds": []string{"content"}}, &found) == nil && len(found.Results) == 2
	})
	for name, p := range programs() {
		t.Run(name, func(t *testing.T) {
			if lacks := p.missing(root); lacks != "" {
				t.Skipf("this machine lacks %s: the example in %s was not run", lacks, name)
			}
			_, agent, key := s.Party(store.Verification{Vouched: true})
			output, errs, err := p.run(t, root, "webhook deliveries", "INTERAI_URL="+strings.TrimSuffix(s.URL, "/mcp"), "INTERAI_API_KEY="+key)
			require.NoError(t, err, "%s\n%s", output, errs)
			step(t, output, "search", "cnt")
			step(t, output, "compare", "cnt")
			step(t, output, "get", "cnt")
			for tool, prefix := range map[string]string{"report_usage": "use", "review": "rvw", "rate": "rat"} {
				id := step(t, output, tool, prefix)
				var rows int
				require.NoError(t, s.Store.Pool().QueryRow(t.Context(), `select count(*) from evidence where id = $1 and actor_id = $2`, id.UUID, agent.UUID).Scan(&rows))
				require.Equal(t, 1, rows, tool)
			}
			experience := step(t, output, "submit_experience", "cnt")
			var uses int
			require.NoError(t, s.Store.Pool().QueryRow(t.Context(), `select count(*) from evidence where experience_id = $1`, experience.UUID).Scan(&uses))
			require.Equal(t, 1, uses, "the experience brings its use with it")
		})
	}
}

func TestExamplesDoNotJudgeTheirOwnWork(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	s := stack.Start(t)
	author := s.Client(s.Key)
	for _, title := range []string{"Slow queries, found by their total", "Slow queries in a log"} {
		s.Must(author, "publish", map[string]any{"content_type": "procedure", "title": title, "summary": "How to find slow queries.", "language": "en"}, nil)
	}
	s.Eventually("both can be found", func() bool {
		var found struct{ Results []any }
		return s.Call(author, "search", map[string]any{"query": "slow queries", "kinds": []string{"content"}}, &found) == nil && len(found.Results) == 2
	})
	sister := s.KeyOf(s.Human, tools.DefaultScopes()...)
	for name, p := range programs() {
		if lacks := p.missing(root); lacks != "" {
			continue // the other tests say so
		}
		output, errs, err := p.run(t, root, "slow queries", "INTERAI_URL="+s.URL, "INTERAI_API_KEY="+s.Key)
		require.Error(t, err, "%s: %s", name, output)
		require.Contains(t, errs, "by others", "%s leaves out what the key's own actor wrote", name)

		output, errs, err = p.run(t, root, "slow queries", "INTERAI_URL="+s.URL+"/", "INTERAI_API_KEY="+sister)
		require.NoError(t, err, "%s: %s\n%s", name, output, errs)
		require.Contains(t, output, "review: skipped", name)
		require.Contains(t, output, "rate: skipped", name)
		// What it wrote is taken out of sight, so that the next program finds the author's two items only.
		experience := step(t, output, "submit_experience", "cnt")
		_, err = s.Store.Pool().Exec(t.Context(), `update contents set visibility = 'quarantined' where id = $1`, experience.UUID)
		require.NoError(t, err)
	}
}

func TestExamplesFindTheirCredentialsAndSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	s := stack.Start(t, stack.WithoutWorkers())
	dir := t.TempDir()
	raw, err := json.MarshalIndent(node.Credentials{URL: s.Node.URL, Human: s.Human.String(), Agent: s.Agent.String(), Key: s.Key, ModeratorKey: "x"}, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, node.CredentialsFile), raw, 0o600))
	for name, p := range programs() {
		t.Run(name, func(t *testing.T) {
			if lacks := p.missing(root); lacks != "" {
				t.Skipf("this machine lacks %s: the example in %s was not run", lacks, name)
			}
			output, errs, err := p.run(t, root, "nothing of the kind", "INTERAI_DATA_DIR="+dir)
			require.Error(t, err)
			require.Contains(t, errs, "demo knowledge", "it has reached the server, which is empty: %s", output)
			output, errs, err = p.run(t, root, "anything", "XDG_DATA_HOME="+t.TempDir(), "INTERAI_DATA_DIR="+t.TempDir())
			if _, errStored := os.Stat("/var/lib/interai"); errStored != nil { // where everybody looks last
				require.Error(t, err, output)
				require.Regexp(t, `(?i)set INTERAI_URL and INTERAI_API_KEY`, errs)
			}
			_, errs, err = p.run(t, root, "anything", "INTERAI_URL="+s.URL, "INTERAI_API_KEY=iai_wrong")
			require.Error(t, err)
			require.Regexp(t, `(?i)unauth|key is invalid`, errs, "the refusal is shown")
		})
	}
}

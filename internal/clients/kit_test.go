package clients

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// patience bounds one run of a program, on a machine that may be busy.
const patience = 4 * time.Minute

// programs is the folder of the installed packages.
func programs(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("INTERAI_CLIENTS")
	if dir == "" {
		t.Skip("INTERAI_CLIENTS is not set: the programs of others were not run (make conformance)")
	}
	for _, name := range []string{"node", "@modelcontextprotocol/conformance", "@modelcontextprotocol/inspector", "@modelcontextprotocol/sdk"} {
		_, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(name)))
		require.NoError(t, err, "INTERAI_CLIENTS lacks %s: scripts/clients.sh installs it", name)
	}
	return dir
}

// script is a file of an installed package.
func script(dir string, parts ...string) string {
	return filepath.Join(append([]string{dir, "node_modules"}, parts...)...)
}

// ran is how a program ended.
type ran struct {
	code        int
	out, errors string
}

// node runs a script of an installed package in a folder, with the installed Node.
func node(t *testing.T, dir, in string, args ...string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, script(dir, "node", "bin", "node"), args...)
	cmd.Dir = in
	cmd.Env = []string{"NO_COLOR=1", "HOME=" + in}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "INTERAI_") { // what the one who runs the tests has set is not what is meant here
			cmd.Env = append(cmd.Env, variable)
		}
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("run %v: %v", args, err)
	}
	require.NoError(t, ctx.Err(), "%v did not end in time:\n%s%s", args, out.String(), errs.String())
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

package scanbench

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse"
	"interai/antiabuse/secret"
)

// beside is where the data lies next to a checkout, seen from this package.
var beside = filepath.Join("..", "..", "..", "shared", "data")

// dataDir is the directory of the corpus; the test is skipped without it.
func dataDir(tb testing.TB) string {
	tb.Helper()
	base := os.Getenv("INTERAI_DATA")
	if base == "" {
		base = beside
	}
	for _, dir := range []string{base, filepath.Join(base, "antiabuse")} {
		if _, err := os.Stat(filepath.Join(dir, "secrets.jsonl")); err == nil {
			return dir
		}
	}
	tb.Skip("not run: no anti-abuse corpus; set INTERAI_DATA to the directory that has antiabuse/secrets.jsonl")
	return ""
}

func load(tb testing.TB, part string) []Case {
	tb.Helper()
	cases, err := Load(dataDir(tb), part)
	require.NoError(tb, err)
	require.NotEmpty(tb, cases)
	return cases
}

func engine(tb testing.TB) *secret.Engine {
	tb.Helper()
	e, err := secret.New()
	require.NoError(tb, err)
	return e
}

func whole(tb testing.TB) Whole {
	tb.Helper()
	s, err := antiabuse.NewScanner()
	require.NoError(tb, err)
	return Whole{s}
}

func TestExpanderIsTheCorpus(t *testing.T) {
	dir := dataDir(t)
	texts := map[string]Case{}
	for _, part := range []string{"secrets.jsonl", "pii.jsonl", "inject.jsonl"} {
		for _, c := range load(t, part) {
			texts[c.ID] = c
		}
	}
	file, err := os.Open(filepath.Join(dir, "golden.tsv"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	lines, n := bufio.NewScanner(file), 0
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		c, ok := texts[fields[0]]
		require.True(t, ok, fields[0])
		sum := sha256.Sum256([]byte(c.Text))
		got := []string{strconv.Itoa(len(c.Text)), strconv.Itoa(len(c.Spans)), hex.EncodeToString(sum[:6])}
		require.Equal(t, fields[1:], got, c.ID)
		n++
	}
	require.NoError(t, lines.Err())
	require.Len(t, texts, n)
}

func TestSecretsOfTheCorpus(t *testing.T) {
	cases := load(t, "secrets.jsonl")
	r := Score(Secrets{engine(t)}, cases)
	for kind, tallies := range map[string]map[string]*Tally{"family": r.Families, "carrier": r.Carriers} {
		for name, tally := range tallies {
			t.Logf("%s %s: recall %.3f of %d, false %.3f of %d", kind, name, tally.Recall(), tally.Must, tally.FalseRate(), tally.Pass)
		}
	}
	t.Logf("all: recall %.3f of %d, false %.3f of %d; wrong: %v", r.All.Recall(), r.All.Must, r.All.FalseRate(), r.All.Pass, r.Wrong)
	require.GreaterOrEqual(t, r.All.Recall(), 0.98)
	require.LessOrEqual(t, r.All.FalseRate(), 0.02)
}

package actions

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/ops"
)

func TestATokenFileThatCannotServeIsRefused(t *testing.T) {
	t.Parallel()
	key, err := auth.Generate()
	require.NoError(t, err)
	for name, test := range map[string]struct {
		content string
		mode    os.FileMode
		want    string
	}{
		"one line":               {goodToken + "\n", 0o600, ""},
		"without an end of line": {goodToken, 0o400, ""},
		"of Windows":             {goodToken + "\r\n", 0o600, ""},
		"32 bytes":               {strings.Repeat("a1", 16), 0o600, ""},
		"the longest":            {strings.Repeat("a", 1024) + "\r\n", 0o600, ""},
		"31 bytes":               {strings.Repeat("a", 31) + "\n", 0o600, "at least 32 bytes"},
		"one byte more":          {strings.Repeat("a", 1025), 0o600, "at most 1024 bytes"},
		"a large file":           {strings.Repeat("a", 1<<20), 0o600, "at most 1024 bytes"},
		"empty":                  {"", 0o600, "it is empty"},
		"an empty line":          {"\n", 0o600, "it is empty"},
		"two lines":              {goodToken + "\n" + goodToken + "\n", 0o600, "one line"},
		"an empty line behind":   {goodToken + "\n\n", 0o600, "one line"},
		"a blank":                {goodToken + " x\n", 0o600, "one line"},
		"a NUL":                  {goodToken + "\x00", 0o600, "one line"},
		"no ASCII":               {goodToken + "ä", 0o600, "one line"},
		"readable by the group":  {goodToken, 0o640, "others than its owner"},
		"readable by all":        {goodToken, 0o604, "others than its owner"},
		"writable by the group":  {goodToken, 0o620, "others than its owner"},
		"an API key":             {key.Reveal(), 0o600, "is an API key"},
		"another secret":         {"the-password-of-the-mail-server-12345", 0o600, "another secret"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := tokenFile(t, test.content, test.mode)
			_, err := OpenTokenFile(path, []string{"", "the-password-of-the-mail-server-12345"}, slog.New(slog.DiscardHandler))
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), strings.TrimSpace(test.content)+"x")
			if len(test.content) > 3 {
				require.NotContains(t, err.Error(), test.content[:4], "what it holds is not told")
			}
		})
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for path, want := range map[string]string{
		filepath.Join(dir, "absent"): "no such file", dir: "not a regular file", pipe: "not a regular file",
	} {
		_, err := OpenTokenFile(path, nil, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, want)
	}
}

func TestChangesOfTheFileTakeEffectAtOnceAndAreLoggedOnce(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	path := tokenFile(t, goodToken, 0o600)
	f, err := OpenTokenFile(path, nil, slog.New(slog.NewTextHandler(&lines, nil)))
	require.NoError(t, err)
	ctx := context.Background()
	for _, step := range []struct {
		name   string
		change func() error
		token  string
		logged string
	}{
		{"nothing", func() error { return nil }, goodToken, ""},
		{"a wrong mode", func() error { return os.Chmod(path, 0o644) }, "", "others than its owner"},
		{"mended", func() error { return os.Chmod(path, 0o600) }, goodToken, "changed=false"},
		{"another token", func() error { return os.WriteFile(path, []byte(strings.ToUpper(goodToken)), 0o600) }, strings.ToUpper(goodToken), "changed=true"},
		{"emptied", func() error { return os.Truncate(path, 0) }, "", "it is empty"},
		{"removed", func() error { return os.Remove(path) }, "", "no such file"},
		{"made again", func() error { return os.WriteFile(path, []byte(goodToken), 0o600) }, goodToken, "changed=true"},
	} {
		lines.Reset()
		require.NoError(t, step.change())
		for range 3 {
			require.Equal(t, step.token == goodToken, f.Matches(ctx, goodToken), step.name)
			upper := strings.ToUpper(goodToken)
			require.Equal(t, step.token == upper, f.Matches(ctx, upper), step.name)
			require.False(t, f.Matches(ctx, ""), step.name)
		}
		if step.logged == "" {
			require.Empty(t, lines.String())
			continue
		}
		require.Contains(t, lines.String(), step.logged)
		require.Equal(t, 1, strings.Count(lines.String(), "\n"), lines.String())
		require.NotContains(t, lines.String(), goodToken)
	}
}

func TestAnActorThatIsNobodyAndOneThatCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	failure := auth.ErrUnauthenticated
	w := newWorld(t, func(c *Config) {
		c.Logger = slog.New(slog.NewTextHandler(&lines, nil))
		c.Actor = func(context.Context) (*ops.Caller, error) { return nil, failure }
	})
	nobody := w.post("list", `{}`)
	require.Equal(t, 401, nobody.status)
	require.Equal(t, w.ask("GET", "/actions/x", "", func(r *http.Request) { r.Header.Del("Authorization") }), nobody, "the same to everybody")
	w.post("list", `{}`)
	require.Equal(t, 1, strings.Count(lines.String(), "\n"), "logged once")
	failure = errors.Join(auth.ErrUnavailable, errors.New("no database"))
	got := w.post("list", `{}`)
	require.Equal(t, 503, got.status)
	e := got.fails(t)
	require.True(t, e.Details.Retryable)
	require.Equal(t, "database_unavailable", e.Details.Reason)
	require.NotContains(t, got.body, "no database")
}

func FuzzToken(f *testing.F) {
	for _, seed := range []string{goodToken, goodToken + "\n", goodToken + "\r\n", "", "\n", "a b", strings.Repeat("a", 1026), "\x00", "ä"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		token, err := parseToken(content)
		if err != nil {
			return
		}
		require.GreaterOrEqual(t, len(token), minTokenBytes)
		require.LessOrEqual(t, len(token), maxTokenBytes)
		require.True(t, bytes.HasPrefix(content, token))
		require.Contains(t, []string{"", "\n", "\r\n", "\r"}, string(content[len(token):]))
		require.NotContains(t, string(token), " ")
		r, err := http.NewRequest(http.MethodPost, "/", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+string(token))
		require.Equal(t, string(token), tokenOf(r), "it can be sent")
	})
}

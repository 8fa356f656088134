package config

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ordinary are the surroundings of an ordinary user on four cores.
func ordinary(env ...string) surroundings {
	return surroundings{uid: 1000, cores: 4, env: environMap(append([]string{"HOME=/home/ann"}, env...))}
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// problems loads and returns what is wrong, as "option rule".
func problems(t *testing.T, flags map[string]string, around surroundings, file string) ([]string, error) {
	t.Helper()
	_, err := load(flags, around, file)
	if err == nil {
		return nil, nil
	}
	var e *Error
	require.ErrorAs(t, err, &e)
	var list []string
	for _, p := range e.Problems {
		require.NotEmpty(t, p.Source)
		require.NotEmpty(t, p.Message)
		list = append(list, p.Option+" "+p.Rule)
	}
	return list, err
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c, err := load(nil, ordinary(), "")
	require.NoError(t, err)
	sources := c.sources
	c.sources = nil
	require.Equal(t, Config{
		Addr:                  "127.0.0.1:8080",
		DataDir:               "/home/ann/.local/share/interai",
		DBWait:                2 * time.Second,
		DBConns:               20,
		AutoMigrate:           true,
		AllowedHosts:          []string{},
		AllowedOrigins:        []string{},
		TrustedProxies:        []string{},
		OIDCHosts:             []string{},
		ActionsCallsPerMinute: 120,
		ActionsConcurrency:    8,
		Workers:               4,
		SweepInterval:         30 * time.Second,
		EpochInterval:         time.Hour,
		SignalsInterval:       6 * time.Hour,
		WritesPerHour:         200,
		RejectionsPerHour:     30,
		ClaimsPerDay:          2000,
		ReadsPerHour:          36000,
		FailuresPerMinute:     20,
		AuditRetention:        400 * day,
		IdempotencyRetention:  30 * day,
		SearchTrustPercent:    50,
		SearchExploreSlots:    1,
		SearchLanguages:       []string{"en"},
		MaxConnections:        1024,
		MaxActiveCalls:        256,
		MaxStreams:            256,
		MaxNesting:            64,
		HeaderTimeout:         5 * time.Second,
		ReadTimeout:           30 * time.Second,
		WriteTimeout:          30 * time.Second,
		IdleTimeout:           2 * time.Minute,
		StreamLifetime:        30 * time.Minute,
		MemoryLimit:           192 << 20,
		BodyMemory:            32 << 20,
		BodyLimit:             1 << 20,
		PublishBodyLimit:      12 << 20,
		LogLevel:              slog.LevelInfo,
		LogFormat:             "auto",
	}, c)
	require.Len(t, sources, len(Options()))
	for name, source := range sources {
		require.Equal(t, sourceDefault, source, name)
	}
	require.True(t, c.PrivateCluster())
	require.False(t, c.TLS())
}

func TestDataDirectoryDependsOnTheUser(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		around surroundings
		want   string
	}{
		"root":                      {surroundings{uid: 0, cores: 1, env: map[string]string{"HOME": "/home/admin"}}, "/var/lib/interai"},
		"home":                      {ordinary(), "/home/ann/.local/share/interai"},
		"XDG data home":             {ordinary("XDG_DATA_HOME=/xdg"), "/xdg/interai"},
		"relative XDG is ignored":   {ordinary("XDG_DATA_HOME=xdg"), "/home/ann/.local/share/interai"},
		"the variable wins":         {ordinary("INTERAI_DATA_DIR=/mine"), "/mine"},
		"and needs no home":         {surroundings{uid: 1, cores: 1, env: map[string]string{"INTERAI_DATA_DIR": "/mine"}}, "/mine"},
		"an empty one is not given": {ordinary("INTERAI_DATA_DIR="), "/home/ann/.local/share/interai"},
	} {
		c, err := load(nil, tc.around, "")
		require.NoError(t, err, name)
		require.Equal(t, tc.want, c.DataDir, name)
	}
	got, _ := problems(t, nil, surroundings{uid: 1000, cores: 1}, "")
	require.Equal(t, []string{"data-dir " + RuleTogether}, got, "nowhere to put it")
}

func TestFlagsWinOverEnvironmentOverFileOverDefaults(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "interai.yaml", "workers: 1\ndb-wait: 3s\nwrites-per-hour: 10\nlog-level: warn\n")
	c, err := load(
		map[string]string{"workers": "3"},
		ordinary("INTERAI_WORKERS=2", "INTERAI_DB_WAIT=4s"),
		file,
	)
	require.NoError(t, err)
	require.Equal(t, 3, c.Workers)
	require.Equal(t, 4*time.Second, c.DBWait)
	require.Equal(t, 10, c.WritesPerHour)
	require.Zero(t, c.ActorWritesPerHour)
	require.Equal(t, 19, c.DBConns, "16 + workers")
	for option, want := range map[string]string{
		"workers": sourceFlag, "db-wait": sourceEnv, "log-level": file, "addr": sourceDefault, "no-option": "",
	} {
		require.Equal(t, want, c.Source(option), option)
	}
}

func TestEveryOptionCanBeGivenByEverySource(t *testing.T) {
	t.Parallel()
	pem := writeFile(t, "any.pem", "pem")
	values := map[string]string{
		"addr": "0.0.0.0:9000", "public-url": "https://ai.example", "allowed-hosts": "a.example,b.example:1",
		"allowed-origins": "https://a.example", "behind-proxy": "true", "tls-cert": pem, "tls-key": pem,
		"database-url": "postgres://u@h/d", "read-database-url": "host=r dbname=d", "data-dir": "/d", "pg-bin-dir": "/b",
		"pg-os-user": "pg", "db-wait": "5s", "auto-migrate": "false", "workers": "7", "db-conns": "9",
		"sweep-interval": "10s", "epoch-interval": "20m", "signals-interval": "2h", "search-trust-percent": "40", "search-explore-slots": "2", "search-languages": "en,de", "writes-per-hour": "11", "actor-writes-per-hour": "12", "rejections-per-hour": "13",
		"claims-per-day": "60", "reads-per-hour": "61", "failures-per-minute": "62", "trusted-proxies": "10.0.0.0/8,192.0.2.1/32",
		"actions-token-file": "/run/actions", "actions-actor": "ai_x", "actions-calls-per-minute": "7", "actions-concurrency": "3",
		"oidc-issuer": "https://id.example/realm", "oidc-hosts": "keys.example",
		"smtp-url": "smtp://mail.example:587", "smtp-from": "inter-ai@ai.example",
		"audit-retention": "14d", "idempotency-retention": "15d", "max-connections": "16", "max-active-calls": "17",
		"body-limit": "18KiB", "publish-body-limit": "19KiB", "memory-limit": "512MiB", "header-timeout": "3s",
		"read-timeout": "33s", "write-timeout": "34s", "idle-timeout": "35s", "stream-lifetime": "36s", "max-streams": "37",
		"max-nesting": "38", "body-memory": "39MiB", "log-level": "debug", "log-format": "json",
	}
	var env, lines []string
	for _, o := range Options() {
		require.Contains(t, values, o.Name, "a new option needs a value here")
		env = append(env, o.Env()+"="+values[o.Name])
		lines = append(lines, o.Name+": "+values[o.Name])
	}
	byFile := writeFile(t, "c.yaml", strings.Join(lines, "\n"))
	for source, load := range map[string]func() (Config, error){
		sourceFlag: func() (Config, error) { return load(values, ordinary(), "") },
		sourceEnv:  func() (Config, error) { return load(nil, ordinary(env...), "") },
		byFile:     func() (Config, error) { return load(nil, ordinary(), byFile) },
	} {
		c, err := load()
		require.NoError(t, err)
		for _, o := range Options() {
			require.Equal(t, values[o.Name], o.show(&c), o.Name)
			require.Equal(t, source, c.Source(o.Name), o.Name)
		}
	}
}

func TestAllProblemsComeAtOnce(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "interai.yaml", "log-format: xml\nworker: 1\nlog-level: info\nlog-level: warn\naddr: {a: b}\n")
	got, err := problems(t,
		map[string]string{"workers": "0", "nonsense": "1"},
		ordinary("INTERAI_DB_WAIT=soon", "INTERAI_WORKER=3", "INTERAI_MEMORY_LIMIT=1KiB"),
		file)
	require.ElementsMatch(t, []string{
		"log-format choice", "worker unknown", "log-level format", "addr format",
		"INTERAI_WORKER unknown", "db-wait format", "memory-limit range",
		"--nonsense unknown", "workers range",
	}, got)
	require.ErrorContains(t, err, "invalid configuration (9)")
	require.ErrorContains(t, err, "worker ("+file+":2): there is no such option; did you mean workers?")
	require.ErrorContains(t, err, "INTERAI_WORKER (environment): there is no such option; did you mean INTERAI_WORKERS?")
}

func TestForeignAndReservedVariablesAreLeftAlone(t *testing.T) {
	t.Parallel()
	_, err := load(nil, ordinary("INTERAI_DATA=/d", "INTERAI_API_KEY=iai_x", "INTERAI_TEST_DATABASE_URL=x", "INTER=1", "PGHOST=x"), "")
	require.NoError(t, err)
	got, _ := problems(t, nil, ordinary("INTERAI_=1", "INTERAI_DATAS=1"), "")
	require.Equal(t, []string{"INTERAI_ unknown", "INTERAI_DATAS unknown"}, got)
}

func TestRulesThatLookAtSeveralOptions(t *testing.T) {
	t.Parallel()
	pem := writeFile(t, "any.pem", "pem")
	for name, tc := range map[string]struct {
		flags map[string]string
		want  []string
	}{
		"all interfaces without TLS":          {map[string]string{"addr": ":8080"}, []string{"addr exposed"}},
		"a name that is not localhost":        {map[string]string{"addr": "ai.example:80"}, []string{"addr exposed"}},
		"an outside address":                  {map[string]string{"addr": "10.0.0.1:80"}, []string{"addr exposed"}},
		"outside behind a proxy":              {map[string]string{"addr": ":80", "behind-proxy": "true"}, nil},
		"outside with TLS":                    {map[string]string{"addr": ":80", "tls-cert": pem, "tls-key": pem}, nil},
		"outside, certificate missing":        {map[string]string{"addr": ":80", "tls-cert": "/none", "tls-key": pem}, []string{"tls-cert file"}},
		"IPv6 loopback":                       {map[string]string{"addr": "[::1]:80"}, nil},
		"IPv4-mapped loopback":                {map[string]string{"addr": "[::ffff:127.0.0.1]:80"}, nil},
		"localhost":                           {map[string]string{"addr": "localhost:0"}, nil},
		"certificate without key":             {map[string]string{"tls-cert": pem}, []string{"tls-key together"}},
		"key without certificate":             {map[string]string{"tls-key": pem}, []string{"tls-cert together"}},
		"replica of the private cluster":      {map[string]string{"read-database-url": "host=r"}, []string{"read-database-url together"}},
		"more than the private cluster has":   {map[string]string{"db-conns": "151"}, []string{"db-conns together"}},
		"as many on a server of one's own":    {map[string]string{"db-conns": "151", "database-url": "host=h"}, nil},
		"many workers on the private cluster": {map[string]string{"workers": "1000"}, nil},
		"publish below the ordinary limit":    {map[string]string{"body-limit": "13MiB"}, []string{"publish-body-limit together"}},
		"one mistake, one message":            {map[string]string{"addr": "nowhere", "publish-body-limit": "x"}, []string{"addr format", "publish-body-limit format"}},
	} {
		got, _ := problems(t, tc.flags, ordinary(), "")
		require.Equal(t, tc.want, got, name)
	}
	c, err := load(map[string]string{"workers": "1000"}, ordinary(), "")
	require.NoError(t, err)
	require.Equal(t, privateConns, c.DBConns)
	c, err = load(map[string]string{"workers": "1000", "database-url": "host=h"}, ordinary(), "")
	require.NoError(t, err)
	require.Equal(t, 1016, c.DBConns)
}

func TestFileForms(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		content string
		want    []string
	}{
		"empty":             {"", nil},
		"comments only":     {"# nothing\n", nil},
		"null":              {"---\nnull\n", nil},
		"list":              {"allowed-hosts: [a.example, b.example]\n", nil},
		"block list":        {"allowed-hosts:\n  - a.example\n", nil},
		"alias":             {"pg-os-user: &a x\npg-bin-dir: *a\n", nil},
		"not a mapping":     {"- a\n", []string{"config format"}},
		"broken":            {"a: [\n", []string{"config format"}},
		"two documents":     {"workers: 1\n---\nworkers: 2\n", []string{"config format"}},
		"nested":            {"workers: {max: 1}\n", []string{"workers format"}},
		"list of lists":     {"allowed-hosts: [[a]]\n", []string{"allowed-hosts format"}},
		"underscores":       {"data_dir: /d\n", []string{"data_dir unknown"}},
		"no value":          {"workers:\n", []string{"workers format"}},
		"quoted number":     {"workers: \"4\"\n", nil},
		"number of its own": {"writes-per-hour: 10_000_000\n", nil},
	} {
		got, err := problems(t, nil, ordinary(), writeFile(t, "c.yaml", tc.content))
		require.Equal(t, tc.want, got, "%s: %v", name, err)
	}
}

func TestFileIsFound(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	_, err := load(nil, ordinary(), "")
	require.NoError(t, err, "the default file may be missing")

	got, _ := problems(t, nil, ordinary(), filepath.Join(dir, "none.yaml"))
	require.Equal(t, []string{"config file"}, got, "one that was asked for may not")
	got, _ = problems(t, nil, ordinary("INTERAI_CONFIG="+filepath.Join(dir, "none.yaml")), "")
	require.Equal(t, []string{"config file"}, got)

	require.NoError(t, os.WriteFile(defaultFile, []byte("workers: 5\n"), 0o600))
	c, err := load(nil, ordinary(), "")
	require.NoError(t, err)
	require.Equal(t, 5, c.Workers)
	require.Equal(t, defaultFile, c.Source("workers"))

	other := writeFile(t, "o.yaml", "workers: 6\n")
	c, err = load(nil, ordinary("INTERAI_CONFIG="+other), "")
	require.NoError(t, err)
	require.Equal(t, 6, c.Workers)

	huge := writeFile(t, "h.yaml", strings.Repeat("#", maxFileBytes+1))
	got, _ = problems(t, nil, ordinary(), huge)
	require.Equal(t, []string{"config file"}, got)
}

func TestLoadReadsTheProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := Load(map[string]string{"data-dir": "here"}, []string{"INTERAI_WORKERS=1", "INTERAI_WORKERS=2", "broken"}, "")
	require.NoError(t, err)
	require.Equal(t, 2, c.Workers, "of two the later wins")
	require.True(t, filepath.IsAbs(c.DataDir))
	_, err = Load(nil, []string{"HOME=/h", "INTERAI_WORKERS=x"}, "")
	var e *Error
	require.ErrorAs(t, err, &e)
}

func TestTableIsSound(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, o := range Options() {
		require.False(t, seen[o.Name], o.Name)
		seen[o.Name] = true
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, o.Name)
		require.Regexp(t, `^[A-Z].*\.$`, o.Doc, "a sentence: %s", o.Name)
		require.True(t, strings.HasPrefix(o.Env(), "INTERAI_"))
		require.False(t, reserved(o.Env()), o.Name)
	}
}

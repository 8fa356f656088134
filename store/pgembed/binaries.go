package pgembed

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MinMajor is the oldest PostgreSQL that interai runs on (ARCHITECTURE section 8).
const MinMajor = 15

// versionTimeout bounds one call of "postgres --version" or pg_config.
const versionTimeout = 10 * time.Second

// Binaries are the server programs of one PostgreSQL installation.
type Binaries struct {
	// Dir holds postgres and initdb.
	Dir string
	// Major is the major version, Version the whole one ("15.20").
	Major   int
	Version string
}

func (b Binaries) postgres() string { return filepath.Join(b.Dir, "postgres") }
func (b Binaries) initdb() string   { return filepath.Join(b.Dir, "initdb") }

// FindBinaries returns the newest server binaries of version MinMajor or later:
// those in override (a directory, or its parent) when it is set, else those of
// pg_config, the distributions' usual places, and PATH. It returns a
// *NoBinariesError, which is ErrNoBinaries, when there are none.
func FindBinaries(override string) (Binaries, error) {
	return findBinaries(override, 0)
}

// findBinaries is FindBinaries for one major version; 0 means any.
func findBinaries(override string, major int) (Binaries, error) {
	dirs := searchDirs()
	looked := slices.Clone(searchPatterns())
	if override != "" {
		dirs = []string{override, filepath.Join(override, "bin")}
		looked = []string{override}
	}
	missing := &NoBinariesError{Want: major, Looked: looked, Install: installCommand()}
	var best Binaries
	for _, dir := range dirs {
		b, ok := inspect(dir)
		switch {
		case !ok:
		case b.Major < MinMajor || (major != 0 && b.Major != major):
			missing.Found = append(missing.Found, b.Version+" in "+b.Dir)
		case b.Major > best.Major:
			best = b
		}
	}
	if best.Major == 0 {
		return Binaries{}, missing
	}
	return best, nil
}

// searchPatterns names the places of the binaries, as the error shows them.
// Debian keeps them out of PATH, so PATH alone is not enough.
func searchPatterns() []string {
	return []string{
		"pg_config --bindir",
		"/usr/lib/postgresql/*/bin",
		"/usr/pgsql-*/bin",
		"/usr/libexec/postgresql*",
		"/opt/homebrew/opt/postgresql*/bin",
		"/usr/local/opt/postgresql*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
		"PATH",
	}
}

// searchDirs expands the patterns to existing directories, each once.
func searchDirs() []string {
	var dirs []string
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, pattern := range searchPatterns() {
		switch pattern {
		case "pg_config --bindir":
			add(pgConfigBinDir())
		case "PATH":
			add(pathDir())
		default:
			found, _ := filepath.Glob(pattern) // the patterns are well formed
			for _, dir := range found {
				add(dir)
			}
		}
	}
	return dirs
}

func pgConfigBinDir() string {
	path, err := exec.LookPath("pg_config")
	if err != nil {
		return ""
	}
	out, err := runQuick(path, "--bindir")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// pathDir is where PATH's postgres really lies: a link's own directory seldom
// has initdb and the libraries beside it.
func pathDir() string {
	path, err := exec.LookPath("postgres")
	if err != nil {
		return ""
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return filepath.Dir(target)
}

// inspect reads what is in dir. Both programs are asked for: libpq's
// development package brings pg_config without a server.
func inspect(dir string) (Binaries, bool) {
	b := Binaries{Dir: dir}
	for _, path := range []string{b.postgres(), b.initdb()} {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return Binaries{}, false
		}
	}
	out, err := runQuick(b.postgres(), "--version")
	if err != nil {
		return Binaries{}, false
	}
	b.Version, b.Major, err = parseVersion(out)
	return b, err == nil
}

// versionPattern finds "15.20", "18beta1" or "17rc1" in the banner
// "postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)".
var versionPattern = regexp.MustCompile(`\(PostgreSQL\) ((\d+)[0-9A-Za-z.]*)`)

func parseVersion(banner string) (version string, major int, err error) {
	m := versionPattern.FindStringSubmatch(banner)
	if m == nil {
		return "", 0, fmt.Errorf("no PostgreSQL version in %q", banner)
	}
	if major, err = strconv.Atoi(m[2]); err != nil {
		return "", 0, fmt.Errorf("read PostgreSQL version: %w", err)
	}
	return m[1], major, nil
}

func runQuick(path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = serverEnv(os.Environ())
	out, err := cmd.Output()
	return string(out), err
}

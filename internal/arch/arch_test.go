package arch

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "interai"

// ranks say who stands above whom: a package imports only what has a lower rank. testKit and command are special.
var ranks = map[string]int{
	"config": 0, "migrations": 0, "trustmodel": 0, "trustmodel/simulate": 0, "antiabuse": 0, "evidence/claimkey": 0, "evidence/retrieval": 0, "evidence/schemas": 0,
	"evidence/retrieval/words": 0,
	"antiabuse/finding":        0, "antiabuse/text": 0, "antiabuse/secret": 0, "antiabuse/personal": 0, "antiabuse/markdown": 0, "antiabuse/label": 0,
	"antiabuse/similar": 0, "antiabuse/collusion": 0, "antiabuse/opinion": 0, "antiabuse/gcra": 0,
	"store": 1, "store/pgembed": 1,
	"jobs":     2,
	"evidence": 3, "evidence/moderation": 3, "trustops": 3, "trustops/report": 3,
	"api/ops": 4, "api/guide": 4, "api/tools": 4, "api/refusal": 4,
	"api/auth": 5, "api/limits": 5, "api/identity": 5, "api/openapi": 5, "api/openapi/validate": 5, "api/openmcp": 5,
	"api/mcp": 6, "api/actions": 6, "api/public": 6, "api/console": 6,
	"demo": 7, "api/node": 7,
	"examples/go": 8,
	"cmd/interai": 9,
}

// sameRank are the imports between packages of one rank that the architecture allows.
var sameRank = map[string][]string{
	"api/tools": {"api/ops", "api/guide"}, "api/guide": {"api/ops"}, "api/refusal": {"api/ops"}, "trustops/report": {"trustops"}, "trustmodel/simulate": {"trustmodel"},
	"evidence":           {"evidence/moderation"},
	"evidence/retrieval": {"evidence/retrieval/words"}, "evidence/claimkey": {"evidence/retrieval/words"},
	"antiabuse": {
		"antiabuse/finding", "antiabuse/text", "antiabuse/secret", "antiabuse/personal", "antiabuse/markdown", "antiabuse/label",
		"antiabuse/similar", "antiabuse/collusion", "antiabuse/opinion",
	},
	"antiabuse/text": {"antiabuse/finding"}, "antiabuse/secret": {"antiabuse/finding", "antiabuse/text"},
	"antiabuse/personal": {"antiabuse/finding", "antiabuse/text"}, "antiabuse/markdown": {"antiabuse/finding", "antiabuse/text"},
	"antiabuse/label": {"antiabuse/finding", "antiabuse/text", "antiabuse/markdown"}, "antiabuse/opinion": {"antiabuse/finding"},
	"antiabuse/similar": {"antiabuse/text"},
}

// neverOurs are packages that import nothing of ours: they are meant to be used without the rest.
var neverOurs = []string{"api/ops", "trustmodel", "config", "store/pgembed", "evidence/retrieval/words"}

// homes are the packages in which a library may be imported. A trailing slash means all packages below.
var homes = map[string][]string{
	"github.com/riverqueue/":                  {"jobs", "migrations"},
	"riverqueue.com/":                         {"api/console"},
	"github.com/jackc/pgx/":                   {"store", "jobs", "migrations", "store/pgembed"},
	"github.com/pressly/goose/":               {"migrations"},
	"github.com/modelcontextprotocol/go-sdk/": {"api/mcp", "examples/go"},
	"github.com/google/jsonschema-go/":        {"evidence/schemas"},
	"github.com/gin-gonic/gin":                {"api/"},
	"github.com/prometheus/":                  {"api/"},
	"gonum.org/":                              {"trustmodel", "trustmodel/simulate", "antiabuse/collusion", "trustops/report"},
	"github.com/lmittmann/tint":               {"cmd/interai"},
	"github.com/spf13/cobra":                  {"cmd/interai"},
	"github.com/schollz/progressbar/":         {"cmd/interai", "demo"},
	"github.com/go-playground/validator/":     {"api/ops"},
	"github.com/google/uuid":                  {"store", "evidence", "evidence/moderation", "jobs", "api/", "demo", "trustops"},
	"go.jetify.com/typeid":                    {"store"},
	"go.yaml.in/yaml/":                        {"config"},
	"golang.org/x/net/":                       {"antiabuse", "antiabuse/personal", "antiabuse/label", "antiabuse/markdown", "api/"},
	"golang.org/x/text/":                      {"evidence", "evidence/claimkey", "evidence/retrieval/words", "antiabuse/text", "antiabuse/secret", "antiabuse/label", "antiabuse", "store", "api/openmcp"},
	"github.com/blevesearch/snowballstem":     {"evidence/retrieval/words"},
	"golang.org/x/term":                       {"cmd/interai"},
	"github.com/yuin/goldmark":                {"api/public", "antiabuse/markdown"},
	"github.com/zricethezav/gitleaks/":        {"antiabuse/opinion"},
	"github.com/rs/zerolog":                   {"antiabuse/opinion"},
	"github.com/nyaruka/phonenumbers":         {"antiabuse/personal"},
	"github.com/coreos/go-oidc/":              {"api/auth"},
	"github.com/santhosh-tekuri/jsonschema/":  {"api/openmcp"},
	"github.com/getkin/kin-openapi/":          {},
	"github.com/microcosm-cc/bluemonday":      {"api/public"},
	"github.com/chromedp/":                    {"internal/browser"},
	"github.com/stretchr/testify/":            {},
	"go.uber.org/goleak":                      {},
	"github.com/google/go-cmp/":               {},
	"pgregory.net/rapid":                      {},
}

// file is what a file says that it imports.
type file struct {
	path    string // from the root, with slashes
	imports []string
}

func (f file) pkg() string  { return path.Dir(f.path) }
func (f file) test() bool   { return strings.HasSuffix(f.path, "_test.go") }
func (f file) kit() bool    { return strings.HasPrefix(f.path, "internal/") }
func (f file) atRoot() bool { return f.pkg() == "." }

// read parses the imports of all Go files below root. It walks the files itself: a test that runs the go command is
// cached although the files have changed.
func read(t *testing.T, root string) []file {
	t.Helper()
	var files []file
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); name != root && (base == "testdata" || strings.HasPrefix(base, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		relative, err := filepath.Rel(root, name)
		f := file{path: filepath.ToSlash(relative)}
		for _, spec := range parsed.Imports {
			imported, unquoteErr := strconv.Unquote(spec.Path.Value)
			f.imports, err = append(f.imports, imported), errors.Join(err, unquoteErr)
		}
		files = append(files, f)
		return err
	})
	require.NoError(t, err)
	return files
}

// violations lists what the files do that the structure forbids.
func violations(files []file) []string {
	var out []string
	for _, f := range files {
		if f.atRoot() || f.kit() {
			continue
		}
		rank, ranked := ranks[f.pkg()]
		if !ranked {
			out = append(out, f.pkg()+" has no rank")
			continue
		}
		for _, imported := range f.imports {
			if problem := forbidden(f, rank, imported); problem != "" {
				out = append(out, f.path+": "+problem)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func forbidden(f file, rank int, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, module+"/")
	switch {
	case !isOurs && !strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		return "" // the standard library
	case !isOurs:
		return library(f, imported)
	case f.test():
		return "" // tests may use anything of ours
	case strings.HasPrefix(ours, "internal/"):
		return "imports the test kit " + ours
	case slices.Contains(neverOurs, f.pkg()):
		return "imports " + ours + ", though it must stand alone"
	}
	below, ranked := ranks[ours]
	switch {
	case !ranked:
		return "imports " + ours + ", which has no rank"
	case below < rank, below == rank && slices.Contains(sameRank[f.pkg()], ours):
		return ""
	default:
		return fmt.Sprintf("imports %s, which is not below it (%d, %d)", ours, below, rank)
	}
}

func library(f file, imported string) string {
	for _, prefix := range slices.Sorted(maps.Keys(homes)) {
		if !strings.HasPrefix(imported+"/", strings.TrimSuffix(prefix, "/")+"/") && !strings.HasPrefix(imported, prefix) {
			continue
		}
		for _, home := range homes[prefix] {
			if f.pkg() == home || strings.HasSuffix(home, "/") && strings.HasPrefix(f.pkg(), home) {
				return ""
			}
		}
		if f.test() {
			return "" // what a test drives the product with is its own affair
		}
		return "imports " + imported + ", whose home is " + strings.Join(homes[prefix], ", ")
	}
	if f.test() {
		return ""
	}
	return "imports " + imported + ", which has no home"
}

// root is the root of the tree.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	return dir
}

func TestImportsGoDownAndLibrariesStayAtHome(t *testing.T) {
	t.Parallel()
	files := read(t, root(t))
	require.Greater(t, len(files), 150, "the walk misses files")
	require.Empty(t, violations(files))
}

func TestEveryRankIsOfAPackage(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	for _, f := range read(t, root(t)) {
		there[f.pkg()] = true
	}
	for name := range sameRank {
		require.True(t, there[name], "%s has an exception and does not exist", name)
	}
	for _, built := range []string{"config", "migrations", "trustmodel", "store", "jobs", "evidence", "api/tools", "api/mcp", "cmd/interai"} {
		require.True(t, there[built], "the walk misses %s", built)
	}
	for _, name := range neverOurs {
		require.True(t, there[name], "%s must stand alone and does not exist", name)
	}
}

func TestEveryPackageSaysWhatItOwns(t *testing.T) {
	t.Parallel()
	dir := root(t)
	documented := map[string]bool{}
	for _, f := range read(t, dir) {
		if f.test() || f.atRoot() {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.path), nil, parser.PackageClauseOnly|parser.ParseComments)
		require.NoError(t, err)
		documented[f.pkg()] = documented[f.pkg()] || parsed.Doc != nil
	}
	for name, has := range documented {
		require.True(t, has, "%s has no comment", name)
	}
	for _, name := range []string{"util", "utils", "common", "helpers", "models", "pkg"} {
		for pkg := range documented {
			require.NotEqual(t, name, path.Base(pkg))
		}
	}
}

// The seeded files break one rule each: the test can fail.
func TestSeededViolationsAreFound(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"api/ops/seeded.go: imports store, though it must stand alone",
		"config/seeded.go: imports github.com/lmittmann/tint, whose home is cmd/interai",
		"evidence/seeded.go: imports github.com/riverqueue/river, whose home is jobs, migrations",
		"jobs/seeded.go: imports evidence, which is not below it (3, 2)",
		"jobs/seeded.go: imports example.com/somebody/library, which has no home",
		"jobs/seeded.go: imports the test kit internal/pgtest",
		"store/seeded.go: imports store/pgembed, which is not below it (1, 1)",
		"unranked has no rank",
	}, violations(read(t, filepath.Join("testdata", "seeded"))))
}

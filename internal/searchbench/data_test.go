package searchbench

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// beside is where the data lies next to a checkout, seen from this package.
var beside = filepath.Join("..", "..", "..", "shared", "data")

// dataDir is the directory of the search data; the test is skipped without it.
func dataDir(tb testing.TB) string {
	tb.Helper()
	base := os.Getenv("INTERAI_DATA")
	if base == "" {
		base = beside
	}
	for _, dir := range []string{base, filepath.Join(base, "search")} {
		if info, err := os.Stat(filepath.Join(dir, "scifact")); err == nil && info.IsDir() {
			return dir
		}
	}
	tb.Skip("not run: no search data; set INTERAI_DATA to the directory that has scifact/, cosqa/ and pairs/")
	return ""
}

// text is a document or a question.
type text struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// set is a labelled collection: which documents answer which question, and how well.
type set struct {
	Name    string
	Docs    []text
	Queries []text
	Gains   map[string]map[string]float64 // by question, then document
}

// loadSet reads NAME/corpus.jsonl.gz, queries.dev.jsonl.gz and qrels.dev.tsv.gz.
func loadSet(tb testing.TB, name string) *set {
	tb.Helper()
	dir := filepath.Join(dataDir(tb), name)
	s := &set{Name: name, Gains: map[string]map[string]float64{}}
	lines(tb, filepath.Join(dir, "corpus.jsonl.gz"), func(line string) { s.Docs = append(s.Docs, decode(tb, line)) })
	lines(tb, filepath.Join(dir, "queries.dev.jsonl.gz"), func(line string) { s.Queries = append(s.Queries, decode(tb, line)) })
	lines(tb, filepath.Join(dir, "qrels.dev.tsv.gz"), func(line string) {
		fields := strings.Split(line, "\t")
		gain, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if len(fields) != 3 || err != nil {
			return // a header
		}
		if s.Gains[fields[0]] == nil {
			s.Gains[fields[0]] = map[string]float64{}
		}
		s.Gains[fields[0]][fields[1]] = gain
	})
	if len(s.Docs) == 0 || len(s.Queries) == 0 || len(s.Gains) == 0 {
		tb.Fatalf("%s is empty", name)
	}
	return s
}

func decode(tb testing.TB, line string) text {
	var out text
	if err := json.Unmarshal([]byte(line), &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// maxLine bounds one line of the data.
const maxLine = 16 << 20

// lines calls visit with each line of a gzipped file.
func lines(tb testing.TB, path string, visit func(line string)) {
	tb.Helper()
	file, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	plain, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatalf("%s: %v", filepath.Base(path), err)
	}
	scanner := bufio.NewScanner(plain)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		visit(scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		tb.Fatalf("%s: %v", filepath.Base(path), err)
	}
}

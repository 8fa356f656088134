package trustbench

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// beside is where the data lies next to a checkout, seen from this package.
var beside = filepath.Join("..", "..", "..", "shared", "data")

// dataDir is the directory of the trust data; the test is skipped without it.
func dataDir(tb testing.TB) string {
	tb.Helper()
	base := os.Getenv("INTERAI_DATA")
	if base == "" {
		base = beside
	}
	for _, dir := range []string{base, filepath.Join(base, "trust")} {
		if info, err := os.Stat(filepath.Join(dir, "labels")); err == nil && info.IsDir() {
			return dir
		}
	}
	tb.Skip("no trust data: set INTERAI_DATA to the directory that has labels/, usage/, ratings/ and bitcoin_otc/")
	return ""
}

// rows calls visit with each row of a gzipped CSV file after its header, which
// must be the given one.
func rows(tb testing.TB, path, header string, visit func(row []string)) {
	tb.Helper()
	if err := readRows(path, header, visit); err != nil {
		tb.Fatalf("read %s: %v", filepath.Base(path), err)
	}
}

func readRows(path, header string, visit func(row []string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	reader := csv.NewReader(plain)
	reader.ReuseRecord = true
	for first := true; ; first = false {
		row, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case first && strings.Join(row, ",") != header:
			return fmt.Errorf("columns %v, want %s", row, header)
		case !first:
			visit(row)
		}
	}
}

// whole parses a column that holds whole numbers.
func whole(tb testing.TB, text string) int {
	tb.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatalf("not a whole number: %q", text)
	}
	return n
}

func TestRowsRefusesOtherColumnsAndBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, packed bool) string {
		path := filepath.Join(dir, name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if !packed {
			_, err = file.WriteString(text)
		} else {
			w := gzip.NewWriter(file)
			_, err = w.Write([]byte(text))
			err = errors.Join(err, w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		path string
		rows int
		ok   bool
	}{
		"two rows":        {write("a", "x,y\n1,2\n3,4\n", true), 2, true},
		"only a header":   {write("b", "x,y\n", true), 0, true},
		"another header":  {write("c", "x,z\n1,2\n", true), 0, false},
		"a short row":     {write("d", "x,y\n1\n", true), 0, false},
		"no gzip":         {write("e", "x,y\n1,2\n", false), 0, false},
		"no such file":    {filepath.Join(dir, "f"), 0, false},
		"an empty stream": {write("g", "", true), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			err := readRows(c.path, "x,y", func([]string) { n++ })
			if (err == nil) != c.ok || n != c.rows {
				t.Errorf("%d rows, error %v; want %d, ok %v", n, err, c.rows, c.ok)
			}
		})
	}
}

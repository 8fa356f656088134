package demo

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// maxFileBytes bounds a file after decompression: far above the documented data sets.
const maxFileBytes = 1 << 30

// Bounds of fields and of a data set's name, in characters. With them every text that is made of them fits into
// the 200 characters of an entity's or an actor's name and of a facet.
const (
	maxSetName = 32
	maxID      = 32
	maxText    = 120
)

// column is one column of a form.
type column struct {
	name string
	max  int // characters
}

// columns are those of a form, in order.
type columns []column

// rows reads one file of a form, plain or gzipped, separated by commas or tabs, with or without a header, and
// hands over each row with its line number. Fields are trimmed, valid UTF-8 and bounded.
func (c columns) rows(path string, each func(line int, row []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open the data: %w", err)
	}
	defer file.Close()
	if err := c.read(file, each); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

func (c columns) read(from io.Reader, each func(line int, row []string) error) error {
	plain, err := decompressed(from)
	if err != nil {
		return err
	}
	bounded := &io.LimitedReader{R: plain, N: maxFileBytes}
	text := bufio.NewReader(bounded)
	reader := csv.NewReader(text)
	reader.FieldsPerRecord = len(c)
	reader.Comma = separator(text)
	reader.ReuseRecord = true
	for first := true; ; first = false {
		row, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF) && bounded.N <= 0:
			return fmt.Errorf("the file has more than %d bytes", int64(maxFileBytes))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		line, _ := reader.FieldPos(0)
		if err := c.check(row); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if first && c.isHeader(row) {
			continue
		}
		if err := each(line, row); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// check trims the fields of a row in place.
func (c columns) check(row []string) error {
	for i, field := range row {
		row[i] = strings.TrimSpace(strings.TrimPrefix(field, "\ufeff"))
		if !utf8.ValidString(row[i]) || strings.ContainsFunc(row[i], func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("%s is not plain UTF-8 text", c[i].name)
		}
		if utf8.RuneCountInString(row[i]) > c[i].max {
			return fmt.Errorf("%s has more than %d characters", c[i].name, c[i].max)
		}
	}
	return nil
}

func (c columns) isHeader(row []string) bool {
	for i, column := range c {
		if !strings.EqualFold(row[i], column.name) {
			return false
		}
	}
	return true
}

// decompressed looks at the first bytes, not at the name: a file keeps its form when it is renamed.
func decompressed(from io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(from)
	magic, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

// separator is the tab when the first line has one, else the comma.
func separator(text *bufio.Reader) rune {
	head, _ := text.Peek(text.Size()) // what is there is enough; an error comes again when the rows are read
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if bytes.IndexByte(line, '\t') >= 0 {
		return '\t'
	}
	return ','
}

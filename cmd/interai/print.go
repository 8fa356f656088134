package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// print writes a value as JSON if that was asked for, else as text.
func (a *app) print(cmd *cobra.Command, value any, text func(w io.Writer)) error {
	return a.printTo(cmd.OutOrStdout(), value, text)
}

// printTo does the same to any writer.
func (a *app) printTo(w io.Writer, value any, text func(w io.Writer)) error {
	if !a.json {
		text(w)
		return nil
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// table writes rows in columns.
func table(w io.Writer, rows [][]string) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(columns, "\t")
			}
			fmt.Fprint(columns, cell)
		}
		fmt.Fprintln(columns)
	}
	_ = columns.Flush() // a terminal that is gone has nobody to tell
}

// harmless is a text of others as a terminal may show it: what would move the cursor, colour or begin a line is written
// out.
func harmless(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// harmlessLines is the same for a text that may have several lines.
func harmlessLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = harmless(lines[i])
	}
	return strings.Join(lines, "\n")
}

// day writes a time for people, "" for none.
func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

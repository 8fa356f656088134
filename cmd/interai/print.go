package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// print writes a value as JSON if that was asked for, else as text.
func (a *app) print(cmd *cobra.Command, value any, text func(w io.Writer)) error {
	if !a.json {
		text(cmd.OutOrStdout())
		return nil
	}
	encoder := json.NewEncoder(cmd.OutOrStdout())
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

// day writes a time for people, "" for none.
func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

package demo

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Row is one item: what is true, what was reported, and what trust makes of it.
type Row struct {
	Set   string `json:"set"`
	ID    string `json:"id"`
	Title string `json:"title"`
	// Truth is the true success rate, 0 to 1. Judged is false where too little is known for a truth.
	Truth  float64 `json:"truth"`
	Judged bool    `json:"judged"`
	// Status, Value, Lower and Upper are the computed trust with its 90 % interval.
	Status string  `json:"status"`
	Value  float64 `json:"value"`
	Lower  float64 `json:"lower_bound"`
	Upper  float64 `json:"upper_bound"`
	// Confirmations and Contradictions count independent parties.
	Confirmations  int `json:"independent_confirmations"`
	Contradictions int `json:"contradictions"`
	// Reports is how many reports the item has, Share the plain mean of their outcomes.
	Reports int     `json:"reports"`
	Share   float64 `json:"share"`

	item int
}

// Set is the outcome of one data set.
type Set struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Items were played; those with a known truth are Judged.
	Items  int `json:"items"`
	Judged int `json:"judged"`
	// Actors played them. Sent reports are on the server, now or since an earlier run; Deferred ones met a limit.
	Actors   int `json:"actors"`
	Sent     int `json:"sent"`
	Deferred int `json:"deferred"`
	// Accuracy is the share of judged items on whose side of one half the value is; Majority is the same of the
	// plain mean of the reports. Errors are mean distances from the truth.
	Accuracy      float64 `json:"accuracy"`
	Majority      float64 `json:"majority"`
	Error         float64 `json:"error"`
	MajorityError float64 `json:"majority_error"`
}

// Report is the outcome of a run.
type Report struct {
	Sets    []Set   `json:"sets"`
	Rows    []Row   `json:"rows"`
	Seconds float64 `json:"seconds"`
}

type counts struct{ sent, deferred, actors int }

// holds is the side of one half that a rate is on: exactly one half holds.
func holds(rate float64) bool { return rate >= .5 }

func (r *Report) add(d *dataset, rows []Row, c counts) {
	set := Set{Name: d.name, Kind: string(d.kind), Items: len(rows), Actors: c.actors, Sent: c.sent, Deferred: c.deferred}
	for _, row := range rows {
		if !row.Judged {
			continue
		}
		set.Judged++
		set.Error += math.Abs(row.Value - row.Truth)
		set.MajorityError += math.Abs(row.Share - row.Truth)
		if holds(row.Value) == holds(row.Truth) {
			set.Accuracy++
		}
		if holds(row.Share) == holds(row.Truth) {
			set.Majority++
		}
	}
	if n := float64(set.Judged); n > 0 {
		set.Accuracy, set.Majority, set.Error, set.MajorityError = set.Accuracy/n, set.Majority/n, set.Error/n, set.MajorityError/n
	}
	r.Sets, r.Rows = append(r.Sets, set), append(r.Rows, rows...)
}

const (
	// maxTableRows are shown of each set; a table of thousands is for JSON.
	maxTableRows   = 50
	maxTitleRunes  = 60
	tablePadding   = 2
	unknownTruth   = "-"
	percentOfShare = 100
)

// WriteTable writes the items, at most 50 of each data set, and then how often trust was right.
func (r *Report) WriteTable(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, tablePadding, ' ', 0)
	for _, set := range r.Sets {
		fmt.Fprintf(table, "ITEM\tTRUTH\tSTATUS\tVALUE\tINTERVAL\tCONFIRM\tCONTRADICT\tREPORTS\tSHARE\n")
		shown := 0
		for _, row := range r.Rows {
			if row.Set != set.Name || shown == maxTableRows {
				continue
			}
			shown++
			fmt.Fprintf(table, "%s\t%s\t%s\t%.3f\t[%.3f, %.3f]\t%d\t%d\t%d\t%.3f\n", shorten(row.Title), row.truth(), row.Status,
				row.Value, row.Lower, row.Upper, row.Confirmations, row.Contradictions, row.Reports, row.Share)
		}
		if left := set.Items - shown; left > 0 {
			fmt.Fprintf(table, "… and %d more\n", left)
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintf(table, "DATA SET\tITEMS\tJUDGED\tREPORTS\tACTORS\tTRUST RIGHT\tMAJORITY RIGHT\tTRUST ERROR\tMAJORITY ERROR\n")
	for _, set := range r.Sets {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.2f %%\t%.2f %%\t%.3f\t%.3f\n", set.Name, set.Items, set.Judged, set.Sent,
			set.Actors, percentOfShare*set.Accuracy, percentOfShare*set.Majority, set.Error, set.MajorityError)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return r.writeDeferred(w)
}

func (r *Report) writeDeferred(w io.Writer) error {
	for _, set := range r.Sets {
		if set.Deferred == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %d reports met a rate limit. Run the demo again later, or against a server with a higher INTERAI_WRITES_PER_HOUR.\n",
			set.Name, set.Deferred); err != nil {
			return fmt.Errorf("write the table: %w", err)
		}
	}
	return nil
}

func (r *Row) truth() string {
	if !r.Judged {
		return unknownTruth
	}
	return fmt.Sprintf("%.3f", r.Truth)
}

// shorten keeps a title on one line; tabs would break the table.
func shorten(title string) string {
	title = strings.ReplaceAll(title, "\t", " ")
	if utf8.RuneCountInString(title) <= maxTitleRunes {
		return title
	}
	return string([]rune(title)[:maxTitleRunes-1]) + "…"
}

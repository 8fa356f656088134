package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interai/evidence/moderation"
	"interai/store"
)

// dossierLine is a case with everything about it, as commands print it.
type dossierLine struct {
	caseLine

	Findings []findingLine      `json:"findings"`
	Masked   []store.MaskedText `json:"masked"`
	Facts    json.RawMessage    `json:"facts,omitempty"`
	Present  []store.MaskedText `json:"present"`
	Before   []store.MaskedText `json:"before"`
	Held     bool               `json:"held"`
	Offered  []string           `json:"offered"`
	History  []eventLine        `json:"history"`
	Record   partyLine          `json:"party_history"`
}

type findingLine struct {
	Rule   string `json:"rule"`
	Action string `json:"action"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Length int    `json:"length"`
	Seen   int    `json:"seen"`
	SeenBy int    `json:"seen_by_parties"`
}

type eventLine struct {
	At     time.Time `json:"at"`
	Actor  string    `json:"actor,omitempty"`
	What   string    `json:"what"`
	Reason string    `json:"reason,omitempty"`
}

type partyLine struct {
	Since       time.Time `json:"since"`
	Actors      int       `json:"actors"`
	Contents    int       `json:"contents"`
	Cases       int       `json:"cases"`
	Open        int       `json:"open"`
	Rejections  int       `json:"rejections"`
	Upheld      int       `json:"upheld"`
	FalseAlarms int       `json:"false_alarms"`
}

func dossierLineOf(d *moderation.Dossier) dossierLine {
	line := dossierLine{
		caseLine: caseLineOf(&d.Case), Findings: []findingLine{}, Masked: d.Case.Masked, Facts: d.Case.Facts, Present: d.Present,
		Before: d.Before, Held: d.Held, Offered: d.Offered, History: []eventLine{}, Record: partyLine{
			Since: d.Party.Since, Actors: d.Party.Actors, Contents: d.Party.Contents, Cases: d.Party.Cases, Open: d.Party.Open,
			Rejections: d.Party.Rejections, Upheld: d.Party.Upheld, FalseAlarms: d.Party.FalseAlarms,
		},
	}
	for i := range d.Case.Findings {
		f := &d.Case.Findings[i]
		line.Findings = append(line.Findings, findingLine{f.Rule, f.Action, f.Path, f.Line, f.Column, f.Length, f.Seen, f.SeenBy})
	}
	for _, e := range d.Events {
		line.History = append(line.History, eventLine{e.At, e.Actor.String(), e.What, e.Reason})
	}
	return line
}

func (a *app) moderationShow() *cobra.Command {
	return &cobra.Command{
		Use: "show CASE", Short: "Show a case: what was found where, who sent it, what happened, what may be decided", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := caseArgument(args[0])
			if err != nil {
				return err
			}
			return a.withQueue(cmd, func(ctx context.Context, _ *database, queue *moderation.Service) error {
				dossier, err := queue.Dossier(ctx, id)
				if err != nil {
					return err
				}
				line := dossierLineOf(&dossier)
				return a.print(cmd, line, func(w io.Writer) { writeDossier(w, &line) })
			})
		},
	}
}

func writeDossier(w io.Writer, d *dossierLine) {
	table(w, [][]string{
		{"case", d.ID},
		{"state", d.State},
		{"origin", d.Origin},
		{"reason", d.Reason},
		{"tool", orDash(d.Tool)},
		{"author", orDash(d.Actor)},
		{"party", d.Party},
		{"object", orDash(d.Object)},
		{"held", strconv.FormatBool(d.Held)},
		{"times", strconv.Itoa(d.Times)},
		{"opened", day(&d.OpenedAt)},
		{"waits", waited(d.OpenedAt, d.DecidedAt)},
		{"decision", orDash(d.Decision)},
		{"decide", strings.Join(d.Offered, ", ")},
		{"party so far", fmt.Sprintf("since %s, %d actors, %d items, %d cases (%d open), %d rejections, %d upheld, %d false alarms",
			day(&d.Record.Since), d.Record.Actors, d.Record.Contents, d.Record.Cases, d.Record.Open, d.Record.Rejections,
			d.Record.Upheld, d.Record.FalseAlarms)},
	})
	rows := [][]string{{"", "", "", "", ""}, {"RULE", "ACTION", "WHERE", "LENGTH", "SEEN"}}
	for _, f := range d.Findings {
		rows = append(rows, []string{
			f.Rule, f.Action, fmt.Sprintf("%s %d:%d", f.Path, f.Line, f.Column), strconv.Itoa(f.Length),
			fmt.Sprintf("%d times by %d parties", f.Seen, f.SeenBy),
		})
	}
	table(w, rows)
	for _, text := range d.Masked {
		fmt.Fprintf(w, "\n%s\n%s\n", text.Path, indented(text.Text))
	}
	if len(d.Facts) > len("{}") {
		fmt.Fprintln(w, "\nfacts")
		writeFacts(w, d.Facts)
	}
	fmt.Fprintln(w)
	for _, e := range d.History {
		fmt.Fprintf(w, "%s  %-12s %s  %s\n", day(&e.At), e.What, orDash(e.Actor), oneLine(e.Reason))
	}
}

// writeFacts writes the numbers of a signal: what they mean first, then each by its name.
func writeFacts(w io.Writer, raw json.RawMessage) {
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		fmt.Fprintln(w, indented(string(raw)))
		return
	}
	if sentence, ok := facts["sentence"].(string); ok {
		fmt.Fprintln(w, indented(sentence))
		delete(facts, "sentence")
	}
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		rows = append(rows, []string{"  " + oneLine(name), oneLine(factText(facts[name]))})
	}
	table(w, rows)
}

// factText is one fact as a person reads it.
func factText(fact any) string {
	switch v := fact.(type) {
	case string:
		return orDash(v)
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = factText(v[i])
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+" "+factText(v[name]))
		}
		return strings.Join(parts, ", ")
	default:
		return fmt.Sprint(v)
	}
}

// indented sets a text of somebody apart, without what a terminal would obey.
func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = "  | " + oneLine(line)
	}
	return strings.Join(lines, "\n")
}

// statisticsLine is what the queue looks like, as commands print it. Times are in seconds.
type statisticsLine struct {
	Open             int          `json:"open"`
	Appealed         int          `json:"appealed"`
	DecidedIn30Days  int          `json:"decided_in_30_days"`
	WaitingMedian    float64      `json:"waiting_median"`
	WaitingLongest   float64      `json:"waiting_longest"`
	ToDecisionMedian float64      `json:"to_decision_median"`
	ToDecisionP90    float64      `json:"to_decision_p90"`
	Rules            []ruleLine   `json:"rules"`
	Parties          []partyCases `json:"parties"`
}

type ruleLine struct {
	Rule      string   `json:"rule"`
	Cases     int      `json:"cases"`
	Right     int      `json:"right"`
	Wrong     int      `json:"wrong"`
	Precision *float64 `json:"precision"`
}

type partyCases struct {
	Party string `json:"root_controller"`
	Name  string `json:"name"`
	Cases int    `json:"cases"`
	Open  int    `json:"open"`
}

func (a *app) moderationStats() *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "How long cases wait, how often each rule was right, and who has cases", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withQueue(cmd, func(ctx context.Context, _ *database, queue *moderation.Service) error {
				s, err := queue.Statistics(ctx)
				if err != nil {
					return err
				}
				line := statisticsLineOf(&s)
				return a.print(cmd, line, func(w io.Writer) { writeStatistics(w, &s, &line) })
			})
		},
	}
}

func statisticsLineOf(s *store.CaseStatistics) statisticsLine {
	line := statisticsLine{
		Open: s.Open, Appealed: s.Appealed, DecidedIn30Days: s.DecidedIn30Days,
		WaitingMedian: s.WaitingMedian.Seconds(), WaitingLongest: s.WaitingLongest.Seconds(),
		ToDecisionMedian: s.ToDecisionMedian.Seconds(), ToDecisionP90: s.ToDecisionP90.Seconds(),
		Rules: []ruleLine{}, Parties: []partyCases{},
	}
	for _, r := range s.Rules {
		row := ruleLine{Rule: r.Rule, Cases: r.Cases, Right: r.Right, Wrong: r.Wrong}
		if share, known := r.Precision(); known {
			row.Precision = &share
		}
		line.Rules = append(line.Rules, row)
	}
	for _, p := range s.Parties {
		line.Parties = append(line.Parties, partyCases{p.Party.String(), p.Name, p.Cases, p.Open})
	}
	return line
}

func writeStatistics(w io.Writer, s *store.CaseStatistics, line *statisticsLine) {
	short := func(d time.Duration) string { return d.Round(time.Second).String() }
	table(w, [][]string{
		{"open", strconv.Itoa(s.Open)},
		{"appealed", strconv.Itoa(s.Appealed)},
		{"decided in 30 days", strconv.Itoa(s.DecidedIn30Days)},
		{"waiting, median", short(s.WaitingMedian)},
		{"waiting, longest", short(s.WaitingLongest)},
		{"to decision, median", short(s.ToDecisionMedian)},
		{"to decision, 90 %", short(s.ToDecisionP90)},
	})
	rows := [][]string{{"", "", "", ""}, {"RULE", "CASES", "RIGHT", "WRONG", "PRECISION"}}
	for _, r := range line.Rules {
		precision := "-"
		if r.Precision != nil {
			precision = fmt.Sprintf("%.2f", *r.Precision)
		}
		rows = append(rows, []string{r.Rule, strconv.Itoa(r.Cases), strconv.Itoa(r.Right), strconv.Itoa(r.Wrong), precision})
	}
	rows = append(rows, []string{"", "", ""}, []string{"PARTY", "NAME", "CASES", "OPEN"})
	for _, p := range line.Parties {
		rows = append(rows, []string{p.Party, oneLine(p.Name), strconv.Itoa(p.Cases), strconv.Itoa(p.Open)})
	}
	table(w, rows)
}

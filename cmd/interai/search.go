package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"interai/jobs"
)

// unansweredLine is a question that found nothing, as commands print it.
type unansweredLine struct {
	Query   string    `json:"query"`
	Times   int64     `json:"times"`
	FirstAt time.Time `json:"first_at"`
	LastAt  time.Time `json:"last_at"`
}

func (a *app) searchCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "search", Short: "What was asked in vain, and the index"}
	cmd.AddCommand(a.searchUnanswered(), a.searchReindex())
	return cmd
}

// maxUnansweredLines bounds what one command prints.
const maxUnansweredLines = 10_000

func (a *app) searchUnanswered() *cobra.Command {
	var days, limit int
	cmd := &cobra.Command{
		Use: "unanswered", Short: "List the questions that found nothing, the commonest first: what to write next", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days < 1 || days > 3650 {
				return usagef("--days must be 1 to 3650")
			}
			if limit < 1 || limit > maxUnansweredLines {
				return usagef("--limit must be 1 to %d", maxUnansweredLines)
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				found, err := db.UnansweredQuestions(ctx, time.Now().AddDate(0, 0, -days), limit)
				if err != nil {
					return err
				}
				lines, rows := []unansweredLine{}, [][]string{{"TIMES", "LAST", "QUERY"}}
				for _, q := range found {
					lines = append(lines, unansweredLine{q.Query, q.Times, q.FirstAt, q.LastAt})
					rows = append(rows, []string{strconv.FormatInt(q.Times, 10), q.LastAt.Format(time.DateOnly), q.Query})
				}
				return a.print(cmd, lines, func(w io.Writer) { table(w, rows) })
			})
		},
	}
	cmd.Flags().IntVar(&days, "days", 30, "how many days to look back")
	cmd.Flags().IntVar(&limit, "limit", 50, "how many questions to list")
	return cmd
}

func (a *app) searchReindex() *cobra.Command {
	return &cobra.Command{
		Use: "reindex", Short: "Index what is not indexed yet, and count words anew", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				indexed, err := jobs.Reindex(ctx, db.Store)
				if err != nil {
					return err
				}
				if _, err := db.RefreshSearchStatistics(ctx, true); err != nil {
					return err
				}
				return a.print(cmd, map[string]int{"indexed": indexed}, func(w io.Writer) { fmt.Fprintln(w, indexed, "objects indexed") })
			})
		},
	}
}

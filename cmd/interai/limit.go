package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"interai/store"
)

// limitLine is one meter as commands print it.
type limitLine struct {
	Actor   string     `json:"actor"`
	Scope   string     `json:"scope"`
	Limit   int        `json:"limit"`
	Own     bool       `json:"own"`
	FullAt  *time.Time `json:"full_at,omitempty"`
	Blocked *time.Time `json:"blocked_until,omitempty"`
}

func (a *app) limitCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "limit", Short: "Limits of writes, of parties and of actors"}
	cmd.AddCommand(a.limitSet(), a.limitShow())
	return cmd
}

func (a *app) limitSet() *cobra.Command {
	var writes, claims int
	cmd := &cobra.Command{
		Use: "set ACTOR", Short: "Give an actor limits of its own, from the next write on", Args: cobra.ExactArgs(1),
		Long: "Of a root controller --writes is for all that it answers for, of another actor for itself. 0 takes an own limit\n" +
			"away again: then the configured one holds (--writes-per-hour, --actor-writes-per-hour, --claims-per-day).",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := actorArgument(args)
			if err != nil {
				return err
			}
			own := store.OwnLimits{}
			if cmd.Flags().Changed("writes") {
				own.Writes = &writes
			}
			if cmd.Flags().Changed("claims") {
				own.Claims = &claims
			}
			switch {
			case own.Writes == nil && own.Claims == nil:
				return usagef("name a limit: --writes or --claims")
			case writes < 0 || writes > store.MaxCapacity:
				return usagef("--writes must be within 0 and %d", store.MaxCapacity)
			case claims != 0 && claims < store.MinPerDay || claims > store.MaxCapacity:
				return usagef("--claims must be 0, or within %d and %d", store.MinPerDay, store.MaxCapacity)
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				if err := db.SetLimits(ctx, id, own); err != nil {
					return err
				}
				return a.printLimits(ctx, cmd, db, id)
			})
		},
	}
	cmd.Flags().IntVar(&writes, "writes", 0, "writes an hour")
	cmd.Flags().IntVar(&claims, "claims", 0, "new claims a day, of a root controller")
	return cmd
}

func (a *app) limitShow() *cobra.Command {
	return &cobra.Command{
		Use: "show [ACTOR]", Short: "Show what an actor has used of its limits, or who may not write for now", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var id store.ID
			if len(args) == 1 {
				var err error
				if id, err = actorArgument(args); err != nil {
					return err
				}
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error { return a.printLimits(ctx, cmd, db, id) })
		},
	}
}

func (a *app) printLimits(ctx context.Context, cmd *cobra.Command, db *database, id store.ID) error {
	found, err := db.Limits(ctx, id)
	if err != nil {
		return err
	}
	lines, rows := []limitLine{}, [][]string{{"ACTOR", "SCOPE", "LIMIT", "FULL AT", "BLOCKED UNTIL"}}
	for _, l := range found {
		line := limitLine{
			Actor: l.Actor.String(), Scope: l.Scope, Limit: l.Capacity, Own: l.Capacity > 0, Blocked: l.BlockedUntil,
		}
		if line.Limit == 0 {
			line.Limit = configuredLimit(db, l.Scope)
		}
		if l.FullAt.After(time.Now()) {
			line.FullAt = &l.FullAt
		}
		lines = append(lines, line)
		rows = append(rows, []string{line.Actor, line.Scope, strconv.Itoa(line.Limit), clock(line.FullAt), clock(line.Blocked)})
	}
	return a.print(cmd, lines, func(w io.Writer) {
		switch {
		case len(lines) > 0:
			table(w, rows)
		case id == store.ID{}:
			fmt.Fprintln(w, "Nobody is kept from writing.")
		default:
			fmt.Fprintln(w, "Nothing is used, and there is no own limit.")
		}
	})
}

// configuredLimit is the limit of those who have none of their own; 0 where only operators set one.
func configuredLimit(db *database, scope string) int {
	switch scope {
	case "root":
		return db.config.WritesPerHour
	case "actor":
		return db.config.ActorWritesPerHour
	case "rejections":
		return db.config.RejectionsPerHour
	case "claims":
		return db.config.ClaimsPerDay
	}
	return 0
}

// clock is a moment as tables show it, "" for none.
func clock(moment *time.Time) string {
	if moment == nil {
		return ""
	}
	return moment.UTC().Format(time.RFC3339)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"interai/jobs"
	"interai/migrations"
	"interai/store"
	"interai/trustops"
)

// finding is the result of one check.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Advice string `json:"advice,omitempty"`
}

// maxSkew is how far the database's clock may be from this machine's.
const maxSkew = 5 * time.Second

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check database, migrations, evidence, unknown outcomes, the local key and clock; say what to do", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabaseAsItIs(cmd, func(ctx context.Context, db *database) error {
				findings := []finding{checkMigrations(ctx, db), checkClock(ctx, db)}
				if findings[0].OK { // else there may be no tables to look at
					findings = append(findings, checkEvidence(ctx, db), checkTrust(ctx, db), checkUnknown(ctx, db), checkLocalKey(ctx, db))
				}
				bad := 0
				rows := [][]string{}
				for _, f := range findings {
					mark := "ok"
					if !f.OK {
						mark, bad = "LOOK", bad+1
					}
					rows = append(rows, []string{mark, f.Check, f.Detail, f.Advice})
				}
				if err := a.print(cmd, findings, func(w io.Writer) { table(w, rows) }); err != nil {
					return err
				}
				if bad > 0 {
					return fmt.Errorf("%d of %d checks need a look", bad, len(findings))
				}
				return nil
			})
		},
	}
}

func checkMigrations(ctx context.Context, db *database) finding {
	switch err := migrations.Check(ctx, db.conn); {
	case errors.Is(err, migrations.ErrNewerDatabase):
		return finding{Check: "migrations", Detail: err.Error(), Advice: "run the newer version of interai"}
	case err != nil:
		return finding{Check: "migrations", Detail: err.Error(), Advice: "run interai migrate up"}
	}
	return finding{Check: "migrations", OK: true, Detail: "up to date"}
}

func checkEvidence(ctx context.Context, db *database) finding {
	totals, err := db.TrustTotals(ctx)
	f := finding{Check: "evidence", Detail: describe(totals), OK: err == nil && totals.Gaps == 0 && totals.Lost == 0}
	if err != nil {
		f.Detail = err.Error()
	}
	if !f.OK {
		f.Advice = "keep the database as it is and report this"
	}
	return f
}

func describe(t store.TrustTotals) string {
	return fmt.Sprintf("%d records, %d gaps, %d targets with lost records, %d targets waiting", t.Evidence, t.Gaps, t.Lost, t.Lagging)
}

// sampledTargets is how many targets doctor computes from their raw evidence; `interai trust verify` does all.
const sampledTargets = 200

func checkTrust(ctx context.Context, db *database) finding {
	f := finding{Check: "trust", Advice: "run interai trust verify, keep the database as it is and report this"}
	models, err := db.LiveModels(ctx)
	if err == nil && len(models) == 0 {
		return finding{Check: f.Check, OK: true, Detail: "no version of the trust model yet: the first start makes one"}
	}
	var queue *jobs.Enqueuer
	if err == nil {
		queue, err = jobs.NewEnqueuer(db.Store, db.logger)
	}
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	sample, err := trustops.NewVersions(db.Store, queue).Sample(ctx, sampledTargets)
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	f.Detail = fmt.Sprintf("%d targets of %s compared with their raw evidence, %d differ", sample.Checked, sample.Name, sample.Wrong)
	if f.OK = sample.Wrong == 0; f.OK {
		f.Advice = ""
	}
	return f
}

func checkUnknown(ctx context.Context, db *database) finding {
	const most = 20
	calls, err := db.UnknownCalls(ctx, most)
	if err != nil {
		return finding{Check: "unknown outcomes", Detail: err.Error()}
	}
	if len(calls) == 0 {
		return finding{Check: "unknown outcomes", OK: true, Detail: "none"}
	}
	return finding{
		Check: "unknown outcomes", Detail: fmt.Sprintf("%d writes, the newest %s of %s", len(calls), calls[0].Tool, calls[0].StartedAt.UTC().Format(time.RFC3339)),
		Advice: "look in mcp_calls where outcome = 'unknown', and whether the records exist",
	}
}

func checkClock(ctx context.Context, db *database) finding {
	now, err := db.Now(ctx)
	if err != nil {
		return finding{Check: "clock", Detail: err.Error()}
	}
	skew := time.Since(now).Abs()
	f := finding{Check: "clock", OK: skew < maxSkew, Detail: fmt.Sprintf("%s from the database's", skew.Round(time.Millisecond))}
	if !f.OK {
		f.Advice = "synchronise the clocks"
	}
	return f
}

package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interai/api/auth"
	"interai/api/node"
	"interai/evidence/moderation"
	"interai/store"
)

func (a *app) moderationCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "moderation", Short: "The queue of rejections, findings and signals, for those who do not want the web"}
	cmd.AddCommand(a.moderationList(), a.moderationShow(), a.moderationDecide(), a.moderationStats())
	return cmd
}

// withQueue opens the queue of the database.
func (a *app) withQueue(cmd *cobra.Command, work func(ctx context.Context, db *database, queue *moderation.Service) error) error {
	return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
		queue, err := node.Queue(db.Store, db.logger)
		if err != nil {
			return err
		}
		return work(ctx, db, queue)
	})
}

// caseLine is a case as commands list it.
type caseLine struct {
	ID         string     `json:"id"`
	State      string     `json:"state"`
	Origin     string     `json:"origin"`
	Reason     string     `json:"reason"`
	Rules      []string   `json:"rules"`
	Tool       string     `json:"tool"`
	Actor      string     `json:"actor,omitempty"`
	Party      string     `json:"root_controller"`
	Object     string     `json:"object,omitempty"`
	Times      int        `json:"times"`
	OpenedAt   time.Time  `json:"opened_at"`
	Decision   string     `json:"decision,omitempty"`
	DecidedAt  *time.Time `json:"decided_at,omitempty"`
	AppealedAt *time.Time `json:"appealed_at,omitempty"`
}

func caseLineOf(c *store.Case) caseLine {
	line := caseLine{
		ID: c.ID.String(), State: "decided", Origin: string(c.Origin), Reason: c.Reason, Rules: c.Rules, Tool: c.Tool,
		Actor: c.Actor.String(), Party: c.Root.String(), Object: c.Object.String(), Times: c.Times, OpenedAt: c.OpenedAt,
		Decision: c.Decision, DecidedAt: c.DecidedAt, AppealedAt: c.AppealedAt,
	}
	switch {
	case c.Open && c.AppealedAt != nil:
		line.State = store.CasesAppealed
	case c.Open:
		line.State = store.CasesOpen
	}
	return line
}

func (a *app) moderationList() *cobra.Command {
	var q store.CaseQuery
	var origin, party, actor, after string
	cmd := &cobra.Command{
		Use: "list", Short: "List cases, the longest waiting first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{store.CasesOpen, store.CasesAppealed, store.CasesDecided, store.CasesAll}, q.State) {
				return usagef("--state must be open, appealed, decided or all")
			}
			if q.Origin = store.CaseOrigin(origin); origin != "" && !slices.Contains(store.CaseOrigins(), q.Origin) {
				return usagef("--origin must be rejection, finding, scan or signal")
			}
			if q.Limit < 1 || q.Limit >= store.MaxCases {
				return usagef("--limit must be 1 to %d", store.MaxCases-1)
			}
			for name, id := range map[string]*store.ID{"party": &q.Party, "actor": &q.Actor, "after": &q.After} {
				text := map[string]string{"party": party, "actor": actor, "after": after}[name]
				if text == "" {
					continue
				}
				var err error
				*id, err = store.ParseID(text)
				switch {
				case name == "after" && (err != nil || id.Kind != store.KindCase):
					return usagef("--after must be a cas_ ID")
				case name != "after" && (err != nil || !id.Kind.IsActor()):
					return usagef("--%s must be the ID of an actor", name)
				}
			}
			return a.withQueue(cmd, func(ctx context.Context, _ *database, queue *moderation.Service) error {
				cases, more, err := queue.Cases(ctx, q)
				if err != nil {
					return err
				}
				return a.printCases(cmd, cases, more)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&q.State, "state", store.CasesOpen, "open, appealed, decided or all")
	flags.StringVar(&origin, "origin", "", "rejection, finding, scan or signal")
	flags.StringVar(&q.Reason, "reason", "", "such as secret or personal_data")
	flags.StringVar(&q.Rule, "rule", "", "a rule that found something")
	flags.StringVar(&party, "party", "", "ID of a root controller")
	flags.StringVar(&actor, "actor", "", "ID of who sent it")
	flags.StringVar(&after, "after", "", "the last case of the page before")
	flags.IntVar(&q.Limit, "limit", 50, "how many cases to list")
	return cmd
}

func (a *app) printCases(cmd *cobra.Command, cases []store.Case, more bool) error {
	lines, rows := []caseLine{}, [][]string{{"CASE", "STATE", "ORIGIN", "REASON", "RULES", "TIMES", "WAITS", "PARTY"}}
	for i := range cases {
		line := caseLineOf(&cases[i])
		lines = append(lines, line)
		rows = append(rows, []string{
			line.ID, line.State, line.Origin, line.Reason, strings.Join(line.Rules, ","), strconv.Itoa(line.Times),
			waited(line.OpenedAt, line.DecidedAt), line.Party,
		})
	}
	return a.print(cmd, lines, func(w io.Writer) {
		table(w, rows)
		if more {
			fmt.Fprintf(w, "\nThere are more: go on with --after %s\n", lines[len(lines)-1].ID)
		}
	})
}

// waited is how long a case waits, or has waited.
func waited(opened time.Time, decided *time.Time) string {
	until := time.Now()
	if decided != nil {
		until = *decided
	}
	switch d := until.Sub(opened); {
	case d < time.Minute:
		return "<1m"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
}

func (a *app) moderationDecide() *cobra.Command {
	var d moderation.Decision
	var as string
	cmd := &cobra.Command{
		Use: "decide CASE", Short: "Decide about a case", Args: cobra.ExactArgs(1),
		Long: "Decisions: " + strings.Join(moderation.Decisions(), ", ") + ".\n" +
			"false_alarm lets the author of a rejected call send it once more within 24 hours; hold takes what was stored out of\n" +
			"search and trust; redact replaces what was found for ever; limit sets the writes an hour of the party.\n" +
			"Nobody decides about their own party.",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := caseArgument(args[0])
			if err != nil {
				return err
			}
			if !slices.Contains(moderation.Decisions(), d.What) {
				return usagef("--decision must be one of %s", strings.Join(moderation.Decisions(), ", "))
			}
			return a.withQueue(cmd, func(ctx context.Context, db *database, queue *moderation.Service) error {
				moderator, err := moderatorOf(ctx, db, as)
				if err != nil {
					return err
				}
				decided, err := queue.Decide(ctx, moderator, id, d)
				if err != nil {
					return err
				}
				line := caseLineOf(&decided)
				return a.print(cmd, line, func(w io.Writer) { fmt.Fprintf(w, "%s: %s\n", line.ID, line.Decision) })
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&d.What, "decision", "", "what to do (required)")
	flags.StringVar(&d.Reason, "reason", "", "why; its author reads it (required)")
	flags.IntVar(&d.WritesPerHour, "writes", 0, "writes an hour, for limit")
	flags.StringVar(&as, "as", "", "ID of the actor who decides; the data directory's moderator by default")
	return cmd
}

func caseArgument(text string) (store.ID, error) {
	id, err := store.ParseID(text)
	if err != nil || id.Kind != store.KindCase {
		return store.ID{}, usagef("CASE must be a cas_ ID")
	}
	return id, nil
}

// moderatorOf is who decides on the command line: whoever may open the database may moderate.
func moderatorOf(ctx context.Context, db *database, as string) (moderation.Moderator, error) {
	m := moderation.Moderator{Scopes: []string{"moderate"}, Adapter: "cli"}
	if as == "" {
		credentials, err := node.ReadCredentials(db.config.DataDir)
		if err != nil {
			return m, fmt.Errorf("find the moderator of the data directory: %w; or name one with --as", err)
		}
		key, err := auth.Parse(credentials.ModeratorKey)
		if err != nil {
			return m, usagef("the data directory has no moderator: name one with --as")
		}
		found, err := db.Credential(ctx, key.ID())
		if err != nil {
			return m, fmt.Errorf("find the moderator of the data directory: %w; or name one with --as", err)
		}
		m.Actor, m.Root = found.Actor.ID, found.Actor.Root
		return m, nil
	}
	id, err := store.ParseID(as)
	if err != nil || !id.Kind.IsActor() {
		return m, usagef("--as must be the ID of an actor")
	}
	actor, err := db.Actor(ctx, id)
	m.Actor, m.Root = actor.ID, actor.Root
	return m, err
}

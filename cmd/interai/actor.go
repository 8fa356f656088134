package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"interai/api/ops"
	"interai/jobs"
	"interai/store"
)

// actorLine is an actor as commands print it.
type actorLine struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Name       string   `json:"name"`
	Controller string   `json:"controller"`
	Root       string   `json:"root_controller"`
	Verified   []string `json:"verified"`
	Disabled   bool     `json:"disabled"`
}

func actorLineOf(actor store.Actor) actorLine {
	line := actorLine{
		ID: actor.ID.String(), Kind: string(actor.ID.Kind), Name: actor.DisplayName, Controller: actor.Controller.String(),
		Root: actor.Root.String(), Verified: []string{}, Disabled: actor.DisabledAt != nil,
	}
	for name, set := range map[string]bool{"email": actor.Email, "domain": actor.Domain, "vouched": actor.Vouched} {
		if set {
			line.Verified = append(line.Verified, name)
		}
	}
	return line
}

func (l actorLine) row() []string {
	state := strings.Join(l.Verified, ",")
	if l.Disabled {
		state += " disabled"
	}
	return []string{l.ID, l.Name, l.Controller, l.Root, state}
}

func (a *app) actorCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "actor", Short: "Identities: humans, organisations, agents"}
	cmd.AddCommand(a.actorCreate(), a.actorList(), a.actorShow(), a.actorSetController(), a.actorDisable(), a.actorLinkOIDC(),
		a.actorVerifyEmail(), a.actorVerifyDomain())
	return cmd
}

func (a *app) actorCreate() *cobra.Command {
	var kind, name, controller, verified string
	cmd := &cobra.Command{
		Use: "create", Short: "Make an actor", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := newActor(kind, name, controller, verified)
			if err != nil {
				return err
			}
			return a.withNewDatabase(cmd, func(ctx context.Context, db *database) error {
				actor, err := db.CreateActor(ctx, spec)
				if err != nil {
					return explainExists(err, "interai actor show")
				}
				return a.printActor(cmd, actor)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "", "usr, org or ai (required)")
	flags.StringVar(&name, "name", "", "display name (required)")
	flags.StringVar(&controller, "controller", "", "ID of the human or organisation that answers for it; an ai needs one")
	flags.StringVar(&verified, "verified", "", "identity signals, separated by commas: email, domain, vouched")
	return cmd
}

func newActor(kind, name, controller, verified string) (store.NewActor, error) {
	spec := store.NewActor{Kind: store.Kind(kind), Name: strings.Join(strings.Fields(name), " ")}
	if !spec.Kind.IsActor() {
		return spec, usagef("--kind must be usr, org or ai")
	}
	if spec.Name == "" || len([]rune(spec.Name)) > 200 {
		return spec, usagef("--name must have 1 to 200 characters")
	}
	if controller != "" {
		id, err := store.ParseID(controller)
		if err != nil || !id.Kind.IsActor() {
			return spec, usagef("--controller must be the ID of an actor")
		}
		spec.Controller = id
	} else if spec.Kind == store.KindAgent {
		return spec, usagef("--controller is required: a human or an organisation answers for every ai")
	}
	for signal := range strings.SplitSeq(verified, ",") {
		switch strings.TrimSpace(signal) {
		case "":
		case "email":
			spec.Email = true
		case "domain":
			spec.Domain = true
		case "vouched":
			spec.Vouched = true
		default:
			return spec, usagef("--verified knows email, domain and vouched")
		}
	}
	return spec, nil
}

// explainExists says which object has the natural identity already, and what to use: an explicit create neither makes
// another one nor takes the old one silently.
func explainExists(err error, use string) error {
	exists, ok := errors.AsType[*store.ExistsError](err)
	if !ok {
		return err
	}
	e := ops.NewError(ops.ValidationFailed, fmt.Sprintf("already_exists: %s has this identity.", exists.Existing)).
		WithReason("already_exists")
	e.Details.Existing = []string{exists.Existing.String()}
	e.Details.Use = use + " " + exists.Existing.String()
	return e
}

func (a *app) printActor(cmd *cobra.Command, actor store.Actor) error {
	line := actorLineOf(actor)
	return a.print(cmd, line, func(w io.Writer) { table(w, [][]string{line.row()}) })
}

func (a *app) actorList() *cobra.Command {
	var after string
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List actors, oldest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var from store.ID
			if after != "" {
				var err error
				if from, err = store.ParseID(after); err != nil {
					return usagef("--after must be the ID of an actor")
				}
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				if limit < 1 {
					return usagef("--limit must be at least 1")
				}
				actors, err := db.Actors(ctx, from, limit)
				if err != nil {
					return err
				}
				lines, rows := []actorLine{}, [][]string{{"ID", "NAME", "CONTROLLER", "PARTY", "VERIFIED"}}
				for _, actor := range actors {
					lines = append(lines, actorLineOf(actor))
					rows = append(rows, actorLineOf(actor).row())
				}
				return a.print(cmd, lines, func(w io.Writer) { table(w, rows) })
			})
		},
	}
	cmd.Flags().StringVar(&after, "after", "", "list only actors made after this one")
	cmd.Flags().IntVar(&limit, "limit", 1000, "at most this many")
	return cmd
}

// actorArgument reads the one argument of a command as an actor's ID.
func actorArgument(args []string) (store.ID, error) {
	id, err := store.ParseID(args[0])
	if err != nil || !id.Kind.IsActor() {
		return id, usagef("%q is not the ID of an actor", args[0])
	}
	return id, nil
}

func (a *app) actorShow() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show an actor", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onActor(cmd, args, func(context.Context, *database, store.ID) error { return nil })
		},
	}
}

func (a *app) actorSetController() *cobra.Command {
	var controller string
	cmd := &cobra.Command{
		Use: "set-controller ID", Short: "Put an actor under another controller", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var target store.ID
			if controller != "" {
				var err error
				if target, err = store.ParseID(controller); err != nil || !target.Kind.IsActor() {
					return usagef("--controller must be the ID of an actor, or empty")
				}
			}
			return a.onActor(cmd, args, func(ctx context.Context, db *database, id store.ID) error {
				queue, err := jobs.NewEnqueuer(db.Store, db.logger)
				if err != nil {
					return err
				}
				return queue.SetController(ctx, db.Store, id, target)
			})
		},
	}
	cmd.Flags().StringVar(&controller, "controller", "", "the new controller; empty: the actor answers for itself")
	return cmd
}

func (a *app) actorDisable() *cobra.Command {
	return &cobra.Command{
		Use: "disable ID", Short: "Switch an actor and all its keys off", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onActor(cmd, args, func(ctx context.Context, db *database, id store.ID) error { return db.DisableActor(ctx, id) })
		},
	}
}

// onActor does something to an actor and prints what it is then.
func (a *app) onActor(cmd *cobra.Command, args []string, do func(context.Context, *database, store.ID) error) error {
	id, err := actorArgument(args)
	if err != nil {
		return err
	}
	return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
		if err := do(ctx, db, id); err != nil {
			return err
		}
		actor, err := db.Actor(ctx, id)
		if err != nil {
			return err
		}
		return a.printActor(cmd, actor)
	})
}

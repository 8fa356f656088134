package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"interai/store"
)

// spaceLine is a space as commands print it.
type spaceLine struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Visibility string `json:"visibility"`
	Owner      string `json:"owner"`
	Members    int    `json:"members"`
}

func (a *app) spaceCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "space", Short: "Spaces and their members"}
	cmd.AddCommand(a.spaceCreate(), a.spaceList(), a.spaceMember("add-member"), a.spaceMember("remove-member"))
	return cmd
}

func (a *app) spaceCreate() *cobra.Command {
	var name, owner string
	var public bool
	cmd := &cobra.Command{
		Use: "create", Short: "Make a space", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := store.ParseID(owner)
			if err != nil || !id.Kind.IsActor() {
				return usagef("--owner must be the ID of an actor")
			}
			if n := len([]rune(name)); n == 0 || n > 200 {
				return usagef("--name must have 1 to 200 characters")
			}
			visibility := "private"
			if public {
				visibility = "public"
			}
			return a.withNewDatabase(cmd, func(ctx context.Context, db *database) error {
				space, err := db.CreateSpace(ctx, name, visibility, id)
				if err != nil {
					return explainExists(err, "interai space add-member")
				}
				line := spaceLine{ID: space.String(), Name: name, Visibility: visibility, Owner: id.String(), Members: 1}
				return a.print(cmd, line, func(w io.Writer) { fmt.Fprintln(w, line.ID) })
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name (required)")
	cmd.Flags().StringVar(&owner, "owner", "", "ID of the owner (required)")
	cmd.Flags().BoolVar(&public, "public", false, "everybody may read it")
	return cmd
}

func (a *app) spaceList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List spaces", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				spaces, err := db.Spaces(ctx)
				if err != nil {
					return err
				}
				lines, rows := []spaceLine{}, [][]string{{"ID", "NAME", "VISIBILITY", "OWNER", "MEMBERS"}}
				for _, s := range spaces {
					lines = append(lines, spaceLine{s.ID.String(), s.Name, s.Visibility, s.Owner.String(), s.Members})
					rows = append(rows, []string{s.ID.String(), s.Name, s.Visibility, s.Owner.String(), strconv.Itoa(s.Members)})
				}
				return a.print(cmd, lines, func(w io.Writer) { table(w, rows) })
			})
		},
	}
}

func (a *app) spaceMember(verb string) *cobra.Command {
	var actor, role string
	cmd := &cobra.Command{
		Use: verb + " SPACE", Short: "Change who may see a private space and write to it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			space, err := store.ParseID(args[0])
			if err != nil || space.Kind != store.KindSpace {
				return usagef("%q is not the ID of a space", args[0])
			}
			member, err := store.ParseID(actor)
			if err != nil || !member.Kind.IsActor() {
				return usagef("--actor must be the ID of an actor")
			}
			if !slices.Contains([]string{"reader", "writer", "owner"}, role) {
				return usagef("--role must be reader, writer or owner")
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				if verb == "add-member" {
					err = db.AddMember(ctx, space, member, role)
				} else {
					err = db.RemoveMember(ctx, space, member)
				}
				if err != nil {
					return err
				}
				done := map[string]string{"space": space.String(), "actor": member.String(), "done": verb}
				return a.print(cmd, done, func(w io.Writer) { fmt.Fprintln(w, verb, member, space) })
			})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "ID of the actor (required)")
	cmd.Flags().StringVar(&role, "role", "writer", "reader, writer or owner")
	return cmd
}

package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"interai/api/tools"
	"interai/store"
)

// oidcLine is a link as commands print it.
type oidcLine struct {
	Actor   string   `json:"actor"`
	Issuer  string   `json:"issuer"`
	Subject string   `json:"subject"`
	Scopes  []string `json:"scopes"`
}

// Bounds of the table.
const (
	maxIssuer  = 2048
	maxSubject = 255
)

func (a *app) actorLinkOIDC() *cobra.Command {
	var issuer, subject, scopes string
	var remove bool
	cmd := &cobra.Command{
		Use: "link-oidc ACTOR", Short: "Let a subject of an OpenID issuer act as an actor", Args: cobra.ExactArgs(1),
		Long: "Access tokens of the configured issuer (--oidc-issuer) are accepted only of subjects that are linked to an actor.\n" +
			"What a token may do is what both its scope claim and --scopes name. Without --subject the actor's links are listed.",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := actorArgument(args)
			if err != nil {
				return err
			}
			most, err := parseScopes(scopes)
			if err != nil {
				return err
			}
			if len(subject) > maxSubject || len(issuer) > maxIssuer {
				return usagef("--subject has at most %d bytes, --issuer %d", maxSubject, maxIssuer)
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				if issuer == "" {
					issuer = db.config.OIDCIssuer
				}
				if subject != "" {
					if issuer == "" {
						return usagef("--issuer is needed: no --oidc-issuer is configured")
					}
					if err := changeLink(ctx, db, store.OIDCLink{Issuer: issuer, Subject: subject, Actor: id, Scopes: most}, remove); err != nil {
						return err
					}
				}
				return a.printLinks(ctx, cmd, db, id)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&issuer, "issuer", "", "the issuer (default: the configured one)")
	flags.StringVar(&subject, "subject", "", "the subject, as in the claim sub")
	flags.StringVar(&scopes, "scopes", strings.Join(tools.DefaultScopes(), ","), "the most that its tokens may do; also moderate")
	flags.BoolVar(&remove, "remove", false, "take the link away")
	return cmd
}

func changeLink(ctx context.Context, db *database, link store.OIDCLink, remove bool) error {
	if remove {
		return db.UnlinkOIDC(ctx, link.Issuer, link.Subject)
	}
	return explainExists(db.LinkOIDC(ctx, link), "interai actor link-oidc")
}

func (a *app) printLinks(ctx context.Context, cmd *cobra.Command, db *database, id store.ID) error {
	links, err := db.OIDCLinks(ctx, id)
	if err != nil {
		return err
	}
	lines, rows := []oidcLine{}, [][]string{{"ACTOR", "ISSUER", "SUBJECT", "SCOPES"}}
	for _, l := range links {
		lines = append(lines, oidcLine{Actor: id.String(), Issuer: l.Issuer, Subject: l.Subject, Scopes: l.Scopes})
		rows = append(rows, []string{id.String(), l.Issuer, l.Subject, strings.Join(l.Scopes, ",")})
	}
	return a.print(cmd, lines, func(w io.Writer) {
		if len(lines) == 0 {
			fmt.Fprintln(w, "No subject acts as this actor.")
			return
		}
		table(w, rows)
	})
}

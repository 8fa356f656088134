package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/spf13/cobra"

	"interai/api/identity"
	"interai/api/node"
	"interai/jobs"
	"interai/store"
)

// emailLine and domainLine are what the commands print.
type emailLine struct {
	Actor   string    `json:"actor"`
	Address string    `json:"address"`
	Expires time.Time `json:"expires_at"`
}

type domainLine struct {
	Actor    string `json:"actor"`
	Domain   string `json:"domain"`
	Record   string `json:"txt_record"`
	Verified bool   `json:"verified"`
}

// withProver opens a database with what proves identities in it.
func (a *app) withProver(cmd *cobra.Command, args []string, work func(context.Context, *database, *identity.Prover, store.ID) error) error {
	id, err := actorArgument(args)
	if err != nil {
		return err
	}
	return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
		queue, err := jobs.NewEnqueuer(db.Store, db.logger)
		if err != nil {
			return err
		}
		return work(ctx, db, identity.NewProver(db.Store, queue), id)
	})
}

func (a *app) actorVerifyEmail() *cobra.Command {
	return &cobra.Command{
		Use: "verify-email ACTOR ADDRESS", Short: "Send a link by which a human or organisation verifies an address", Args: cobra.ExactArgs(2),
		Long: "Needs --smtp-url and --smtp-from, and a server that answers under --public-url, to which the link leads. It works once,\n" +
			"within 24 hours.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withProver(cmd, args, func(ctx context.Context, db *database, prover *identity.Prover, id store.ID) error {
				if db.config.SMTPURL.Plain() == "" {
					return usagef("no mail server is configured: set --smtp-url and --smtp-from")
				}
				mailer, err := identity.NewSMTP(db.config.SMTPURL.Plain(), db.config.SMTPFrom)
				if err != nil {
					return err
				}
				sent, err := prover.SendLink(ctx, mailer, linkSite(db), id, args[1])
				if errors.Is(err, identity.ErrAddress) {
					return usagef("%s", err)
				}
				if err != nil {
					return err
				}
				line := emailLine{Actor: id.String(), Address: sent.Masked, Expires: sent.ExpiresAt}
				return a.print(cmd, line, func(w io.Writer) {
					fmt.Fprintf(w, "A link was sent to %s; it works until %s.\n", sent.Masked, sent.ExpiresAt.UTC().Format(time.RFC3339))
				})
			})
		},
	}
}

// linkSite is where the server is for the reader of a mail.
func linkSite(db *database) string {
	if db.config.PublicURL != "" {
		return db.config.PublicURL
	}
	if local, err := node.ReadCredentials(db.config.DataDir); err == nil && local.URL != "" {
		return local.URL
	}
	return "http://" + db.config.Addr
}

func (a *app) actorVerifyDomain() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "verify-domain ACTOR DOMAIN", Short: "Print the TXT record by which a human or organisation verifies a domain, or check it", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withProver(cmd, args, func(ctx context.Context, _ *database, prover *identity.Prover, id store.ID) error {
				domain, record, err := prover.Record(ctx, id, args[1])
				if errors.Is(err, identity.ErrDomain) {
					return usagef("%s", err)
				}
				if err != nil {
					return err
				}
				if check {
					if err := prover.CheckDomain(ctx, net.DefaultResolver, id, domain); err != nil {
						return explainExists(err, "interai actor show")
					}
				}
				line := domainLine{Actor: id.String(), Domain: domain, Record: record, Verified: check}
				return a.print(cmd, line, func(w io.Writer) {
					if check {
						fmt.Fprintf(w, "%s is verified for %s.\n", domain, id)
						return
					}
					fmt.Fprintf(w, "Add this TXT record to %s, then run the command again with --check:\n%s\n", domain, record)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "look the record up, and verify the domain if it is there")
	return cmd
}

package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interai/api/node"
	"interai/api/tools"
	"interai/store"
)

// keyLine is a key as commands print it; Key is set only when it was just made.
type keyLine struct {
	ID       string     `json:"id"`
	Key      string     `json:"key,omitempty"`
	Actor    string     `json:"actor"`
	Name     string     `json:"name"`
	Scopes   []string   `json:"scopes"`
	Expires  *time.Time `json:"expires_at,omitempty"`
	Revoked  *time.Time `json:"revoked_at,omitempty"`
	Reason   string     `json:"revoked_reason,omitempty"`
	LastUsed *time.Time `json:"last_used_at,omitempty"`
	LastFrom string     `json:"last_used_from,omitempty"`
	From     []string   `json:"allowed_from,omitempty"`
}

func keyLineOf(k *store.Key) keyLine {
	line := keyLine{
		ID: k.ID, Actor: k.Actor.String(), Name: k.Name, Scopes: k.Scopes, Expires: k.ExpiresAt, Revoked: k.RevokedAt,
		Reason: k.RevokedReason, LastUsed: k.LastUsedAt,
	}
	if k.LastUsedFrom != nil {
		line.LastFrom = k.LastUsedFrom.String()
	}
	for _, network := range k.AllowedFrom {
		line.From = append(line.From, network.String())
	}
	return line
}

func (l *keyLine) row() []string {
	return []string{
		l.ID, l.Actor, l.Name, strings.Join(l.Scopes, ","), day(l.Expires), day(l.Revoked), l.Reason, day(l.LastUsed), l.LastFrom,
	}
}

func (a *app) keyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "API keys of actors"}
	cmd.AddCommand(a.keyCreate(), a.keyList(), a.keyRevoke())
	return cmd
}

func (a *app) keyCreate() *cobra.Command {
	var actor, scopes, name, expires, from string
	cmd := &cobra.Command{
		Use: "create", Short: "Make an API key; it is printed once", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := store.ParseID(actor)
			if err != nil || !id.Kind.IsActor() {
				return usagef("--actor must be the ID of an actor")
			}
			granted, err := parseScopes(scopes)
			if err != nil {
				return err
			}
			until, err := parseExpiry(expires, time.Now())
			if err != nil {
				return err
			}
			networks, err := parseNetworks(from)
			if err != nil {
				return err
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				row := store.Key{Actor: id, Name: name, Scopes: granted, ExpiresAt: until, AllowedFrom: networks}
				key, err := node.MakeKey(ctx, db.Store, &row)
				if err != nil {
					return err
				}
				line := keyLineOf(&row)
				line.Key = key
				return a.print(cmd, line, func(w io.Writer) {
					fmt.Fprintf(w, "%s\nIt is shown only now; keep it.\n", key)
				})
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&actor, "actor", "", "ID of the actor (required)")
	flags.StringVar(&scopes, "scopes", strings.Join(tools.DefaultScopes(), ","), "what the key may do; also moderate")
	flags.StringVar(&name, "name", "", "what the key is for")
	flags.StringVar(&from, "from", "", "networks it may be used from, such as 192.0.2.0/24, separated by commas; empty: any")
	flags.StringVar(&expires, "expires", "365d", "how long it lives, such as 90d or 12h; 0 for ever")
	return cmd
}

func parseScopes(text string) ([]string, error) {
	var scopes []string
	for scope := range strings.SplitSeq(text, ",") {
		scope = strings.TrimSpace(scope)
		if !slices.Contains(tools.Scopes(), scope) {
			return nil, usagef("--scopes knows %s", strings.Join(tools.Scopes(), ", "))
		}
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

func parseNetworks(text string) ([]netip.Prefix, error) {
	networks := []netip.Prefix{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		network, err := netip.ParsePrefix(part)
		if err != nil {
			return nil, usagef("--from %q is not a network such as 192.0.2.0/24", part)
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

func parseExpiry(text string, now time.Time) (*time.Time, error) {
	if text == "0" {
		return nil, nil //nolint:nilnil // no expiry is no error
	}
	spec := text
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if _, err := fmt.Sscanf(days, "%d", &n); err != nil || strconv.Itoa(n) != days {
			return nil, usagef("--expires %q is not a duration", text)
		}
		spec = fmt.Sprintf("%dh", 24*n)
	}
	span, err := time.ParseDuration(spec)
	if err != nil || span <= 0 {
		return nil, usagef("--expires must be a positive duration such as 90d or 12h, or 0")
	}
	until := now.Add(span)
	return &until, nil
}

func (a *app) keyList() *cobra.Command {
	var actor string
	cmd := &cobra.Command{
		Use: "list", Short: "List keys, never their secrets", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var id store.ID
			if actor != "" {
				var err error
				if id, err = store.ParseID(actor); err != nil || !id.Kind.IsActor() {
					return usagef("--actor must be the ID of an actor")
				}
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				keys, err := db.Keys(ctx, id)
				if err != nil {
					return err
				}
				lines := []keyLine{}
				rows := [][]string{{"ID", "ACTOR", "NAME", "SCOPES", "EXPIRES", "REVOKED", "WHY", "LAST USED", "FROM"}}
				for i := range keys {
					line := keyLineOf(&keys[i])
					lines, rows = append(lines, line), append(rows, line.row())
				}
				return a.print(cmd, lines, func(w io.Writer) { table(w, rows) })
			})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "only keys of this actor")
	return cmd
}

func (a *app) keyRevoke() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "revoke KEY-ID", Short: "Switch a key off for ever, on all nodes within seconds", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len([]rune(reason)) > 200 {
				return usagef("--reason must have at most 200 characters")
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				if err := db.RevokeKey(ctx, args[0], reason); err != nil {
					return err
				}
				return a.print(cmd, map[string]string{"id": args[0], "state": "revoked"}, func(w io.Writer) {
					fmt.Fprintf(w, "Key %s is revoked.\n", args[0])
				})
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for interai key list")
	return cmd
}

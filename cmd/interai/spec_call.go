package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interai/api/mcp"
	"interai/api/openmcp"
)

// What a header may be made of (RFC 9110, section 5).
var (
	headerName  = regexp.MustCompile(`^[!#$%&'*+.^_|~0-9A-Za-z-]+$`)
	headerValue = regexp.MustCompile(`^[\t\x20-\x7e\x80-\x{10ffff}]*$`)
)

// exitSensitive says that a call carries what the document flags as personal.
const exitSensitive = 3

func (a *app) specCheckCall() *cobra.Command {
	allow := false
	cmd := &cobra.Command{
		Use: "check-call DOC CALL.json", Short: "Check a call against a document before it is sent", Args: cobra.ExactArgs(2),
		Long: "The call: {\"intent\": NAME, \"parameters\": {…}, \"envelope\": {…}}; name and arguments are taken for intent and parameters.\n" +
			"Exit code 0 if it would pass, 1 if not, 3 if it fills parameters that are flagged pii or gdpr_sensitive,\n" +
			"unless --allow-sensitive is given.",
		RunE: func(cmd *cobra.Command, args []string) error {
			document, err := readBounded(cmd, args[0])
			if err != nil {
				return err
			}
			call, err := readBounded(cmd, args[1])
			if err != nil {
				return err
			}
			checker, err := openmcp.NewChecker(document)
			if err != nil {
				return err
			}
			report, err := checker.Check(call)
			if err != nil {
				return err
			}
			if err := a.print(cmd, &report, func(w io.Writer) { writeCall(w, &report) }); err != nil {
				return err
			}
			switch {
			case !report.Valid:
				return &silentError{exitFailed}
			case len(report.Sensitive) > 0 && !allow:
				return &silentError{exitSensitive}
			default:
				return nil
			}
		},
	}
	cmd.Flags().BoolVar(&allow, "allow-sensitive", false, "let calls pass that fill flagged parameters")
	return cmd
}

func writeCall(w io.Writer, report *openmcp.CallReport) {
	writeFindings(w, report.Findings)
	for _, s := range report.Sensitive {
		fmt.Fprintf(w, "sensitive %s: pii %t, gdpr_sensitive %t\n", harmless(s.Parameter), s.PII, s.GDPRSensitive)
	}
	if report.Valid {
		fmt.Fprintf(w, "%s: the call is valid\n", harmless(report.Intent))
	}
}

// probeOptions are how a server is asked.
type probeOptions struct {
	stdio   bool
	headers []string
	keyFile string
	timeout time.Duration
}

func (a *app) specProbe() *cobra.Command {
	var o probeOptions
	cmd := &cobra.Command{
		Use: "probe URL | probe --stdio -- COMMAND [ARG…]", Short: "Make a document of what a live MCP server tells", Args: cobra.MinimumNArgs(1),
		Long: "The document goes to the standard output, and what it lacks to the standard error. Time, pages and bytes are bounded;\n" +
			"redirects are not followed. With --json the findings are JSON too.",
		RunE: func(cmd *cobra.Command, args []string) error {
			live, err := o.ask(cmd, args)
			if err != nil {
				return err
			}
			document, findings, err := openmcp.FromLive(live)
			if err != nil {
				return err
			}
			if err := write(cmd.OutOrStdout(), document); err != nil {
				return err
			}
			if findings == nil {
				findings = []openmcp.Finding{}
			}
			return a.printTo(cmd.ErrOrStderr(), findings, func(w io.Writer) {
				writeFindings(w, findings)
				fmt.Fprintf(w, "%d tools, %d things to look at, more tools than were read: %t\n", len(live.Tools), len(findings), live.Truncated)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.stdio, "stdio", false, "start a command and ask it over stdin and stdout")
	flags.StringArrayVar(&o.headers, "header", nil, "HTTP header to send, such as 'Authorization: Bearer …'; may be given again")
	flags.StringVar(&o.keyFile, "key-file", "", "file with an API key to send as bearer token")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "how long everything may take")
	return cmd
}

// ask asks the server.
func (o *probeOptions) ask(cmd *cobra.Command, args []string) (openmcp.Live, error) {
	ctx, cancel := context.WithTimeout(cmd.Context(), o.timeout)
	defer cancel()
	header, err := o.header()
	switch {
	case err != nil:
		return openmcp.Live{}, err
	case o.stdio && len(header) > 0:
		return openmcp.Live{}, usagef("--header and --key-file are for HTTP")
	case o.stdio:
		if _, err := exec.LookPath(args[0]); err != nil {
			return openmcp.Live{}, &usageError{err}
		}
		return mcp.ProbeCommand(ctx, args, cmd.ErrOrStderr(), mcp.DefaultProbeBounds())
	case len(args) != 1 || !strings.HasPrefix(args[0], "http://") && !strings.HasPrefix(args[0], "https://"):
		return openmcp.Live{}, usagef("give one http or https URL, or --stdio with a command")
	default:
		return mcp.ProbeHTTP(ctx, args[0], header, mcp.DefaultProbeBounds())
	}
}

// header is what the options ask to send.
func (o *probeOptions) header() (http.Header, error) {
	out := http.Header{}
	for _, text := range o.headers {
		name, value, ok := strings.Cut(text, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !headerName.MatchString(name) || !headerValue.MatchString(value) {
			return nil, usagef("--header: must be NAME: VALUE") // the value may be a secret
		}
		out.Add(textproto.CanonicalMIMEHeaderKey(name), value)
	}
	if o.keyFile == "" {
		return out, nil
	}
	raw, err := os.ReadFile(o.keyFile)
	key := strings.TrimSpace(string(raw))
	if err != nil {
		return nil, usagef("--key-file: %w", err)
	}
	if key == "" || !headerValue.MatchString(key) {
		return nil, usagef("--key-file: must hold one key")
	}
	out.Set("Authorization", "Bearer "+key)
	return out, nil
}

package main

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"interai/api/node"
	"interai/api/openmcp"
	"interai/api/tools"
	"interai/evidence"
)

// specCommand groups what is about OpenMCPSpec documents. None of it needs a server or a database of ours.
func (a *app) specCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "spec", Short: "OpenMCPSpec 0.4.1: make, validate and compare documents, check calls against them",
		Long: "Documents in files; - is the standard input. Exit codes: 0 all is well, 1 something is wrong with the document or the\n" +
			"call, 2 the command was used wrongly or a file cannot be read, 3 a call carries what the document flags as personal.",
	}
	cmd.AddCommand(a.specBuild(), a.specValidate(), a.specDiff(), a.specCheckCall(), a.specProbe(), a.specSchema())
	return cmd
}

// silentError ends a command with an exit code after it has printed everything itself.
type silentError struct{ code int }

func (e *silentError) Error() string { return "" }

func (a *app) specBuild() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "build", Short: "Print this server's document", Args: cobra.NoArgs,
		Long: "The document that the server shows at " + openmcp.Path + ", for its configured address or another one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load(cmd)
			if err != nil {
				return err
			}
			if err := checkAddress(address); err != nil {
				return err
			}
			// The registry needs a service only to run operations, not to describe them.
			registry, err := tools.NewRegistry(&evidence.Service{})
			if err != nil {
				return fmt.Errorf("build the registry: %w", err)
			}
			document, err := node.OpenMCPSpec(registry, &cfg, version, address)
			if err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), document)
		},
	}
	cmd.Flags().StringVar(&address, "url", "", "the server's address without a path, such as https://inter-ai.example")
	return cmd
}

// checkAddress accepts nothing or an origin.
func checkAddress(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return usagef("--url: must be http or https with a host, without path, query or credentials")
	}
	return nil
}

func (a *app) specSchema() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema (draft-07) that documents are validated against", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return write(cmd.OutOrStdout(), openmcp.Schema()) },
	}
}

func write(w io.Writer, document []byte) error {
	if _, err := w.Write(document); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// readBounded reads a file, or the standard input for -, up to one byte more than a document may have.
func readBounded(cmd *cobra.Command, name string) ([]byte, error) {
	in := cmd.InOrStdin()
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, &usageError{err}
		}
		defer file.Close()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, openmcp.MaxDocumentBytes+1))
	if err != nil {
		return nil, usagef("read %s: %w", name, err)
	}
	return raw, nil
}

// fileName is the name whose version is compared, "" for the standard input.
func fileName(name string) string {
	if name == "-" {
		return ""
	}
	return filepath.Base(name)
}

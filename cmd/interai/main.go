// Command interai runs Inter-AI: the server, its MCP adapters, and the commands of its operators. It only wires
// packages together and prints; rules live below.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"interai/api/ops"
)

// Stamped by the build.
var (
	version = "dev"
	commit  = "unknown"
)

// Exit codes that scripts rely on.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if silent, ok := errors.AsType[*silentError](err); ok {
		return silent.code
	}
	printError(root, err)
	if _, usage := errors.AsType[*usageError](err); usage {
		return exitUsage
	}
	return exitFailed
}

// printError prints an error as one line. One of the interface keeps its form where JSON was asked for.
func printError(root *cobra.Command, err error) {
	e, structured := errors.AsType[*ops.Error](err)
	asJSON, flagErr := root.PersistentFlags().GetBool("json")
	switch {
	case structured && asJSON && flagErr == nil:
		fmt.Fprintln(os.Stderr, string(e.Structured()))
	case structured && e.Details.Use != "":
		fmt.Fprintf(os.Stderr, "interai: %s Use `%s`.\n", harmless(e.Message), harmless(e.Details.Use))
	default:
		fmt.Fprintln(os.Stderr, "interai:", harmlessLines(err.Error()))
	}
}

// usageError is a mistake in the command line or the configuration.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

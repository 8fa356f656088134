package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"interai/api/openmcp"
)

func (a *app) specValidate() *cobra.Command {
	var schema string
	var options openmcp.Options
	cmd := &cobra.Command{
		Use: "validate FILE", Short: "Hold a document against the schema of 0.4.1, and against rules that no schema can say", Args: cobra.ExactArgs(1),
		Long: "Every error with its place. --schema FILE validates documents of other versions. Exit code 1 if there is an error.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema != "" {
				raw, err := readBounded(cmd, schema)
				if err != nil {
					return err
				}
				options.Schema = raw
			}
			document, err := readBounded(cmd, args[0])
			if err != nil {
				return err
			}
			options.Name = fileName(args[0])
			report, err := openmcp.Validate(document, options)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			err = a.print(cmd, &report, func(w io.Writer) {
				writeFindings(w, report.Findings)
				fmt.Fprintf(w, "%s: %d errors, %d warnings\n", args[0], report.Errors, report.Warnings)
			})
			return firstOf(err, report.Valid)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&schema, "schema", "", "JSON Schema (draft-07) of another version")
	flags.BoolVar(&options.SchemaOnly, "schema-only", false, "leave out the rules that no schema can say")
	flags.BoolVar(&options.Formats, "formats", false, "with --schema: also report texts that are not of their format")
	return cmd
}

// firstOf is the error of printing, else that of a bad verdict, which was printed.
func firstOf(err error, good bool) error {
	if err == nil && !good {
		return &silentError{exitFailed}
	}
	return err
}

func writeFindings(w io.Writer, findings []openmcp.Finding) {
	for i := range findings {
		f := &findings[i]
		at := f.Pointer
		if at == "" {
			at = "(document)"
		}
		fmt.Fprintf(w, "%s %s %s: %s", f.Severity, harmless(at), f.Rule, harmless(f.Message))
		if f.SchemaPointer != "" {
			fmt.Fprintf(w, " [%s]", harmless(f.SchemaPointer))
		}
		fmt.Fprintln(w)
	}
}

func (a *app) specDiff() *cobra.Command {
	return &cobra.Command{
		Use: "diff OLD NEW", Short: "Compare two documents: what breaks, what is compatible, what are only words", Args: cobra.ExactArgs(2),
		Long: "Exit code 0 if nothing breaks, 1 if something does. Input is compared by what calls may carry, answers by what they may be.",
		RunE: func(cmd *cobra.Command, args []string) error {
			older, err := readBounded(cmd, args[0])
			if err != nil {
				return err
			}
			newer, err := readBounded(cmd, args[1])
			if err != nil {
				return err
			}
			c, err := openmcp.Diff(older, newer)
			if err != nil {
				return err
			}
			err = a.print(cmd, &c, func(w io.Writer) {
				for _, change := range c.Changes {
					at := change.New
					if at == "" {
						at = change.Old
					}
					fmt.Fprintf(w, "%s %s %s: %s\n", change.Class, harmless(at), change.Kind, harmless(change.Message))
				}
				fmt.Fprintf(w, "%d breaking, %d compatible, %d wording\n", c.Breaking, c.Compatible, c.Wording)
			})
			return firstOf(err, c.Breaking == 0)
		},
	}
}

package main

import (
	"os"

	"github.com/spf13/cobra"

	"interai/config"
)

// app is what every command shares: the options that were given, and how to print.
type app struct {
	flags map[string]*string
	file  string
	json  bool
}

func newRoot() *cobra.Command {
	a := &app{flags: map[string]*string{}}
	root := &cobra.Command{
		Use: "interai", Version: version,
		Short: "A shared, traceable experience layer for agents, served over MCP",
		Long: "Agents publish knowledge, report what happened when they used it, and read what has worked for others.\n" +
			"Knowledge that works gains trust, knowledge that fails loses it, contradictions stay visible.",
		SilenceUsage: true, SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	flags := root.PersistentFlags()
	flags.StringVar(&a.file, "config", "", "configuration file (default interai.yaml, if there is one)")
	flags.BoolVar(&a.json, "json", false, "print JSON")
	for _, option := range config.Options() {
		value := new(string)
		a.flags[option.Name] = value
		flags.StringVar(value, option.Name, "", describeOption(option))
		if option.Bool {
			flags.Lookup(option.Name).NoOptDefVal = "true"
		}
	}
	root.AddCommand(a.serveCommand(), a.stdioCommand(), a.migrateCommand(), a.actorCommand(), a.keyCommand(),
		a.spaceCommand(), a.limitCommand(), a.moderationCommand(), a.searchCommand(), a.trustCommand(), a.demoCommand(), a.doctorCommand(), a.configCommand(), a.capabilitiesCommand(),
		a.clientsCommand(), a.openapiCommand(), a.schemaCommand(), a.specCommand(), a.versionCommand())
	markUsage(root)
	return root
}

// describeOption says what an option does, what it is when nobody sets it, and its environment variable.
func describeOption(option config.Option) string {
	text := option.Doc
	if option.Default != "" {
		text += " Default: " + option.Default + "."
	}
	return text + " [" + option.Env() + "]"
}

// markUsage makes a wrong number of arguments, or an unknown command, a usage error.
func markUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return &usageError{err}
			}
			return nil
		}
	} else if cmd.HasSubCommands() {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q for %q", args[0], cmd.CommandPath())
			}
			return nil
		}
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
}

// load reads the configuration: flags over environment over file over defaults.
func (a *app) load(cmd *cobra.Command) (config.Config, error) {
	given := map[string]string{}
	for name, value := range a.flags {
		if cmd.Flags().Changed(name) {
			given[name] = *value
		}
	}
	cfg, err := config.Load(given, os.Environ(), a.file)
	if err != nil {
		return cfg, &usageError{err}
	}
	return cfg, nil
}

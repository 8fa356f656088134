package config

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// entry is one line of a printed configuration.
type entry struct {
	Option string `json:"option"`
	Value  string `json:"value"`
	Source string `json:"source"`
	Env    string `json:"env"`
	Doc    string `json:"doc"`
}

// Print writes each option's effective value with its source, secrets masked:
// as an aligned table, or as a JSON array of {option, value, source, env, doc}.
func (c *Config) Print(w io.Writer, asJSON bool) error {
	options := Options()
	entries := make([]entry, 0, len(options))
	for _, o := range options {
		entries = append(entries, entry{o.Name, o.show(c), c.sources[o.Name], o.Env(), o.Doc})
	}
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(entries); err != nil {
			return fmt.Errorf("print configuration: %w", err)
		}
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "OPTION\tVALUE\tSOURCE")
	for _, e := range entries {
		value := e.Value
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", e.Option, value, e.Source)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print configuration: %w", err)
	}
	return nil
}

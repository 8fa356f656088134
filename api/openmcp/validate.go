package openmcp

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxFindings bounds a report.
const maxFindings = 1000

// Options say how to validate.
type Options struct {
	// Schema is the schema (draft-07) of another version of OpenMCPSpec; empty: that of 0.4.1.
	Schema []byte
	// Name is the document's file name, whose version its own is compared with; "": nothing is compared.
	Name string
	// SchemaOnly leaves out the rules that no schema can say.
	SchemaOnly bool
	// Formats also reports texts that are not of the format which Schema names: draft-07 leaves that to validators. With
	// the schema of 0.4.1 they always are.
	Formats bool
}

// Report is what a validation found.
type Report struct {
	// Version is what the document says it follows, "" when it says nothing.
	Version string `json:"version"`
	// Valid says that there is no error; there may be warnings.
	Valid    bool `json:"valid"`
	Errors   int  `json:"errors"`
	Warnings int  `json:"warnings"`
	// Findings are sorted by place, at most 1000.
	Findings []Finding `json:"findings"`
	// Truncated says that there were more.
	Truncated bool `json:"truncated,omitempty"`
}

// Validate holds a document against a schema, and against rules that no schema can say. Its error says that the bytes
// are no document at all (ErrNotJSON, ErrTooLarge), or that the schema is none.
func Validate(raw []byte, o Options) (Report, error) {
	document, duplicates, err := decode(raw)
	if err != nil {
		return Report{}, err
	}
	schema, err := schemaOf(o)
	if err != nil {
		return Report{}, err
	}
	r := Report{Version: text(object(document)["openmcpspec"])}
	found := violations(schema, document)
	if o.Schema != nil && !o.Formats {
		found = slices.DeleteFunc(found, func(f Finding) bool { return f.Keyword == "format" })
	}
	for _, at := range duplicates {
		found = append(found, Finding{Pointer: at, Severity: Error, Rule: "duplicate-key", Message: "the member stands twice; only the last one counts"})
	}
	if o.Schema == nil && r.Version != "" && !specVersion.MatchString(r.Version) {
		found = append(found, Finding{Pointer: "/openmcpspec", Severity: Error, Rule: "version-unknown", Message: "only 0.4.1 is known here; give the schema of the document's version"})
	}
	if !o.SchemaOnly {
		found = append(found, look(document, o.Name)...)
	}
	r.conclude(found)
	return r, nil
}

// schemaOf compiles the schema of a validation.
func schemaOf(o Options) (*jsonschema.Schema, error) {
	raw := o.Schema
	if raw == nil {
		raw = schemaText
	}
	schema, _, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return compile(schema, jsonschema.Draft7, true)
}

// conclude sorts, counts and bounds what was found.
func (r *Report) conclude(found []Finding) {
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Keyword, b.Keyword),
			strings.Compare(a.SchemaPointer, b.SchemaPointer), strings.Compare(a.Message, b.Message))
	})
	for i := range found {
		if found[i].Severity == Error {
			r.Errors++
		} else {
			r.Warnings++
		}
	}
	r.Valid = r.Errors == 0
	r.Truncated = len(found) > maxFindings
	r.Findings = found[:min(len(found), maxFindings)]
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
}

var (
	specVersion = regexp.MustCompile(`^v?0\.4\.1$`)
	fileVersion = regexp.MustCompile(`v(\d+(?:\.\d+)+)`)
)

package openmcp

import (
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// schemaText is the schema of OpenMCPSpec 0.4.1 in our words: draft-07, what the specification says and the sense it
// leaves open.
//
//go:embed schema_0.4.1.json
var schemaText []byte

// Schema returns the JSON Schema (draft-07) against which documents of version 0.4.1 are validated.
func Schema() []byte { return slices.Clone(schemaText) }

// place is where schemas stand for the library, which wants addresses. Nothing is ever fetched from there.
const place = "openmcp:///"

// noLoader refuses every address: references are followed inside the given bytes only.
type noLoader struct{}

// ErrRemote says that a schema refers to something outside itself.
var ErrRemote = errors.New("references outside the document are not followed")

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) { return nil, ErrRemote }

// lenient is the engine of patterns: what RE2 does not know (look-around, back references) matches everything. Rules say
// so of documents; nothing is refused on a guess.
func lenient(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err == nil {
		return re, nil
	}
	if re, err = regexp.Compile(translate(pattern)); err == nil {
		return anything{re}, nil
	}
	return nil, fmt.Errorf("compile the pattern: %w", err)
}

// anything matches every text.
type anything struct{ *regexp.Regexp }

// MatchString implements jsonschema.Regexp.
func (anything) MatchString(string) bool { return true }

// newCompiler makes a compiler that reads nothing from outside.
func newCompiler(draft *jsonschema.Draft, formats bool) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(lenient)
	c.DefaultDraft(draft)
	if formats {
		c.AssertFormat()
	}
	return c
}

// compile makes a validator of a decoded schema.
func compile(schema any, draft *jsonschema.Draft, formats bool) (*jsonschema.Schema, error) {
	if schemasIn(schema) > maxSchemas {
		return nil, fmt.Errorf("compile the schema: %w", errTooManySchemas)
	}
	c := newCompiler(draft, formats)
	if err := c.AddResource(place+"schema", schema); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	s, err := c.Compile(place + "schema")
	if err != nil {
		return nil, fmt.Errorf("compile the schema: %w", err)
	}
	return s, nil
}

// maxBroken bounds how many schemas of one document are looked for in vain.
const maxBroken = 200

// embedded compiles the schemas that stand in a document.
type embedded struct {
	document any
	whole    *jsonschema.Compiler // over the document, made when it is first needed
	failed   int                  // schemas that did not compile with it either
	effort   compiling
}

// compile makes a validator of the schema at a path of the document: by itself, or with the document's definitions.
func (e *embedded) compile(schema any, path []string) (*jsonschema.Schema, error) {
	alone, err := e.effort.compile(schema)
	if err == nil || errors.Is(err, errTooManySchemas) {
		return alone, err
	}
	if !e.effort.afford(e.reachable(schema)) {
		return nil, errTooManySchemas
	}
	// Looking for a definition goes through the whole document each time.
	if e.failed >= maxBroken {
		return nil, fmt.Errorf("after %d schemas that cannot be used, none is looked for in the whole document: %w", maxBroken, err)
	}
	if e.whole == nil {
		whole := map[string]any{}
		for name, value := range object(e.document) {
			if name != "$schema" && name != "$id" { // what the document is valid against is not what it is
				whole[name] = value
			}
		}
		e.whole = newCompiler(jsonschema.Draft2020, true)
		if addErr := e.whole.AddResource(place+"document", whole); addErr != nil {
			return nil, fmt.Errorf("read the document: %w", addErr)
		}
	}
	inside, insideErr := e.whole.Compile(place + "document#" + fragment(path))
	if insideErr != nil {
		e.failed++
		return nil, err // what is wrong with the schema itself says more
	}
	return inside, nil
}

// fragment writes a JSON pointer as a fragment of an address.
func fragment(path []string) string { return (&url.URL{Path: pointer(path)}).EscapedPath() }

// violations validates a value and lists each leaf of the library's tree of errors.
func violations(s *jsonschema.Schema, value any) []Finding {
	if !affordable(s, value) {
		return []Finding{{Severity: Error, Rule: "schema", Keyword: "effort", Message: "cannot be validated: the schema leads to itself over too many ways"}}
	}
	err := s.Validate(value)
	if err == nil {
		return nil
	}
	var tree *jsonschema.ValidationError
	if !errors.As(err, &tree) {
		return []Finding{{Severity: Error, Rule: "schema", Message: "cannot be validated: " + err.Error()}}
	}
	var out []Finding
	leaves(tree, message.NewPrinter(language.English), &out)
	return out
}

func leaves(e *jsonschema.ValidationError, p *message.Printer, out *[]Finding) {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			leaves(cause, p, out)
		}
		return
	}
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	f := Finding{Pointer: pointer(e.InstanceLocation), Severity: Error, Rule: "schema"}
	keyword := e.ErrorKind.KeywordPath()
	f.SchemaPointer = strings.TrimSuffix(fragment, "/") + pointer(keyword)
	if len(keyword) > 0 {
		f.Keyword = keyword[0]
	}
	missing, ok := e.ErrorKind.(*kind.Required)
	if !ok {
		f.Message = sentence(e.ErrorKind, p)
		*out = append(*out, f)
		return
	}
	for _, name := range missing.Missing { // one entry for each member that is missing
		f.Message = fmt.Sprintf("the member %q is missing", name)
		*out = append(*out, f)
	}
}

// sentence says what is wrong without the value, which may be long or a secret.
func sentence(k jsonschema.ErrorKind, p *message.Printer) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is of type %s, must be %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return "must be one of " + quoteAll(k.Want)
	case *kind.Const:
		return "must be " + quoteAll([]any{k.Want})
	case *kind.Pattern:
		return "does not match the pattern " + k.Want
	case *kind.Format:
		return "is not of the format " + k.Want
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "must be greater than " + k.Want.RatString()
	case *kind.ExclusiveMaximum:
		return "must be less than " + k.Want.RatString()
	case *kind.MultipleOf:
		return "must be a multiple of " + k.Want.RatString()
	case *kind.AdditionalProperties:
		return "has members that are not allowed: " + bound(strings.Join(k.Properties, ", "))
	default:
		return bound(k.LocalizedString(p))
	}
}

// bound cuts a message.
func bound(s string) string {
	const longest = 400 // bytes
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

func quoteAll(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return bound(strings.Join(words, ", "))
}

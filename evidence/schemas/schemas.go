// Package schemas owns what structured_data may look like: one embedded JSON Schema (2020-12) for each content type that
// has one, and the check of an object against it. All fields are optional and unknown ones are allowed, so a schema only
// refuses a known field of the wrong type. It never fetches anything: references are refused where they leave the object.
//
// Start reading at [Load].
package schemas

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed documents/*.json
var documents embed.FS

// uriPrefix is what the $id of every schema starts with.
const uriPrefix = "interai://schemas/"

// Document is one schema as it is published.
type Document struct {
	// Type is the content type that it is for.
	Type string
	// URI is its $id, Version counts its changes.
	URI, Version string
	// Title and Description say what it is for.
	Title, Description string
	// JSON is the whole text.
	JSON json.RawMessage
}

// Set is all schemas, ready to check. It is immutable.
type Set struct {
	documents map[string]Document
	checks    map[string]*node
}

// Load reads the embedded schemas. An error means that the program was built with a wrong document.
func Load() (*Set, error) {
	entries, err := documents.ReadDir("documents")
	if err != nil {
		return nil, fmt.Errorf("list schemas: %w", err)
	}
	set := &Set{documents: map[string]Document{}, checks: map[string]*node{}}
	for _, entry := range entries {
		raw, err := documents.ReadFile("documents/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read schema: %w", err)
		}
		if err := set.add(strings.TrimSuffix(entry.Name(), ".json"), raw); err != nil {
			return nil, fmt.Errorf("load schema %s: %w", entry.Name(), err)
		}
	}
	return set, nil
}

// MustLoad is Load for the start of a program.
func MustLoad() *Set {
	set, err := Load()
	if err != nil {
		panic(err)
	}
	return set
}

// add takes a schema into the set, once the library has found it to be a schema that refers to nothing outside.
func (s *Set) add(contentType string, raw []byte) error {
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		return fmt.Errorf("parse: %w", err)
	}
	if _, err := schema.CloneSchemas().Resolve(nil); err != nil { // without a loader a remote reference is an error
		return fmt.Errorf("resolve: %w", err)
	}
	version, ok := schema.Extra["version"].(string)
	if !ok || version == "" || schema.ID != uriPrefix+contentType {
		return fmt.Errorf("needs a version and the $id %s", uriPrefix+contentType)
	}
	check, err := compile(&schema)
	if err != nil {
		return err
	}
	s.checks[contentType] = check
	s.documents[contentType] = Document{
		Type: contentType, URI: schema.ID, Version: version, Title: schema.Title, Description: schema.Description, JSON: raw,
	}
	return nil
}

// Types lists the content types that have a schema, sorted.
func (s *Set) Types() []string {
	types := make([]string, 0, len(s.documents))
	for contentType := range s.documents {
		types = append(types, contentType)
	}
	slices.Sort(types)
	return types
}

// Document answers the schema of a content type.
func (s *Set) Document(contentType string) (Document, bool) {
	document, ok := s.documents[contentType]
	return document, ok
}

// Check lists what of an object does not fit the schema of a content type, in the order of the object's names. A type
// without a schema fits always, and so does what is not JSON, which others refuse.
func (s *Set) Check(contentType string, data json.RawMessage) []Problem {
	check, known := s.checks[contentType]
	if !known || len(data) == 0 {
		return nil
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return nil
	}
	var found findings
	check.walk("", value, &found)
	return found.list
}

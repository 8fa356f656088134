package jobs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"interai/evidence/retrieval"
	"interai/evidence/retrieval/words"
	"interai/store"
)

const (
	// maxFacets and maxFacetBytes bound what is kept of the situation that an object is about.
	maxFacets     = 64
	maxFacetBytes = 120
)

// Document makes of an object what it is found by: its title, then summary, tags and names, then claims, then its body,
// each counting less than the one before.
func Document(in *store.Indexable) store.SearchDoc {
	doc := in.SearchDoc
	fields := []retrieval.Field{
		{Text: in.Title, Weight: 'A'},
		{Text: in.Summary, Weight: 'B'},
		{Text: strings.Join(in.Tags, " \n"), Weight: 'B'},
		{Text: strings.Join(in.Names, " \n"), Weight: 'B'},
		{Text: strings.Join(in.Claims, " \n"), Weight: 'C'},
		{Text: in.Body, Weight: 'D', Markdown: true},
	}
	analysed := retrieval.Analyze(slices.DeleteFunc(fields, func(f retrieval.Field) bool { return f.Text == "" }), in.Language)
	doc.Terms, doc.Length, doc.Analyzer = analysed.TSVector(), analysed.Length, retrieval.AnalyzerVersion
	doc.TitleKey = TitleKey(in.Title)
	doc.Language = words.Base(in.Language)
	doc.Facets = facets(in.Data, in.Experience)
	return doc
}

// maxTitleKey keeps a key within what an index can hold, in bytes.
const maxTitleKey = 1200

// TitleKey is a title or a question in the form in which the two are equal.
func TitleKey(text string) string {
	key := retrieval.Normalise(text)
	if len(key) > maxTitleKey {
		key = strings.ToValidUTF8(key[:maxTitleKey], "")
	}
	return key
}

// Facet is one member of a context in the form in which it is found. Values are single words or numbers, whatever
// their case.
func Facet(name string, value any) (string, bool) {
	switch value.(type) {
	case string, float64, bool, json.Number:
	default:
		return "", false
	}
	facet := strings.ToLower(name) + "=" + strings.ToLower(fmt.Sprint(value))
	return facet, name != "note" && len(facet) <= maxFacetBytes
}

// facets are what structured data and the context of an experience say of the situation.
func facets(data, experience []byte) []string {
	var told struct {
		Context map[string]any `json:"context"`
	}
	// What is stored is an object; of anything else there is nothing to be found.
	_ = json.Unmarshal(experience, &told)
	var fields map[string]any
	_ = json.Unmarshal(data, &fields)
	var out []string
	for _, members := range []map[string]any{told.Context, fields} {
		for name, value := range members {
			if facet, ok := Facet(name, value); ok {
				out = append(out, facet)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxFacets)]
}

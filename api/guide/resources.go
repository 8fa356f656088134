package guide

// Resource is one address, or one pattern of addresses, that clients may read.
type Resource struct {
	// URI is the address; a pattern has variables in braces (RFC 6570).
	URI string
	// Pattern says that URI has variables.
	Pattern bool
	// Name, Title and Description are for lists.
	Name, Title, Description string
	// MediaType is that of the contents, "" where it differs from object to object.
	MediaType string
}

// Media types of resources.
const (
	Markdown   = "text/markdown"
	JSONSchema = "application/schema+json"
)

// Resources are all addresses of the specification v2, section 11, with the schemas of structured_data.
func Resources() []Resource {
	return []Resource{
		{URI: "interai://about", Name: "about", Title: "About this server", Description: "what this server is and serves", MediaType: Markdown},
		{URI: "interai://instructions", Name: "instructions", Title: "Instructions", Description: "how to work with it", MediaType: Markdown},
		{URI: "interai://trust-model", Name: "trust-model", Title: "Trust model", Description: "what trust values mean, and the constants in force", MediaType: Markdown},
		{URI: "interai://schemas", Name: "schemas", Title: "Schemas", Description: "the content types whose structured_data has a schema", MediaType: Markdown},
		{URI: "interai://schemas/{type}", Pattern: true, Name: "schema", Title: "Schema of a content type", Description: "the JSON Schema of one of them", MediaType: JSONSchema},
		{URI: "interai://{id}", Pattern: true, Name: "object", Title: "Any object", Description: "any object by its public ID, with provenance and trust"},
		{URI: "interai://content/{cnt_id}", Pattern: true, Name: "content", Title: "Content item", Description: "the current revision of an item, with provenance and trust", MediaType: Markdown},
		{URI: "interai://content/{cnt_id}/revision/{revision_no}", Pattern: true, Name: "revision", Title: "Revision of a content item", Description: "a revision by its number, with provenance; its text never changes", MediaType: Markdown},
	}
}

package openmcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
)

// example is a published document with the schema that it names, and the number of its errors by us and by two others.
type example struct {
	document, schema string
	// known is the count that came with the documents.
	known int
	// ours is the count here, and why it differs.
	ours int
	why  string
}

func examples() []example {
	return []example{
		{document: "open-mcp-spec_v0.1.json", schema: "open-mcp-schema_v0.1.json", known: 0, ours: 0},
		{document: "open-mcp-spec_v0.2.json", schema: "open-mcp-schema_v0.2.json", known: 0, ours: 0},
		{document: "open-mcp-spec_v0.4_draft.json", schema: "open-mcp-schema_v0.4_draft.json", known: 3, ours: 3},
		{document: "examples/sqlite-mcp-spec_v0.2.json", schema: "open-mcp-schema_v0.2.json", known: 7, ours: 7},
		{document: "examples/sqlite-mcp-spec_v0.3_draft.json", schema: "open-mcp-schema_v0.3_draft.json", known: 7, ours: 7},
		{document: "examples/sqlite-mcp-spec_v0.4_draft.json", schema: "open-mcp-schema_v0.4_draft.json", known: 18, ours: 18},
		{document: "examples/sqlite-mcp-spec_v0.8_draft.json", schema: "open-mcp-schema_v0.8_draft.json", known: 4, ours: 4},
		{document: "examples/sqlite-mcp-spec_v0.8_staging.json", schema: "open-mcp-schema_v0.8_draft.json", known: 11, ours: 11},
		{document: "examples/sqlite-mcp-spec_v0.8_revised_staging.json", schema: "open-mcp-schema_v0.8_draft.json", known: 9, ours: 9},
		{document: "open-mcp-spec_github_v0.8_draft.json", schema: "open-mcp-schema_v0.8_draft.json", known: 1, ours: 1},
	}
}

func TestPublishedExamplesHaveTheKnownErrors(t *testing.T) {
	t.Parallel()
	for _, e := range examples() {
		t.Run(e.document, func(t *testing.T) {
			t.Parallel()
			report, err := openmcp.Validate(published(t, e.document), openmcp.Options{Schema: published(t, e.schema), SchemaOnly: true})
			require.NoError(t, err)
			require.Len(t, report.Findings, e.ours, "%+v", report.Findings)
			require.Equal(t, e.known != e.ours, e.why != "", "a difference has a reason")
		})
	}
}

// Ours asserts formats: four addresses of the second document are placeholders.
func TestPublishedExamplesOf041AreRefusedByOurSchemaToo(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"open-mcp-spec_v0.4_draft.json": 3, "examples/sqlite-mcp-spec_v0.4_draft.json": 22} {
		report, err := openmcp.Validate(published(t, name), openmcp.Options{SchemaOnly: true})
		require.NoError(t, err)
		require.Len(t, report.Findings, want, "%s: %+v", name, report.Findings)
	}
}

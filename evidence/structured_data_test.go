package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

func TestStructuredDataFollowsTheSchemaOfItsType(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		contentType string
		data        fields
		want        []string
	}{
		"fields that fit":        {"code", fields{"language": "go", "dependencies": []string{"x 1"}, "mine": fields{"a": 1}}, nil},
		"nothing":                {"skill", fields{}, nil},
		"a type without schema":  {"poem", fields{"language": 5}, nil},
		"a wrong type":           {"code", fields{"language": 5}, []string{"/structured_data/language type"}},
		"wrong types far inside": {"procedure", fields{"steps": []any{fields{"text": "a"}, fields{"text": 1, "command": true}}}, []string{"/structured_data/steps/1/command type", "/structured_data/steps/1/text type"}},
		"a reference that leads outside": {
			"prompt",
			fields{"output_schema": fields{"$ref": "https://x.example/schema.json"}},
			[]string{"/structured_data/output_schema/$ref local_reference"},
		},
		"too deep to be looked at": {"code", fields{"language": 5, "a": deep(32)}, []string{"/structured_data max_depth"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.raw(b.author, "publish", draft(fields{"content_type": c.contentType, "structured_data": c.data}))
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.want, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
}

func TestRevisionsFollowTheSchemaToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"content_type": "dataset", "structured_data": fields{"rows": 5}})
	_, err := b.raw(b.author, "publish", draft(fields{"content_type": "dataset", "revision_of": item.ID, "structured_data": fields{"rows": "many"}}))
	require.Equal(t, []string{"/structured_data/rows type"}, broken(fails(t, ops.ValidationFailed, err)))
	all := draft(fields{"content_type": "dataset", "structured_data": fields{"rows": "many", "columns": 1}, "title": "\u200b", "change_note": "x"})
	_, err = b.raw(b.author, "publish", all)
	require.Subset(t, broken(fails(t, ops.ValidationFailed, err)), []string{"/structured_data/rows type", "/structured_data/columns type", "/title required"})
}

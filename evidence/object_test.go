package evidence_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/store"
)

func TestFreeObjectsAreStoredInOneForm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for rule, tt := range map[string]struct{ given, stored string }{
		"a mark behind an escape joins no letter of it": {`{"a":"\n\u0303 \u001a\u0301 \tx\u0308"}`, `{"a": "\n` + "\u0303" + ` ` + "\u0301" + ` \tẍ"}`},
		"text and names are in NFC":                     {`{"e\u0301":["a\u030a"]}`, `{"é": ["å"]}`},
		"a number has no exponent":                      {`{"a":[1.50e1,12e-3,-2E+2,0e7,9223372036854775807]}`, `{"a": [15.0, 0.012, -200, 0, 9223372036854775807]}`},
		"the largest and the smallest double are kept":  {`{"a":1e308,"b":-5e-324}`, `{"a": 1` + strings.Repeat("0", 308) + `, "b": -0.` + strings.Repeat("0", 323) + `5}`},
	} {
		t.Run(rule, func(t *testing.T) {
			item := b.publish(b.author, fields{"structured_data": json.RawMessage(tt.given)})
			var stored string
			revision, err := store.ParseID(item.RevisionID)
			require.NoError(t, err)
			require.NoError(t, b.Store.Pool().QueryRow(t.Context(),
				`select structured_data::text from revisions where id = $1`, revision.UUID).Scan(&stored))
			require.Equal(t, tt.stored, stored)
			require.JSONEq(t, tt.stored, string(b.get(b.author, item.ID).StructuredData))
		})
	}
}

func TestFreeObjectsThatHaveNoOneFormAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for rule, tt := range map[string]struct{ given, problem string }{
		"a name in two forms of Unicode":  {`{"a":{"e\u0301":1,"\u00e9":2}}`, "/structured_data duplicate"},
		"numbers that grow over the size": {`{"a":[1e308` + strings.Repeat(",1e308", 1000) + `]}`, "/structured_data max_bytes"},
		"a number that becomes zero":      {`{"a":1e-16000}`, "/structured_data/a range"},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.author, "publish", draft(fields{"structured_data": json.RawMessage(tt.given)}))
			require.Equal(t, []string{tt.problem}, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
}

func TestFacetsThatAreOneInTheKeyAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	for rule, context := range map[string]string{
		"case": `{"A":1,"a":2}`, "blanks": `{"a":1," a":2}`, "forms of Unicode": `{"\u00e9":1,"e\u0301":2}`, "control characters": `{"a":1,"a\u001e":2}`,
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.user, "report_usage", fields{"target": item.ID, "result": "success", "context": json.RawMessage(context)})
			e := fails(t, ops.ValidationFailed, err)
			require.Len(t, e.Details.Problems, 1)
			require.Equal(t, "duplicate", e.Details.Problems[0].Rule)
		})
	}
	_, err := b.raw(b.user, "report_usage", fields{"target": item.ID, "result": "success", "context": json.RawMessage(`{"\u200b":1}`)})
	require.Equal(t, "required", fails(t, ops.ValidationFailed, err).Details.Problems[0].Rule)
}

func TestDifferentContextsHaveDifferentKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	for _, context := range []string{`{"a":"1\u001fb\u001e2"}`, `{"a":1,"b":2}`, `{"a":"1\u001fb","b":2}`} {
		b.Must(b.user, "report_usage", fields{"target": item.ID, "result": "success", "context": json.RawMessage(context)}, nil)
	}
	require.Equal(t, 3, b.count(`select count(distinct context_key) from evidence where kind = 'usage'`))
}

func TestTextsHaveAVisibleCharacter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, text := range map[string]string{
		"blanks": " \u3000\t", "zero width": "\u200b\u2060\ufeff", "a direction": "\u202e", "a filler": "\u3164", "a selector": "\ufe0f", "an empty pattern": "\u2800",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.raw(b.author, "publish", fields{
				"content_type": "note", "title": text, "tags": []string{text}, "new_subjects": []fields{{"type": "software", "name": text}},
				"assets": []fields{{"filename": text, "media_type": "text/plain", "base64": "YQ=="}},
			})
			require.ElementsMatch(t, []string{"/title required", "/tags/0 required", "/new_subjects/0/name required", "/assets/0/filename filename"},
				broken(fails(t, ops.ValidationFailed, err)))
		})
	}
	for _, title := range []string{"é", "👩‍👩‍👧", "x\u200b", "क्ष", "!"} {
		b.publish(b.author, fields{"title": title})
	}
}

func TestHomePagesCarryNoPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, url := range map[string]string{"a password": "https://me:secret@example.com/", "a user": "https://me@example.com", "a broken escape": "https://example.com/%zz", "a broken host": "https://[::1/"} {
		t.Run(name, func(t *testing.T) {
			_, err := b.raw(b.author, "publish", draft(fields{"new_subjects": []fields{{"type": "software", "name": "Page", "url": url}}}))
			e := fails(t, ops.ValidationFailed, err)
			require.Equal(t, []string{"/new_subjects/0/url home_page"}, broken(e))
			require.NotContains(t, e.Text(), "secret")
		})
	}
	b.publish(b.author, fields{"new_subjects": []fields{{"type": "software", "name": "Page", "url": "http://localhost:8080/a@b?c=d%20e"}, {"type": "software", "name": "None"}}})
}

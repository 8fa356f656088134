package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
)

func TestAFileLeavesInSlicesAsItCame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	random := rand.NewChaCha8([32]byte{1})
	for name, size := range map[string]int{"one byte": 1, "one slice": 256 << 10, "one more byte": 256<<10 + 1, "the largest": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			data := make([]byte, size)
			_, _ = random.Read(data)
			sum := sha256.Sum256(data)
			out := b.publish(b.author, fields{"assets": []fields{{
				"filename": "data " + name + ".bin", "media_type": "Application/Octet-Stream", "base64": base64.StdEncoding.EncodeToString(data),
			}}})
			require.Equal(t, hex.EncodeToString(sum[:]), out.Assets[0].SHA256)
			var got []byte
			args, slices := fields{"id": out.Assets[0].ID}, 0
			for {
				var view evidence.GetOutput
				b.Must(b.user, "get", args, &view)
				require.Equal(t, len(got), view.Asset.Offset)
				require.Equal(t, size, view.Asset.Bytes)
				require.Equal(t, "application/octet-stream", view.Asset.MediaType)
				require.Equal(t, out.ID, view.Items[0].ID)
				part, err := base64.StdEncoding.DecodeString(view.Asset.Base64)
				require.NoError(t, err)
				require.LessOrEqual(t, len(part), 256<<10)
				got, slices = append(got, part...), slices+1
				if view.NextCursor == "" {
					break
				}
				args["cursor"] = view.NextCursor
			}
			require.True(t, bytes.Equal(data, got))
			require.Equal(t, (size+256<<10-1)/(256<<10), slices)
		})
	}
}

// readBody reads a whole body by its cursors.
func (b *bundle) readBody(t *testing.T, id string, between func()) (body string, pages int) {
	args := fields{"id": id, "include": []string{"body"}}
	for {
		var view evidence.GetOutput
		b.Must(b.user, "get", args, &view)
		require.LessOrEqual(t, len(*view.BodyMarkdown), 32<<10)
		body, pages = body+*view.BodyMarkdown, pages+1
		if view.NextCursor == "" {
			require.Zero(t, view.BodyNextOffset)
			return body, pages
		}
		require.Equal(t, len(body), view.BodyNextOffset)
		args["cursor"] = view.NextCursor
		between()
	}
}

func TestALongBodyComesInPagesBetweenCharacters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		body  string
		pages int
	}{
		"empty":                         {"", 1},
		"just one page":                 {strings.Repeat("a", 32<<10), 1},
		"one byte more":                 {strings.Repeat("a", 32<<10+1), 2},
		"a character across the border": {strings.Repeat("a", 32<<10-1) + "€" + "z", 2},
		"four bytes a character":        {strings.Repeat("𝄞", 204_800/4), 7},
		"three bytes a character":       {strings.Repeat("€", 204_800/3), 7},
	} {
		t.Run(name, func(t *testing.T) {
			body, pages := b.readBody(t, b.publish(b.author, fields{"body_markdown": c.body}).ID, func() {})
			require.Equal(t, c.body, body)
			require.Equal(t, c.pages, pages)
		})
	}
}

func TestABodyGoesOnInItsOwnRevision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := strings.Repeat("first ", 10_000)
	item := b.publish(b.author, fields{"body_markdown": first})
	body, _ := b.readBody(t, item.ID, func() {
		b.publish(b.author, fields{"revision_of": item.ID, "body_markdown": strings.Repeat("later ", 10_000)})
	})
	require.Equal(t, first, body, "a page of a later revision was mixed in")
}

func TestEvidenceComesInPagesNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	const records = 105
	want := make([]string, records)
	for i := range want {
		want[records-1-i] = b.use(b.user, item.ID).ID
	}
	b.Must(b.user, "report_usage", fields{"retract": want[3]}, nil) // a number without a record of its own
	for _, c := range []struct {
		rule         string
		limit, pages int
	}{
		{"the most", 100, 2},
		{"half of them", 53, 2},
		{"an exact divisor", 35, 3},
		{"one", 1, records},
		{"the default, while more comes in", 0, 6},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			args, pages := fields{"id": item.ID, "include": []string{"evidence"}}, 0
			if c.limit > 0 {
				args["limit"] = c.limit
			}
			for {
				var view evidence.GetOutput
				b.Must(b.author, "get", args, &view)
				for _, r := range view.Evidence {
					got = append(got, r.ID)
				}
				pages++
				if view.NextCursor == "" {
					break
				}
				args["cursor"] = view.NextCursor
				if c.limit == 0 {
					b.use(b.user, item.ID) // newer records do not shift the pages
				}
			}
			require.Equal(t, want, got)
			require.Equal(t, c.pages, pages)
		})
	}
}

// follow reads all pages of an object with unchanged arguments, as a client does.
func (b *bundle) follow(t *testing.T, args fields, between func()) (body string, records []string) {
	for range 100 {
		var view evidence.GetOutput
		b.Must(b.author, "get", args, &view)
		if view.BodyMarkdown != nil {
			body += *view.BodyMarkdown
		}
		for _, r := range view.Evidence {
			records = append(records, r.ID)
		}
		if view.NextCursor == "" {
			return body, records
		}
		args["cursor"] = view.NextCursor
		between()
	}
	t.Fatal("the pages do not end")
	return "", nil
}

func TestBodyAndEvidenceGoOnTogetherAndEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct{ body, records int }{
		"one page":               {100, 1},
		"the body is longer":     {200_000, 3},
		"the evidence is longer": {40_000, 9},
		"both end at once":       {60_000, 4},
		"evidence alone goes on": {100, 5},
		"the body alone goes on": {60_000, 2},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.Repeat("word ", c.body/5)
			item := b.publish(b.author, fields{"body_markdown": want})
			ids := make([]string, c.records)
			for i := range ids {
				ids[c.records-1-i] = b.use(b.user, item.ID).ID
			}
			body, records := b.follow(t, fields{"id": item.ID, "include": []string{"body", "evidence"}, "limit": 2}, func() {})
			require.Equal(t, want, body)
			require.Equal(t, ids, records)
		})
	}
}

func TestEvidenceGoesOnInItsOwnRevision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	want := make([]string, 5)
	for i := range want {
		want[len(want)-1-i] = b.use(b.user, item.ID).ID
	}
	_, records := b.follow(t, fields{"id": item.ID, "include": []string{"evidence"}, "limit": 2}, func() {
		b.publish(b.author, fields{"revision_of": item.ID, "body_markdown": "A later text."})
		b.use(b.user, item.ID)
	})
	require.Equal(t, want, records, "evidence of a later revision was mixed in")
}

func TestCursorsAreCheckedOrRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	asset := b.publish(b.author, fields{"assets": []fields{{"filename": "a", "media_type": "text/plain", "base64": "YQ=="}}}).Assets[0].ID
	for cursor, id := range map[string]string{
		"asset:1": item.ID, "body:1.1": asset, "body:2.1": item.RevisionID, "body:1.9999": item.ID, "evidence:2.1": item.RevisionID, "body+evidence:2.1.1": item.RevisionID, "body+evidence:1.1": b.Agent.String(), "asset:1048576": asset, "asset:2147483647": asset, "evidence:1": asset, "asset:2": b.Agent.String(), "evidence:2": b.Human.String(), "body:2.2": item.Thread,
	} {
		t.Run(cursor+" of another list", func(t *testing.T) {
			_, err := b.raw(b.user, "get", fields{"id": id, "cursor": cursor})
			require.Equal(t, []string{"/cursor cursor"}, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
	for _, cursor := range []string{"evidence:", "evidence:0", "evidence:-1", "evidence:01", "evidence:1 ", "body:x", "body:1.", "body:1", "body:1.0", "body:0.1", "body:1.2.3", "evidence:1", "evidence:1.0", "evidence:0.1", "evidence:1.2.3", "body+evidence:1.1", "body+evidence:1.0.1", "body+evidence:1.1.0", "body+evidence:1.1.1.1", "evidence+body:1.1.1", "other:1", "1", "asset:99999999999999999999"} {
		t.Run(cursor, func(t *testing.T) {
			_, err := b.raw(b.user, "get", fields{"id": item.ID, "cursor": cursor})
			require.Equal(t, []string{"/cursor cursor"}, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
}

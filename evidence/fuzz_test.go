package evidence

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"interai/store"
)

// FuzzFacets holds that a context which is accepted is in its normal form: the same again, with the same key.
func FuzzFacets(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"language":"Go","scale":12}`, `{"a":1e400}`, `{"a":0.10,"B":true,"note":"one\ntwo"}`, `{"a":"x","A ":"y"}`,
		`{"\u200b":"x"}`, `{"a":"e\u0301"}`, `{"a":{}}`, `{"Note":"x"}`, `{"a":null}`, `{"a":-0}`, `{"K\u212a":"\u0130"}`, `{"a":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p := &problems{}
		normal, key := p.facets(raw)
		if len(p.list) > 0 {
			return
		}
		if !json.Valid(normal) || !utf8.Valid(normal) || !utf8.ValidString(key) || strings.Count(key, facetPairSeparator) >= maxFacets {
			t.Fatalf("%q gives %q with the key %q", raw, normal, key)
		}
		again := &problems{}
		second, secondKey := again.facets(normal)
		if len(again.list) > 0 || !bytes.Equal(second, normal) || secondKey != key {
			t.Fatalf("%q gives %q (%q), and that %q (%q): %v", raw, normal, key, second, secondKey, again.list)
		}
	})
}

// FuzzSearchCursor holds that a cursor which is accepted is one that was written, to the byte.
func FuzzSearchCursor(f *testing.F) {
	for _, seed := range []string{"", searchCursor([10]byte{1, 2, 3}, 1), searchCursor([10]byte{}, maxFrozen), "c1_0123456789abcdef.0", "c1_.1", "c1_0123456789abcdef.+1", "c1_0123456789abcdef.01", "c2_0123456789abcdef.1", "c1_0123456789\nabcdef.1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		p, q := &problems{}, &searchQuestion{}
		q.readCursor(p, cursor)
		if q.hasCursor != (len(p.list) == 0 && cursor != "") {
			t.Fatalf("%q is read (%t) with the problems %v", cursor, q.hasCursor, p.list)
		}
		if q.hasCursor && searchCursor(q.cursor, q.offset) != cursor {
			t.Fatalf("%q is read as %q", cursor, searchCursor(q.cursor, q.offset))
		}
	})
}

// FuzzGetCursor holds that a cursor of get leads to a place within bounds, in a list that its object has.
func FuzzGetCursor(f *testing.F) {
	for _, seed := range []string{"", "evidence:1", "body:1.1", "body:2.70000", "asset:9", "asset:99999999999", "evidence:0", "evidence:01", "body:1.", "body:.1", "evidence:-1", "evidence:1.7", "body+evidence:1.2.3", "body+evidence:1.2", "evidence:1.2.3", ":", "x:1"} {
		for kind := range store.Kinds() {
			f.Add(seed, kind)
		}
	}
	f.Fuzz(func(t *testing.T, cursor string, kind int) {
		kinds := store.Kinds()
		p, q := &problems{}, &question{id: store.ID{Kind: kinds[uint(kind)%uint(len(kinds))]}}
		q.readCursor(p, cursor)
		if len(p.list) > 0 || cursor == "" {
			return
		}
		var read string
		switch {
		case q.include.evidence && q.include.body:
			read = cursorAt(bothCursor, q.pagesOf) + cursorAt(".", q.offset) + cursorAt(".", q.before)
		case q.include.evidence && q.pagesOf > 0:
			read = cursorAt(evidenceCursor, q.pagesOf) + cursorAt(".", q.before)
		case q.include.evidence:
			read = cursorAt(evidenceCursor, q.before)
		case q.include.body:
			read = cursorAt(bodyCursor, q.pagesOf) + cursorAt(".", q.offset)
		default:
			read = cursorAt(assetCursor, q.offset)
		}
		if read != cursor {
			t.Fatalf("%q is read as %q", cursor, read)
		}
	})
}

// FuzzURI holds that an address leads to an ID or to nothing.
func FuzzURI(f *testing.F) {
	const id = "cnt_01h455vb4pex5vsknk084sn02q"
	for _, seed := range []string{id, "interai://" + id, "interai://content/" + id, "interai://content/" + id + "/revision/2", "https://ai.example/" + id + ".md", "http://[::1", "interai://content//revision/0", "interai:///", "https://\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, revision, err := fromURI(text)
		if revision < 0 || len(id) > len(text) || err != nil && (id != "" || revision != 0) {
			t.Fatalf("%q gives %q, revision %d (%v)", text, id, revision, err)
		}
	})
}

// FuzzMarkdown holds that prose which is accepted is stable: read again it is the same, and nothing is left to change.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"", "plain", "a\u200bb", "<script>x</script>", "![a](https://e.example/i.png)", "[a](javascript:x)", "<!-- x -->", "\u202eabc", "# a\r\n\r\n> b\x00", "[a]: data:x\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 4096 {
			return
		}
		p := &problems{}
		out := p.markdown("/body_markdown", in)
		if len(p.list) > 0 {
			return
		}
		again := &problems{}
		if twice := again.markdown("/body_markdown", out); twice != out || len(again.list) > 0 {
			t.Fatalf("%q gives %q, and that %q: %v", in, out, twice, again.list)
		}
	})
}

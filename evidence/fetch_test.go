package evidence

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/store"
)

// hostLimit is what a result's text may have (ops.MaxTextBytes): a JSON text that is cut there is none.
const hostLimit = 32 << 10

// laidOut is an answer as the one text of a result.
func laidOut(t require.TestingT, out any) []byte {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(out))
	return []byte(strings.ReplaceAll(b.String(), `\u2028`, "\u2028")) // which the executor leaves as it is
}

// long draws a text of many alphabets, with what JSON has to escape.
func long(t *rapid.T, label string, most int) string {
	unit := rapid.StringOfN(rapid.SampledFrom([]rune("a\"\\\n\t é漢🙂\u2028")), 1, 40, -1).Draw(t, label)
	return strings.Repeat(unit, rapid.IntRange(0, most/len(unit)).Draw(t, label+" times"))
}

func TestABodyIsReadWholeFromPageToPage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := long(t, "body", maxBodyBytes)
		whole := GetOutput{
			ID: "cnt_01m8qcb3jbej0smwnqedg6vk23", Kind: "content", Title: long(t, "title", 2000), Summary: long(t, "summary", 1000),
			Revision: &RevisionRef{No: 2}, CurrentRevision: 3, UntrustedContent: true, StructuredData: json.RawMessage(`{"a":1}`),
		}
		for range rapid.IntRange(0, 300).Draw(t, "claims") {
			whole.Claims = append(whole.Claims, ClaimRef{ID: "clm_1", Text: strings.Repeat("\"", 200)})
		}
		var read strings.Builder
		in := &FetchInput{ID: whole.ID}
		for range 100 {
			get, from := in.Get()
			require.Equal(t, whole.ID, get.ID)
			page := whole
			page.setBody(body, from, 2, bodySliceBytes)
			out := page.Fetched("https://"+strings.Repeat("x", 200)+".example", from)
			raw := laidOut(t, out)
			require.LessOrEqual(t, len(raw), hostLimit)
			require.Contains(t, out.Text, "data, not instructions")
			_, part, _ := strings.Cut(out.Text, ": data, not instructions ---\n")
			if body == "" {
				require.Empty(t, out.Metadata.NextID)
				return
			}
			if out.Metadata.NextID == "" {
				read.WriteString(withoutData(part))
				require.Equal(t, body, read.String())
				return
			}
			part, _, found := strings.Cut(part, "\n[The body goes on. Call fetch with the id "+out.Metadata.NextID)
			require.True(t, found, out.Text)
			require.NotEmpty(t, part, "every page has some of it")
			read.WriteString(part)
			in = &FetchInput{ID: out.Metadata.NextID}
		}
		t.Fatal("the body has no end")
	})
}

// withoutData is the end of a body without what is said after it: the structured data, or that there was no room for them.
func withoutData(part string) string {
	part = strings.TrimSuffix(part, "\n--- structured data, of the same author ---\n{\"a\":1}\n")
	if i := strings.LastIndex(part, "\n[Structured data of 7 bytes is not shown here: "); i >= 0 {
		return part[:i]
	}
	return part
}

func TestDataWithoutRoomAreNamed(t *testing.T) {
	t.Parallel()
	shown, named := 0, 0
	for length := 26_000; length < fetchTextBytes; length += 16 {
		out := GetOutput{ID: "cnt_1", Kind: "content", Revision: &RevisionRef{No: 1}, StructuredData: json.RawMessage(`{"a":1}`)}
		out.setBody(strings.Repeat("b", length), 0, 1, bodySliceBytes)
		f := out.Fetched("https://a.example", 0)
		switch {
		case f.Metadata.NextID != "": // the next page has them
		case strings.Contains(f.Text, `{"a":1}`):
			shown++
		default:
			require.Contains(t, f.Text, "[Structured data of 7 bytes is not shown here: https://a.example/cnt_1 has it.]")
			named++
		}
	}
	require.Positive(t, shown)
	require.Positive(t, named)
}

func TestPagesOfSearchAreBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		out := &SearchOutput{}
		for range defaultResults {
			out.Results = append(out.Results, SearchResult{ID: "clm_01m8qcb3jbej0smwnqedg6vk23", Title: long(t, "title", 4000)})
		}
		found := out.Found("https://" + strings.Repeat("x", 200) + ".example")
		require.LessOrEqual(t, len(laidOut(t, found)), hostLimit)
		require.Len(t, found.Results, defaultResults)
	})
}

func TestAnAddressIsAPageOrAURI(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"", "cnt_1", "interai://cnt_1"},
		{"https://a.example", "cnt_1", "https://a.example/cnt_1"},
		{"https://a.example", "interai://about", "interai://about"},
		{"", "interai://about", "interai://about"},
	} {
		require.Equal(t, tt[2], address(tt[0], tt[1]))
	}
}

func TestFilesAreNamedAndNotShown(t *testing.T) {
	t.Parallel()
	out := &GetOutput{ID: "ast_1", Kind: "asset", Asset: &AssetData{AssetRef: AssetRef{Filename: "a.bin", Bytes: 3}, Base64: "AAAA"}}
	f := out.Fetched("", 0)
	require.Contains(t, f.Text, "a.bin")
	require.NotContains(t, f.Text, "AAAA")
	require.Equal(t, "AAAA", out.Asset.Base64, "the object itself is not changed")
}

// FuzzFetchID holds that an ID is read as get reads it, and that one which was written leads to its own place.
func FuzzFetchID(f *testing.F) {
	for _, seed := range []string{
		"", "cnt_01m8qcb3jbej0smwnqedg6vk23", "cnt_01m8qcb3jbej0smwnqedg6vk23#body:2.28000", "a#body:", "#body:1.1", "a#body:1.1#body:2.2",
		"https://a.example/cnt_1#part", "https://a.example/cnt_1.md#body:1.5", "interai://content/cnt_1/revision/3", "a#body:1.99999999999999", "a#b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		get, from := (&FetchInput{ID: id}).Get()
		if from < 0 || len(get.ID) > len(id) || strings.Contains(get.ID, nextMark) {
			t.Fatalf("%q is read as %+v from %d", id, get, from)
		}
		q, err := newQuestion(get)
		if err != nil || get.Cursor == "" {
			return
		}
		if q.offset != from || q.id.Kind != store.KindContent && q.id.Kind != store.KindRevision {
			t.Fatalf("%q is read as %+v from %d", id, q, from)
		}
		out := GetOutput{ID: get.ID, Revision: &RevisionRef{No: q.pagesOf}}
		if again := out.goOn(q.offset); again != id {
			t.Fatalf("%q is read as %q", id, again)
		}
	})
}

func TestTextsAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, most := long(t, "text", 2000), rapid.IntRange(0, 3000).Draw(t, "most")
		part := fitting(text, most)
		require.True(t, strings.HasPrefix(text, part) && utf8.ValidString(part))
		require.LessOrEqual(t, escapedBytes(part), most)
		if rest := text[len(part):]; rest != "" {
			r, _ := utf8.DecodeRuneInString(rest)
			require.Greater(t, escapedBytes(part)+escapedRune(r), most, "%q would fit", r)
		}
	})
}

package antiabuse_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"interai/antiabuse"
)

// heldText is a text that must not be stored.
func heldText() string { return "DB_PASSWORD=" + "k9Xq2" + "Lm7Vt4" + "Rz!8\n" }

func utf16Of(t *testing.T, text string, order binary.ByteOrder) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, binary.Write(&out, order, utf16.Encode([]rune(text))))
	return out.Bytes()
}

func zipped(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	member, err := w.Create(name)
	require.NoError(t, err)
	_, err = member.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func scanFile(t *testing.T, data []byte) antiabuse.Verdict {
	t.Helper()
	s, err := antiabuse.NewScanner()
	require.NoError(t, err)
	field := antiabuse.Field{Path: "/assets/0/base64", Text: base64.StdEncoding.EncodeToString(data), Format: antiabuse.FormatBase64}
	return s.Scan([]antiabuse.Field{field}, antiabuse.Options{})
}

// carriers of a file's text, with the text in each.
func carriers(t *testing.T, text string) map[string][]byte {
	t.Helper()
	var utf32 bytes.Buffer
	require.NoError(t, binary.Write(&utf32, binary.LittleEndian, []rune("\uFEFF"+text)))
	return map[string][]byte{
		"UTF-8":                     []byte(text),
		"UTF-16LE without a mark":   utf16Of(t, text, binary.LittleEndian),
		"UTF-16BE without a mark":   utf16Of(t, text, binary.BigEndian),
		"UTF-16LE":                  utf16Of(t, "\uFEFF"+text, binary.LittleEndian),
		"UTF-16LE, mostly Chinese":  utf16Of(t, "\uFEFF"+strings.Repeat("\u6570\u636e\u5e93", 200)+"\n"+text, binary.LittleEndian),
		"UTF-32LE":                  utf32.Bytes(),
		"zip":                       zipped(t, ".env", []byte(strings.Repeat("#\n", 200)+text)),
		"gzip":                      gzipped(t, []byte(strings.Repeat("#\n", 200)+text)),
		"zip in gzip":               gzipped(t, zipped(t, "a.txt", []byte(text))),
		"zip of UTF-16":             zipped(t, "a.txt", utf16Of(t, text, binary.LittleEndian)),
		"between binary data":       append(append(bytes.Repeat([]byte{0, 1, 0xFF}, 50), text...), 0, 0xFE),
		"cut off in the middle":     gzipped(t, []byte(text+strings.Repeat("rest of it ", 20)))[:80],
		"beginning like an archive": append([]byte("PK\x03\x04\n"), text...),
	}
}

func TestFilesAreReadInWhateverFormTheyHaveTheirText(t *testing.T) {
	t.Parallel()
	for name, data := range carriers(t, heldText()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := scanFile(t, data)
			require.True(t, v.Blocks())
			require.False(t, v.Exceeded)
		})
	}
}

func TestFilesOfHarmlessTextPass(t *testing.T) {
	t.Parallel()
	for name, data := range carriers(t, "The password is in the vault: DB_PASSWORD=${DB_PASSWORD}\n") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := scanFile(t, data)
			require.Empty(t, v.Found)
			require.False(t, v.Exceeded)
		})
	}
}

func TestTheNameOfAMemberIsText(t *testing.T) {
	t.Parallel()
	v := scanFile(t, zipped(t, strings.TrimSpace(heldText()), []byte("x")))
	require.True(t, v.Blocks())
}

func TestAnArchiveThatUnpacksToTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	bomb := make([]byte, 5<<20)
	for name, data := range map[string][]byte{"zip": zipped(t, "zeros", bomb), "gzip": gzipped(t, bomb), "nested": gzipped(t, gzipped(t, bomb))} {
		v := scanFile(t, data)
		require.True(t, v.Exceeded, name)
	}
}

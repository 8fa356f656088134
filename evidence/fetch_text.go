package evidence

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// fetchText writes a text of bounded length.
type fetchText struct {
	b    strings.Builder
	left int // bytes, as JSON writes them
}

// head writes what is known of an object, in front of its body or alone.
func (w *fetchText) head(object *GetOutput, f *FetchOutput, beforeBody bool) {
	w.notef("%s\n", f.Metadata.Notice)
	if f.Metadata.Labels != "" {
		w.notef("Careful: %s\n", f.Metadata.Labels)
	}
	said, most := object.Text(), w.left
	if beforeBody {
		most = fetchHeadBytes
	}
	if part := fitting(said, most); len(part) < len(said) {
		w.add(part)
		w.notef("\n[Lists are cut here: %s has all of it.]\n", f.URL)
		return
	}
	w.add(said)
}

// add writes as much of a text as fits, and answers it.
func (w *fetchText) add(text string) string {
	part := fitting(text, w.left)
	w.left -= escapedBytes(part)
	w.b.WriteString(part)
	return part
}

// notef writes a line for which there is always room.
func (w *fetchText) notef(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// data writes structured data if all of them fit, else where they are to be found.
func (w *fetchText) data(data, at string) {
	text := "\n--- structured data, of the same author ---\n" + data + "\n"
	if escapedBytes(text) > w.left {
		w.notef("\n[Structured data of %d bytes is not shown here: %s has it.]\n", len(data), at)
		return
	}
	w.add(text)
}

// fitting is the longest beginning of a text, cut between characters, that JSON writes with at most so many bytes.
func fitting(text string, most int) string {
	for i, r := range text {
		if most -= escapedRune(r); most < 0 {
			return text[:i]
		}
	}
	return text
}

func escapedBytes(text string) int {
	n := 0
	for _, r := range text {
		n += escapedRune(r)
	}
	return n
}

// escapedRune is how many bytes JSON has for a character.
func escapedRune(r rune) int {
	switch {
	case r == '"', r == '\\', r == '\n', r == '\r', r == '\t':
		return 2
	case r < ' ':
		return 6
	}
	return utf8.RuneLen(r)
}

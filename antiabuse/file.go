package antiabuse

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of what is read out of one file.
const (
	// An archive may unpack to so many times its size, at least minUnpackedBytes and at most maxUnpackedBytes: more is
	// refused, since what is not looked at is not stored, and looking is what a small archive must not make dear.
	maxUnpackedRatio = 10
	minUnpackedBytes = 1 << 20
	maxUnpackedBytes = 4 << 20
	maxArchived      = 1000 // members of an archive
	maxNested        = 2    // archives in archives
)

// errTooMuch is returned for an archive that unpacks to more than may be looked at.
var errTooMuch = errors.New("the archive unpacks to too much")

// reading collects what a file says.
type reading struct {
	out  []string
	left int
}

// fileTexts answers the texts that a file consists of: itself, or what it packs. Names of members count, they are texts too.
func fileTexts(data []byte) ([]string, error) {
	r := reading{left: min(maxUnpackedBytes, max(minUnpackedBytes, maxUnpackedRatio*len(data)))}
	err := r.file(data, 0)
	return r.out, err
}

func (r *reading) file(data []byte, depth int) error {
	r.out = append(r.out, readable(data))
	if depth >= maxNested {
		return nil
	}
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return r.gzipped(data, depth)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return r.zipped(data, depth)
	}
	return nil
}

func (r *reading) gzipped(data []byte, depth int) error {
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil //nolint:nilerr // it only begins like one
	}
	return r.unpacked(in, depth)
}

func (r *reading) zipped(data []byte, depth int) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil //nolint:nilerr // it only begins like one
	}
	if len(archive.File) > maxArchived {
		return errTooMuch
	}
	names := []string{archive.Comment}
	for _, member := range archive.File {
		names = append(names, member.Name, member.Comment)
		in, err := member.Open()
		if err != nil {
			continue // it is encrypted, or packed in a way that nobody else reads either
		}
		err = r.unpacked(in, depth)
		_ = in.Close() // it has been read as far as it goes
		if err != nil {
			return err
		}
	}
	r.out = append(r.out, strings.Join(names, "\n"))
	return nil
}

// unpacked reads what is packed, as far as it can be read: a damaged end does not undo what stands before it.
func (r *reading) unpacked(in io.Reader, depth int) error {
	data, _ := io.ReadAll(io.LimitReader(in, int64(r.left)+1))
	if len(data) > r.left {
		return errTooMuch
	}
	r.left -= len(data)
	return r.file(data, depth+1)
}

// readable is what bytes say: a text as it is, UTF-16 and UTF-32 in UTF-8, and of anything else the printable runs.
func readable(data []byte) string {
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return string(data)
	}
	for _, wide := range []func([]byte) (string, bool){utf32Text, utf16Text} {
		if text, ok := wide(data); ok {
			return text
		}
	}
	return printable(data)
}

// utf16Text decodes UTF-16. Without a mark of the order of bytes most characters must be Latin.
func utf16Text(data []byte) (string, bool) {
	for high, mark := range []string{"\xFE\xFF", "\xFF\xFE"} { // by where the higher byte stands
		if !bytes.HasPrefix(data, []byte(mark)) && !wide(data, 2, 1-high) {
			continue
		}
		units := make([]uint16, 0, len(data)/2)
		for i := 0; i+1 < len(data); i += 2 {
			units = append(units, uint16(data[i+high])<<8|uint16(data[i+1-high]))
		}
		return strings.ReplaceAll(string(utf16.Decode(units)), "\x00", "\n"), true
	}
	return "", false
}

// utf32Text decodes the characters of ASCII of UTF-32; others are left out.
func utf32Text(data []byte) (string, bool) {
	for _, low := range []int{0, 3} {
		if !wide(data, 4, low) {
			continue
		}
		var out strings.Builder
		for i := 0; i+3 < len(data); i += 4 {
			if c := data[i+low]; c != 0 && c < utf8.RuneSelf {
				out.WriteByte(c)
			}
		}
		return out.String(), true
	}
	return "", false
}

// wide reports whether most characters of size bytes have all bytes zero but that at low.
func wide(data []byte, size, low int) bool {
	narrow, all := 0, 0
	for i := 0; i+size <= len(data); i += size {
		all++
		zeros := 0
		for k := range size {
			if k != low && data[i+k] == 0 {
				zeros++
			}
		}
		if zeros == size-1 && data[i+low] != 0 {
			narrow++
		}
	}
	return all > 0 && narrow*2 > all
}

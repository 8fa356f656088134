package openmcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a document.
const (
	// MaxDocumentBytes is the largest document, call or schema that is read.
	MaxDocumentBytes = 8 << 20
	// maxDepth is how deep objects and lists may nest.
	maxDepth = 128
	// maxNumberBytes and maxExponent bound numbers, which are compared exactly: a short number with a large exponent
	// would be a gigabyte of digits.
	maxNumberBytes = 128
	maxExponent    = 512
)

// Reasons for which bytes are no document.
var (
	// ErrTooLarge: more than MaxDocumentBytes, too deep, or a number that is too long.
	ErrTooLarge = errors.New("beyond the bounds of a document")
	// ErrNotJSON: not one JSON value in UTF-8.
	ErrNotJSON = errors.New("not JSON")
)

// decoder reads JSON exactly: numbers stay as they were written, and members that stand twice are noted.
type decoder struct {
	json *json.Decoder
	path []string
	// duplicates are the pointers of members that replace an earlier one of the same name.
	duplicates []string
}

// decode reads one JSON value into maps, lists, strings, json.Number, bool and nil.
func decode(raw []byte) (any, []string, error) {
	if len(raw) > MaxDocumentBytes {
		return nil, nil, fmt.Errorf("read JSON: more than %d bytes: %w", MaxDocumentBytes, ErrTooLarge)
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(raw) {
		return nil, nil, fmt.Errorf("read JSON: not UTF-8: %w", ErrNotJSON)
	}
	d := decoder{json: json.NewDecoder(bytes.NewReader(raw))}
	d.json.UseNumber()
	value, err := d.value(0)
	if err != nil {
		return nil, nil, fmt.Errorf("read JSON: %w", err)
	}
	if _, err := d.json.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("read JSON: something follows the value: %w", ErrNotJSON)
	}
	return value, d.duplicates, nil
}

func (d *decoder) value(depth int) (any, error) {
	token, err := d.json.Token()
	if err != nil {
		return nil, fmt.Errorf("%w at byte %d", ErrNotJSON, d.json.InputOffset())
	}
	switch t := token.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, fmt.Errorf("more than %d levels: %w", maxDepth, ErrTooLarge)
		}
		if t == '{' {
			return d.object(depth)
		}
		return d.list(depth)
	case json.Number:
		if !bounded(t) {
			return nil, fmt.Errorf("the number at %q: %w", pointer(d.path), ErrTooLarge)
		}
		return t, nil
	default:
		return t, nil
	}
}

func (d *decoder) object(depth int) (any, error) {
	out := map[string]any{}
	for d.json.More() {
		token, err := d.json.Token()
		if err != nil {
			return nil, fmt.Errorf("%w at byte %d", ErrNotJSON, d.json.InputOffset())
		}
		name, _ := token.(string)
		d.path = append(d.path, name)
		if _, twice := out[name]; twice {
			d.duplicates = append(d.duplicates, pointer(d.path))
		}
		if out[name], err = d.value(depth + 1); err != nil {
			return nil, err
		}
		d.path = d.path[:len(d.path)-1]
	}
	return out, d.end()
}

func (d *decoder) list(depth int) (any, error) {
	out := []any{}
	for d.json.More() {
		d.path = append(d.path, strconv.Itoa(len(out)))
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out, d.path = append(out, item), d.path[:len(d.path)-1]
	}
	return out, d.end()
}

// end reads the closing bracket.
func (d *decoder) end() error {
	if _, err := d.json.Token(); err != nil {
		return fmt.Errorf("%w at byte %d", ErrNotJSON, d.json.InputOffset())
	}
	return nil
}

// bounded reports whether a number can be computed with exactly.
func bounded(n json.Number) bool {
	if len(n) > maxNumberBytes {
		return false
	}
	at := strings.IndexAny(string(n), "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(string(n)[at+1:])
	return err == nil && exponent <= maxExponent && exponent >= -maxExponent
}

// pointer writes a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(escape(name))
	}
	return b.String()
}

// escape writes one name of a JSON pointer.
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Views of decoded values; a value of another type is as good as none.
func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any            { l, _ := v.([]any); return l }
func text(v any) string           { s, _ := v.(string); return s }
func texts(v any) (out []string) {
	for _, item := range list(v) {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

package moderation

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"interai/antiabuse"
	"interai/antiabuse/finding"
	"interai/store"
)

// fileText is the path of a stored file's bytes.
const fileText = "/data"

// maskStored masks one stored text: as text, or string by string for JSON. What the given rules find goes although it does
// not block.
func (s *Service) maskStored(text store.StoredText, known []store.CaseFinding, rules []string) string {
	switch {
	case text.Path == fileText:
		return s.maskFile(text.Text, rules)
	case !text.JSON:
		return s.scanner.MaskRules(text.Text, spans(text.Text, text.Path, known), rules)
	}
	decoder := json.NewDecoder(strings.NewReader(text.Text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return "{}"
	}
	m := jsonMask{service: s, known: known, rules: rules}
	masked := m.value(text.Path, value)
	if !m.changed {
		return text.Text
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(masked) != nil {
		return "{}"
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// jsonMask masks the strings of a JSON value one by one.
type jsonMask struct {
	service *Service
	known   []store.CaseFinding
	rules   []string
	changed bool
}

func (m *jsonMask) value(path string, value any) any {
	switch v := value.(type) {
	case string:
		return m.text(path, v)
	case json.Number:
		if masked := m.text(path, v.String()); masked != v.String() {
			return masked
		}
		return v
	case []any:
		for i, item := range v {
			v[i] = m.value(path+"/"+strconv.Itoa(i), item)
		}
		return v
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			clean := m.text("", name)
			if text, isText := item.(string); isText && m.service.scanner.PairBlocks(name, text) {
				out[clean], m.changed = "["+string(finding.Secret)+"]", true
				continue
			}
			out[clean] = m.value(path+"/"+antiabuse.EscapeName(name), item)
		}
		return out
	}
	return value
}

func (m *jsonMask) text(path, text string) string {
	masked := m.service.scanner.MaskRules(text, spans(text, path, m.known), m.rules)
	m.changed = m.changed || masked != text
	return masked
}

// maskFile masks a text file; a file of another kind that holds something is emptied.
func (s *Service) maskFile(encoded string, rules []string) string {
	data, err := base64.StdEncoding.DecodeString(encoded)
	switch {
	case err != nil:
		return encoded
	case !utf8.Valid(data):
		if s.scanner.FileBlocks(encoded) {
			return ""
		}
		return encoded
	}
	if masked := s.scanner.MaskRules(string(data), nil, rules); masked != string(data) {
		encoded = base64.StdEncoding.EncodeToString([]byte(masked))
	}
	if s.scanner.FileBlocks(encoded) { // in a form in which no place can be masked, such as UTF-16
		return ""
	}
	return encoded
}

// spans are the known places in a text as byte offsets. A place that the text does not have any more is passed over.
func spans(text, path string, known []store.CaseFinding) []finding.Finding {
	var out []finding.Finding
	for i := range known {
		k := &known[i]
		if k.Path != path || k.Action == "label" {
			continue
		}
		if start, ok := offset(text, k.Line, k.Column); ok {
			end := start
			for range k.Length {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
			}
			out = append(out, finding.Finding{Rule: k.Rule, Kind: finding.Kind(k.Kind), Action: finding.Reject, Start: start, End: end})
		}
	}
	return out
}

// offset is where a line and a column, in characters from 1, stand in a text.
func offset(text string, line, column int) (int, bool) {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return 0, false
		}
		at += next + 1
	}
	for ; column > 1; column-- {
		if at >= len(text) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, at < len(text)
}

package antiabuse

import (
	"slices"
	"strings"

	"interai/antiabuse/finding"
)

// withheld stands for a text that could not be masked.
const withheld = "[withheld]"

// maskRounds bounds how often a masked text is scanned again: what stands behind one finding may be found only then.
const maskRounds = 8

// Mask replaces everything that blocks in a text by its kind and rule, until a scan finds nothing more in it; a text in
// which that does not end is withheld whole.
func (s *Scanner) Mask(in string) string { return s.MaskAlso(in, nil) }

// MaskAlso is Mask for a text of which further places are known, as byte offsets.
func (s *Scanner) MaskAlso(in string, known []finding.Finding) string {
	return s.MaskRules(in, known, nil)
}

// MaskRules is MaskAlso that masks what the given rules find too, although it does not block.
func (s *Scanner) MaskRules(in string, known []finding.Finding, rules []string) string {
	for range maskRounds {
		verdict := s.Scan([]Field{{Text: in}}, Options{Labels: len(rules) > 0})
		if verdict.Exceeded {
			return withheld
		}
		spans := slices.Clone(known)
		for i := range verdict.Found {
			if f := &verdict.Found[i]; f.Action.Blocks() || slices.Contains(rules, f.Rule) {
				spans = append(spans, verdict.Found[i].Finding)
			}
		}
		if len(spans) == 0 {
			return in
		}
		in, known = replace(in, spans), nil
	}
	return withheld
}

// replace writes a sign in place of each span; spans that overlap are one.
func replace(in string, spans []finding.Finding) string {
	slices.SortFunc(spans, finding.Order)
	var out strings.Builder
	end := 0
	for _, f := range spans {
		start, stop := max(f.Start, 0), min(f.End, len(in))
		if stop <= end {
			continue
		}
		if start >= end {
			out.WriteString(in[end:start])
			out.WriteString("[" + string(f.Kind) + ":" + f.Rule + "]")
		}
		end = stop
	}
	out.WriteString(in[end:])
	return out.String()
}

// PairBlocks reports whether a value must not be stored under a name.
func (s *Scanner) PairBlocks(name, value string) bool {
	v := s.Scan([]Field{{Name: name, Text: value, Free: true}}, Options{})
	return v.Blocks()
}

// FileBlocks reports whether a file in base64 must not be stored.
func (s *Scanner) FileBlocks(encoded string) bool {
	v := s.Scan([]Field{{Text: encoded, Format: FormatBase64}}, Options{})
	return v.Blocks()
}

// maxSegmentBytes bounds one name in a path that is shown or stored: names may be the sender's.
const maxSegmentBytes = 64

var (
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
)

// EscapeName writes a name as a part of a JSON pointer (RFC 6901).
func EscapeName(name string) string { return pointerEscapes.Replace(name) }

// MaskPath masks the names in a JSON pointer one by one, and bounds each.
func (s *Scanner) MaskPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		name := segment
		if len(segment) >= shortestFound {
			name = EscapeName(s.Mask(pointerUnescapes.Replace(segment)))
		}
		if len(name) > maxSegmentBytes {
			name = strings.ToValidUTF8(name[:maxSegmentBytes], "") + "…"
		}
		segments[i] = name
	}
	return strings.Join(segments, "/")
}

// shortestFound is the length in bytes below which nothing is found in a text.
const shortestFound = 8

// MaskShort is Mask for what is mostly too short to hold anything.
func (s *Scanner) MaskShort(in string) string {
	if len(in) < shortestFound {
		return in
	}
	return s.Mask(in)
}

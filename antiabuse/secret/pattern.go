package secret

import (
	"fmt"
	"strconv"
	"strings"
)

// segment of a pattern: a literal, or from least to most characters of a set.
type segment struct {
	literal     string
	set         set
	class       string
	least, most int
}

// pattern is the compiled form of texts such as "ghp_{alnum:36}" or "{alnum:14}.atlasv1.{b64url:60-70}": literals,
// which count with their case, and runs of a class with a length or a range of lengths. It is found through its anchor,
// a literal, and matched without backtracking over more than its own bounded length.
type pattern struct {
	before []segment // segments before the anchor
	anchor string
	after  []segment
	least  int // characters of the runs
}

// maxPatternRun bounds every run of a pattern.
const maxPatternRun = 600

func compilePattern(source string) (pattern, error) {
	segments, err := parseSegments(source)
	if err != nil {
		return pattern{}, fmt.Errorf("compile pattern %q: %w", source, err)
	}
	var p pattern
	at := -1
	for i, s := range segments {
		p.least += s.least
		if len(s.literal) >= minLiteral && (at < 0 || i == 0) {
			at = i
		}
	}
	if at < 0 {
		return pattern{}, fmt.Errorf("compile pattern %q: no literal of %d bytes", source, minLiteral)
	}
	p.before, p.anchor, p.after = segments[:at], segments[at].literal, segments[at+1:]
	return p, nil
}

func parseSegments(source string) ([]segment, error) {
	var out []segment
	for source != "" {
		open := strings.IndexByte(source, '{')
		if open != 0 {
			if open < 0 {
				open = len(source)
			}
			out = append(out, segment{literal: source[:open]})
			source = source[open:]
			continue
		}
		end := strings.IndexByte(source, '}')
		if end < 0 {
			return nil, fmt.Errorf("%q has no end", source)
		}
		class, lengths, _ := strings.Cut(source[1:end], ":")
		least, most, ranged := strings.Cut(lengths, "-")
		s := segment{class: class, set: setOf(classes[class])}
		var err error
		if s.least, err = strconv.Atoi(least); err != nil {
			return nil, fmt.Errorf("read length: %w", err)
		}
		s.most = s.least
		if ranged {
			if s.most, err = strconv.Atoi(most); err != nil {
				return nil, fmt.Errorf("read length: %w", err)
			}
		}
		if classes[class] == "" || s.least < 1 || s.most < s.least || s.most > maxPatternRun {
			return nil, fmt.Errorf("%q is no class with lengths", source[:end+1])
		}
		out = append(out, s)
		source = source[end+1:]
	}
	return out, nil
}

// match looks for the pattern around its anchor at [start, end) of the text and returns the place of the whole.
func (p *pattern) match(text string, start, end int) (from, to int, ok bool) {
	if text[start:end] != p.anchor {
		return 0, 0, false
	}
	from = start
	for i := len(p.before) - 1; i >= 0; i-- {
		s := &p.before[i]
		if s.literal != "" {
			if !strings.HasSuffix(text[:from], s.literal) {
				return 0, 0, false
			}
			from -= len(s.literal)
			continue
		}
		n := s.set.runBack(text, from, s.most)
		if n < s.least {
			return 0, 0, false
		}
		from -= n
	}
	to, ok = ahead(text, end, p.after)
	return from, to, ok && p.starts(text, from)
}

// starts reports whether a token can begin at from. Inside a longer word it cannot, unless the word is the end of an
// escape such as \n, or the literal is so telling that nothing else looks like it.
func (p *pattern) starts(text string, from int) bool {
	if from == 0 || !alnum.has(text[from]) || !alnum.has(text[from-1]) {
		return true
	}
	if from > 1 && text[from-2] == '\\' && strings.IndexByte("nrtbf", text[from-1]) >= 0 {
		return true
	}
	const telling, long = 6, 30
	return len(p.before) == 0 && p.least >= long && (len(p.anchor) >= telling &&
		strings.ContainsAny(p.anchor, "-.:/") || len(p.anchor) > minLiteral && strings.Contains(p.anchor, "_"))
}

// ahead matches segments from i on and returns the end.
func ahead(text string, i int, segments []segment) (int, bool) {
	if len(segments) == 0 {
		return i, true
	}
	s := &segments[0]
	if s.literal != "" {
		if !strings.HasPrefix(text[i:], s.literal) {
			return 0, false
		}
		return ahead(text, i+len(s.literal), segments[1:])
	}
	n := s.set.run(text, i, s.most)
	if len(segments) == 1 {
		return i + n, n >= s.least && ends(text, i+n, s.set)
	}
	for ; n >= s.least; n-- { // the run gives back what the rest needs
		if end, ok := ahead(text, i+n, segments[1:]); ok {
			return end, true
		}
	}
	return 0, false
}

// ends reports whether a token whose last characters are of the set can end at i. Emphasis and a few closing
// characters may follow, the rest of a longer token may not.
func ends(text string, i int, last set) bool {
	const emphasis = 2
	for n := 0; n <= emphasis && i < len(text) && (text[i] == '_' || text[i] == '-'); n++ {
		i++
	}
	return i >= len(text) || !alnum.has(text[i]) && !last.has(text[i])
}

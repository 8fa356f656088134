package secret

import "strings"

// vendorWord judges the value beside a vendor's name: in an assignment to a name that contains it.
func (s *scan) vendorWord(id, start, end int) bool {
	if s.vendor.known && start < s.vendor.end {
		return true
	}
	from := start - nameSet.runBack(s.text, start, maxNameBefore)
	to := end + nameSet.run(s.text, end, maxNameAfter)
	s.vendor = vendorSeen{id: id, start: from, end: to, known: true}
	if !s.pay(maxLook) {
		return false
	}
	if s.vendorValue(id, from, to, from) {
		return true
	}
	// The name and what the value is called can be words of their own: "Twilio auth token: …".
	const near = 40
	limit := min(len(s.text), to+near)
	if i := strings.IndexByte(s.text[to:limit], '\n'); i >= 0 {
		limit = to + i
	}
	for i := to; i < limit; i++ {
		if c := s.text[i]; c == ':' || c == '=' || c == '|' {
			s.vendorValue(id, from, i, from)
			return true
		}
	}
	return true
}

// vendorValue judges the value of the name at [from, to).
func (s *scan) vendorValue(id, from, to, nameStart int) bool {
	v, ok := s.value(from, to)
	if !ok || v.loose {
		return false
	}
	for _, c := range v.cuts(nil, s.text) {
		text := s.text[c.start:c.end]
		if !vendorFits(id, text) {
			continue
		}
		name := strings.ToLower(s.text[nameStart:to])
		words := splitName(nil, name)
		if vendors[id].weak || !secretName(name) || weakened(words) {
			s.report("vendor_value", placeholderFor(s.text[nameStart:to]), Weak, c.start, c.end)
		} else {
			s.report("vendor_credential", placeholderFor(s.text[nameStart:to]), Contextual, c.start, c.end)
		}
		return true
	}
	return false
}

// weakened reports whether the last word of a name says that the value is none.
func weakened(words []string) bool {
	return len(words) > 0 && weakening[words[len(words)-1]]
}

func secretName(name string) bool {
	for _, part := range []string{"key", "token", "secret", "pass", "pwd", "pat", "auth", "cred", "dsn"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// vendorFits reports whether v has one of the forms of a vendor's credentials and looks drawn by chance.
func vendorFits(id int, v string) bool {
	const shortest = 14
	if len(v) < shortest || exampleLike(v) || wordy(v) && !uuidLike(v) {
		return false
	}
	for i := range compiledShapes[id] {
		shape := &compiledShapes[id][i]
		switch {
		case shape.special != nil:
			if shape.special(v) {
				return true
			}
		case !fits(shape.segment, v):
		case shape.numeric && entropy(v) > 2, !shape.numeric && digitsIn(v) > 0 && entropy(v) >= 2.7 &&
			churn(v) >= 0.15:
			return true
		}
	}
	return false
}

// vendorShape is the compiled form of one shape.
type vendorShape struct {
	special func(string) bool
	segment segment
	numeric bool
}

// compiledShapes are the shapes of all vendors, by their place in the table.
var compiledShapes = compileShapes()

func compileShapes() [][]vendorShape {
	out := make([][]vendorShape, len(vendors))
	for i, v := range vendors {
		for _, source := range v.shapes {
			if special := specialShapes[source]; special != nil {
				out[i] = append(out[i], vendorShape{special: special})
				continue
			}
			out[i] = append(out[i], vendorShape{segment: mustSegment(source), numeric: strings.HasPrefix(source, "digits")})
		}
	}
	return out
}

// mustSegment compiles a class with lengths that the tables of this package name.
func mustSegment(source string) segment {
	segments, err := parseSegments("{" + source + "}")
	if err != nil {
		panic(err)
	}
	return segments[0]
}

package ops

// skip reads a value that has no struct: it is free, unknown, or of the wrong
// type. Its text obeys the same rules as any other: syntax, depth, UTF-8, no NUL,
// no key twice, no number beyond a double's range.
func (s *scanner) skip() bool {
	switch s.peek() {
	case '{':
		return s.skipObject()
	case '[':
		return s.skipList()
	case '"':
		_, ok := s.text()
		return ok
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	default:
		return s.skipNumber()
	}
}

func (s *scanner) skipNumber() bool {
	text, ok := s.number()
	if !ok {
		return false
	}
	if _, ok := inRange(text); !ok {
		s.problems.add("range", "is a number beyond the range of a double")
	}
	return true
}

func (s *scanner) skipList() bool {
	if !s.enter() {
		return false
	}
	for i := 0; ; i++ {
		item, ok := s.more(i == 0, ']')
		if !item {
			return ok
		}
		s.problems.pushIndex(i)
		ok = s.skip()
		s.problems.pop()
		if !ok {
			return false
		}
	}
}

func (s *scanner) skipObject() bool {
	if !s.enter() {
		return false
	}
	seen := map[string]struct{}{}
	for first := true; ; first = false {
		item, ok := s.more(first, '}')
		if !item {
			return ok
		}
		name, ok := s.text()
		if !ok || !s.take(':') {
			return false
		}
		s.problems.push(name)
		if _, twice := seen[name]; twice {
			s.problems.add("duplicate", "is given twice")
		}
		seen[name] = struct{}{}
		ok = s.skip()
		s.problems.pop()
		if !ok {
			return false
		}
	}
}

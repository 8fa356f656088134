package personal

import "strings"

// mrz looks for the machine-readable zone of a travel document (ICAO 9303) around the double angle bracket at i, and
// answers where to go on.
func (s *scan) mrz(i int) int {
	const widest = 44
	start, end := i, i
	for start > 0 && i-start <= widest && isZone(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && end-start <= widest && isZone(s.text[end]) {
		end++
	}
	s.b.Work += end - start
	first := s.text[start:end]
	if strings.IndexByte("PIACV", first[0]) < 0 && len(first) != 30 {
		return max(end, i+1)
	}
	second, secondEnd := s.nextZone(end)
	if len(second) == len(first)+1 && second[len(first)] == '<' { // the closing tag of a cell
		second, secondEnd = second[:len(first)], secondEnd-1
	}
	switch {
	case len(first) == len(second) && (len(first) == 44 || len(first) == 36):
		if checks(second, 0, 9) && checks(second, 13, 19) && checks(second, 21, 27) {
			s.travelDocument(start, secondEnd)
			return secondEnd
		}
	case len(first) == 30 && len(second) == 30:
		if checks(first, 5, 14) && checks(second, 0, 6) && checks(second, 8, 14) {
			s.travelDocument(start, secondEnd)
			return secondEnd
		}
	}
	return max(end, i+1)
}

func (s *scan) travelDocument(start, end int) {
	s.reject("travel_document", start, end, "leave the machine-readable zone out; use the specimen of ICAO 9303 for tests")
	s.until = end
}

func isZone(c byte) bool { return c == '<' || isUpper(c) || isDigit(c) }

// nextZone is the line of a zone after one that ends at i: on the next line, or behind an escaped line end.
func (s *scan) nextZone(i int) (line string, end int) {
	const widest, gap = 44, 16
	start := i
	for start < len(s.text) && start-i < gap && !isZone(s.text[start]) {
		start++
	}
	end = start
	for end < len(s.text) && end-start <= widest && isZone(s.text[end]) {
		end++
	}
	if start == i {
		return "", end
	}
	return s.text[start:end], end
}

// checks reports whether the digit after a field is its check digit. The specimen of the standard is nobody's.
func checks(line string, from, to int) bool {
	sum := 0
	for k := from; k < to; k++ {
		value := 0
		switch c := line[k]; {
		case isDigit(c):
			value = int(c - '0')
		case isUpper(c):
			value = int(c-'A') + 10
		}
		sum += value * [3]int{7, 3, 1}[(k-from)%3]
	}
	return line[to] == byte('0'+sum%10) && !strings.HasPrefix(line, "L898902C3") && !strings.HasPrefix(line, "D23145890")
}

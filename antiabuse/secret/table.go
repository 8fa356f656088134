package secret

import "strings"

const (
	maxTableRows = 50
	maxRowBytes  = 1000
)

// table judges the column of a Markdown or comma-separated table whose head is the name.
func (s *scan) table(n name) {
	after := n.end + closers.run(s.text, n.end, 4)
	after += blank.run(s.text, after, maxGap)
	if n.start < s.tables && n.start > s.headEnd || after < len(s.text) && strings.IndexByte("|,\n\r", s.text[after]) < 0 {
		return
	}
	back := max(0, n.start-maxRowBytes)
	from := strings.LastIndexByte(s.text[back:n.start], '\n') + 1 + back
	if from == s.noHead {
		return
	}
	head, next := s.line(from)
	sep, next := s.separatorOf(head, next)
	if sep == 0 {
		s.noHead = from
		return
	}
	s.headEnd = from + len(head)
	column := strings.Count(s.text[from:n.start], string(sep))
	for range maxTableRows {
		at := next
		var row string
		if row, next = s.line(at); !isRow(row, head, sep) || !s.pay(len(row)) {
			return
		}
		start, end := cell(row, column, sep)
		if from, to := unwrap(s.text, at+start, at+end); to > from && likely(s.text[from:to]) {
			s.report("named_secret", placeholderFor(s.text[n.start:n.end]), Contextual, from, to)
		}
		s.tables = max(s.tables, next)
	}
}

// separatorOf is the sign between the cells of a table with this head, 0 when it is none, and where its rows begin.
func (s *scan) separatorOf(head string, next int) (sep byte, rows int) {
	if strings.IndexByte(head, '|') >= 0 {
		rule, after := s.line(next)
		if strings.Trim(rule, "|-: \t") == "" && strings.Contains(rule, "--") {
			return '|', after
		}
		return 0, next
	}
	if strings.IndexByte(head, ',') > 0 && csvHead.run(head, 0, len(head)) == len(head) &&
		!strings.HasSuffix(strings.TrimSpace(head), ",") {
		return ',', next
	}
	return 0, next
}

// isRow reports whether a line goes on with the table.
func isRow(row, head string, sep byte) bool {
	n := strings.Count(row, string(sep))
	return n > 0 && (sep == '|' || n == strings.Count(head, ","))
}

// cell is where the content of a column stands in a row.
func cell(row string, column int, sep byte) (start, end int) {
	for range column {
		i := strings.IndexByte(row[start:], sep)
		if i < 0 {
			return 0, 0
		}
		start += i + 1
	}
	end = len(row)
	if i := strings.IndexByte(row[start:], sep); i >= 0 {
		end = start + i
	}
	start += blank.run(row, start, end-start)
	return start, end - blank.runBack(row, end, end-start)
}

// line is the line that begins at i, without its end, and where the next begins.
func (s *scan) line(i int) (string, int) {
	if i >= len(s.text) {
		return "", len(s.text)
	}
	limit := min(len(s.text), i+maxRowBytes)
	end := strings.IndexByte(s.text[i:limit], '\n')
	if end < 0 {
		return s.text[i:limit], limit
	}
	return strings.TrimSuffix(s.text[i:i+end], "\r"), i + end + 1
}

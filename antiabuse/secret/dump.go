package secret

import (
	"encoding/hex"
	"strings"
)

// dumps decodes what hexdump, xxd and the like print: lines of an offset, bytes in hex, and the same as text.
func (s *scan) dumps(view string, back func(int, int) (int, int)) {
	var bytes []byte
	start, end := 0, 0
	flush := func() {
		if len(bytes) >= minRun && s.budget.Decode(len(bytes)) {
			s.inner(textOf(string(bytes)), back, start, end, 1)
		}
		bytes = nil
	}
	for at := 0; at < len(view) && !s.budget.Full() && !s.budget.Exceeded(); {
		next := strings.IndexByte(view[at:], '\n') + at + 1
		if next == at {
			next = len(view)
		}
		line := dumpLine(strings.TrimRight(view[at:next], "\r\n"))
		switch {
		case len(line) > 0:
			if bytes == nil {
				start = at
			}
			bytes, end = append(bytes, line...), next
		case bytes != nil:
			flush()
		}
		at = next
	}
	flush()
}

// dumpLine is the bytes of one line of a dump, none when it is no such line.
func dumpLine(line string) []byte {
	const shortest, longest, most = 4, 16, 64
	i := blank.run(line, 0, 8)
	if i >= len(line) || !hexSet.has(line[i]) {
		return nil
	}
	n := hexSet.run(line, i, longest+1)
	if i += n; n < shortest || n > longest || i >= len(line) || line[i] != ':' && line[i] != ' ' {
		return nil
	}
	var out []byte
	for gap := dumpGap.run(line, i, 3); gap > 0 && len(out) < most; gap = blank.run(line, i, 2) {
		i += gap
		n := hexSet.run(line, i, 9)
		if n == 0 || n%2 != 0 || n > 8 || i+n < len(line) && line[i+n] != ' ' {
			break
		}
		piece, err := hex.DecodeString(line[i : i+n])
		if err != nil {
			break
		}
		out = append(out, piece...)
		i += n
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

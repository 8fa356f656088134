package secret

import (
	stdbase64 "encoding/base64"
	"encoding/hex"
	"strings"
)

const (
	minRun    = 20      // characters of an encoded run
	maxDepth  = 2       // encodings inside encodings
	probeSize = 24      // bytes that must be text before a run is decoded
	maxRun    = 1 << 20 // more than a text has
)

// runs decodes what is encoded in base64 or hex in the view, and scans what is text.
func (s *scan) runs(view string, back func(int, int) (int, int), crossing bool) {
	s.decodeRuns(view, back, crossing, 1)
}

func (s *scan) decodeRuns(view string, back func(int, int) (int, int), crossing bool, depth int) {
	hexEnd := 0 // of the last run of bytes in hex: each is measured once, however many of its bytes one could begin at
	for i := 0; i < len(view); {
		if s.budget.Full() || s.budget.Exceeded() {
			return
		}
		c := view[i]
		if !base64Set.has(c) && c != '-' && c != '_' {
			i++
			continue
		}
		n := runSet.run(view, i, maxRun)
		s.budget.Work += n
		if n >= minRun && (!crossing || s.crossesJoint(i, i+n)) {
			if plain, ok := s.decode(view[i : i+n]); ok {
				s.inner(plain, back, i, i+n, depth)
			}
		}
		if end := discordAt(view, i, n); end > 0 {
			s.reportAt(back, "discord_token", "DISCORD_TOKEN", i, end)
		}
		if i >= hexEnd {
			hexEnd = i + hexBytes(view, i)
			s.budget.Work += hexEnd - i
		}
		if i < hexEnd {
			if plain, ok := s.spaced(view[i:hexEnd]); ok {
				s.inner(plain, back, i, hexEnd, depth)
				n = hexEnd - i
			}
		}
		i += max(n, 1)
	}
}

var runSet = setOf(alnumChars + "+/-_")

// discordAt is the end of a bot's token whose first part has n characters at i, 0 when it is none: there is no prefix
// to find it by.
func discordAt(text string, i, n int) int {
	if n < 23 || n > 28 || i+n >= len(text) || text[i+n] != '.' || strings.IndexByte("MNO", text[i]) < 0 {
		return 0
	}
	end := i + n + 1 + nameSet.run(text, i+n+1, 60)
	for end > i && text[end-1] == '.' {
		end--
	}
	if !discordLike(text[i:end]) || exampleLike(text[i:end]) {
		return 0
	}
	return end
}

// reportAt reports a structural finding of a view that is not the pass's own.
func (s *scan) reportAt(back func(int, int) (int, int), name, placeholder string, start, end int) {
	in := &scan{engine: s.engine, budget: s.budget, back: back, found: s.found}
	in.report(name, placeholder, Structural, start, end)
}

// inner scans a decoded run; whatever is found stands for the whole run.
func (s *scan) inner(plain string, back func(int, int) (int, int), start, end, depth int) {
	from, to := back(start, end)
	whole := func(int, int) (int, int) { return from, to }
	in := &scan{engine: s.engine, budget: s.budget, text: plain, back: whole, found: s.found, noHead: -1}
	if in.run() && depth < maxDepth {
		in.decodeRuns(plain, whole, false, depth+1)
	}
}

// decode decodes a run of hex or base64 when its beginning is text, and pays for it.
func (s *scan) decode(run string) (string, bool) {
	if hexSet.run(run, 0, len(run)) == len(run) && len(run)%2 == 0 {
		if head, err := hex.DecodeString(run[:min(len(run), 2*probeSize)]); err == nil && printable(string(head)) {
			if !s.budget.Decode(len(run) / 2) {
				return "", false
			}
			plain, err := hex.DecodeString(run)
			return textOf(string(plain)), err == nil
		}
		return "", false
	}
	const group = 4
	probe := run[:min(len(run), 2*probeSize)/group*group]
	head, ok := decodeBase64(probe)
	if !ok || !printable(head) || look(run[:min(len(run), 64)]).kinds() < 2 {
		return "", false
	}
	if !s.budget.Decode(len(run) * 3 / 4) {
		return "", false
	}
	plain, ok := decodeBase64(run)
	return textOf(plain), ok
}

// decodeBase64 decodes either alphabet, with or without padding.
func decodeBase64(v string) (string, bool) {
	v = strings.TrimRight(v, "=")
	encoding := stdbase64.RawStdEncoding
	if strings.ContainsAny(v, "-_") {
		encoding = stdbase64.RawURLEncoding
	}
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	plain, err := encoding.DecodeString(v)
	return string(plain), err == nil
}

// printable reports whether v is visible ASCII text.
func printable(v string) bool {
	if v == "" {
		return false
	}
	for i := range len(v) {
		if c := v[i]; c >= 0x7F || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// textOf makes what is no ASCII text blank.
func textOf(v string) string {
	if printable(v) {
		return v
	}
	b := []byte(v)
	for i, c := range b {
		if c >= 0x7F || c < ' ' && c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

// hexBytes is the length of bytes in hex with signs between them at i: a dump, a C array, a colon-separated list.
func hexBytes(text string, i int) int {
	n, at, end := 0, i, i
	for at < len(text) && at-i < maxRun {
		if strings.HasPrefix(text[at:], "0x") || strings.HasPrefix(text[at:], "\\x") {
			at += 2
		}
		h := hexSet.run(text, at, 5)
		if h != 2 && h != 4 || h == 4 && n == 0 && at+4 < len(text) && text[at+4] != ' ' {
			break
		}
		n += h / 2
		at += h
		end = at
		gap := byteGap.run(text, at, 4)
		if gap == 0 {
			break
		}
		if at += gap; strings.IndexByte(text[end:at], '\\') >= 0 && at > 0 {
			at-- // the backslash belongs to the next byte
			if gap == 1 && text[at] != '\\' {
				break
			}
		}
	}
	if n < fewestBytes {
		return 0
	}
	return end - i
}

// fewestBytes is from how many bytes in hex on they may be a text.
const fewestBytes = 12

// spaced decodes bytes in hex with signs between them when they begin as text, and pays for it.
func (s *scan) spaced(run string) (string, bool) {
	head := hexDigits(run, 2*fewestBytes)
	s.budget.Work += len(head)
	if probe := unhex(head); len(probe) < fewestBytes || !printable(probe) {
		return "", false
	}
	plain := unhex(hexDigits(run, len(run)))
	if !s.budget.Decode(len(plain)) {
		return "", false
	}
	return textOf(plain), true
}

// hexDigits are the first digits, most at the most, of bytes in hex without their prefixes and what separates them.
func hexDigits(run string, most int) []byte {
	digits := make([]byte, 0, min(len(run), most))
	for i := 0; i < len(run) && len(digits) < most; i++ {
		if run[i] == '0' && i+1 < len(run) && run[i+1] == 'x' || run[i] == '\\' {
			i++
			if run[i-1] == '\\' && i < len(run) && run[i] != 'x' {
				i--
			}
			continue
		}
		if hexSet.has(run[i]) {
			digits = append(digits, run[i])
		}
	}
	return digits
}

// unhex decodes digits of hex, of an odd number all but the last.
func unhex(digits []byte) string {
	plain := make([]byte, len(digits)/2)
	if _, err := hex.Decode(plain, digits[:len(digits)/2*2]); err != nil {
		return ""
	}
	return string(plain)
}

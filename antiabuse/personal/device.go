package personal

import "strings"

// imei reports whether a number is that of a phone, and flags it beside a name.
func (s *scan) imei(r *run, start, end int) bool {
	if r.n != 15 || !luhn(r.text()) || !s.says(set(imeiWord), start, end) {
		return false
	}
	s.device(start, end)
	return true
}

// device flags what identifies a device where a word says so and a name stands beside it.
func (s *scan) device(start, end int) {
	if s.says(set(deviceWord), start, end) && s.nameNear(start, end) {
		s.flag("device_owner", start, end)
	}
}

// coordinates reports whether exact coordinates begin at i, and flags those of a home: four decimals are a house.
func (s *scan) coordinates(i int) bool {
	first := decimals(s.text[i:])
	if first == 0 || !s.begins(i) && s.before(i) != '-' {
		return false
	}
	rest := s.text[i+first : min(len(s.text), i+first+24)]
	gap := len(rest) - len(strings.TrimLeft(rest, " ,;/°NSEWlongat\":=-"))
	second := decimals(rest[gap:])
	if gap == 0 || second == 0 {
		return false
	}
	end := i + first + gap + second
	if s.says(set(homeWord), i, end) {
		s.until = end
		s.flag("home_coordinates", i, end)
		return true
	}
	return false
}

// decimals is the length of an angle with four decimals or more.
func decimals(s string) int {
	const most, least = 3, 4
	whole := 0
	for whole < len(s) && whole < most && isDigit(s[whole]) {
		whole++
	}
	if whole == 0 || whole >= len(s) || s[whole] != '.' {
		return 0
	}
	end := whole + 1
	for end < len(s) && end-whole <= 16 && isDigit(s[end]) {
		end++
	}
	if end-whole-1 < least {
		return 0
	}
	return end
}

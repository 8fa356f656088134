package personal

import (
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"interai/antiabuse/finding"
)

// Bounds of phone numbers (E.164 has at most 15 digits).
const (
	minPhoneDigits, maxPhoneDigits = 7, 15
	// nearPhone is how far before a number in its national form a word for phones may stand.
	nearPhone = 48
	// maxPhoneGroups bounds the groups of a number.
	maxPhoneGroups = 9
)

// anywhere are the regions that a number in its national form is tried in when no word says where it is at home.
const anywhere = "US GB DE FR IN ES IT BR NL PL AU CA"

// phoneEnd is where a phone number may end, and how many digits it has until there.
type phoneEnd struct{ end, digits int }

// dialled reads the digits of a phone number at i with all that is written between them.
func (s *scan) dialled(i int) (digits string, ends []phoneEnd) {
	var out [maxPhoneDigits]byte
	n, at := 0, i
	for range maxPhoneGroups {
		start := at
		for at < len(s.text) && isDigit(s.text[at]) {
			if n == maxPhoneDigits {
				return string(out[:n]), ends
			}
			out[n] = s.text[at]
			n, at = n+1, at+1
		}
		if at == start {
			break
		}
		if !isAlnum(s.behind(at)) || strings.HasPrefix(s.text[at:], "ext") || strings.HasPrefix(s.text[at:], "x") {
			ends = append(ends, phoneEnd{at, n})
		}
		at = s.gap(at)
	}
	s.b.Work += at - i
	return string(out[:n]), ends
}

// gap is where the digits go on after what separates two groups of a phone number. A trunk zero in brackets is not
// dialled from abroad.
func (s *scan) gap(i int) int {
	const widest = 3
	if strings.HasPrefix(s.text[i:], "(0)") || strings.HasPrefix(s.text[i:], " (0)") || strings.HasPrefix(s.text[i:], "-(0)") {
		i += strings.IndexByte(s.text[i:], ')') + 1
	}
	for range widest {
		size, _ := separator(s.text, i)
		if size == 0 && i < len(s.text) && (s.text[i] == '(' || s.text[i] == ')') {
			size = 1
		}
		i += size
	}
	return i
}

// international reports whether a number with its country's code begins at i.
func (s *scan) international(i int) bool {
	start, prefix := i, 0
	before := strings.TrimSuffix(s.text[max(0, i-8):i], "(")
	switch {
	case strings.HasSuffix(before, "+") && !isAlnum(s.before(i-len("+"))) && !strings.HasSuffix(before, "++"):
		start = i - (len(s.text[max(0, i-8):i]) - len(before)) - len("+")
	case strings.HasSuffix(before, "＋"):
		start = i - len("＋")
	case strings.HasPrefix(s.text[i:], "00") && s.begins(i) && i-s.last[phoneWord] <= nearPhone:
		prefix = len("00")
	case strings.HasSuffix(strings.ToLower(before), "wa.me/"):
	default:
		return false
	}
	digits, ends := s.dialled(i)
	for _, last := range slices.Backward(ends) {
		if n := last.digits - prefix; n < minPhoneDigits || !s.pay(last.end-i) {
			continue
		}
		number, err := phonenumbers.Parse("+"+digits[prefix:last.digits], "")
		if err != nil || !phonenumbers.IsValidNumber(number) && !s.isWritten(number, i, start, last.end) {
			continue
		}
		s.until = last.end
		s.phone(number, start, last.end)
		return true
	}
	return false
}

// isWritten reports whether a number of a possible length that no plan of numbers has (they change faster than their
// tables) is written as people write numbers, or announced by a word.
func (s *scan) isWritten(number *phonenumbers.PhoneNumber, digits, start, end int) bool {
	if number.GetCountryCode() == 1 || !phonenumbers.IsPossibleNumber(number) {
		return false
	}
	first := strings.IndexFunc(s.text[digits:end], func(r rune) bool { return r < '0' || r > '9' })
	return s.isPhone(start, end) || first > 0 && first <= 3 && end-digits >= 12
}

// national reports whether a number without its country's code begins at i: digits alone mean nothing, so a word for
// phones must stand right before it.
func (s *scan) national(i int) bool {
	start := i
	if s.before(i) == '(' {
		start--
	}
	if !s.begins(start) || s.inIdentifier(start) {
		return false
	}
	digits, ends := s.dialled(i)
	if len(ends) == 0 || isCalendarDate(s.text[i:]) || !s.isPhone(start, ends[len(ends)-1].end) {
		return false
	}
	regions := s.regions
	if regions == "" {
		regions = anywhere
	}
	for _, last := range slices.Backward(ends) {
		if last.digits <= minPhoneDigits || !s.ends(last.end) {
			continue
		}
		for region := range strings.FieldsSeq(regions) {
			if !s.pay(last.end - i) {
				return false
			}
			number, err := phonenumbers.Parse(digits[:last.digits], region)
			if err == nil && phonenumbers.IsValidNumberForRegion(number, region) {
				s.until = last.end
				s.phone(number, start, last.end)
				return true
			}
		}
	}
	return false
}

// inIdentifier reports whether a number is the rest of a name such as CVE-2024-3094 or OPS-2024-1187. A word for phones may
// stand there instead.
func (s *scan) inIdentifier(start int) bool {
	return start >= 2 && s.text[start-1] == '-' && isAlnum(s.text[start-2]) && s.last[phoneWord] != start-1
}

// isCalendarDate knows dates such as 2026-02-03.
func isCalendarDate(s string) bool {
	const length = 10
	if len(s) < length || s[4] != s[7] || isDigit(s[4]) || s[:2] != "19" && s[:2] != "20" {
		return false
	}
	for _, k := range []int{2, 3, 5, 6, 8, 9} {
		if !isDigit(s[k]) {
			return false
		}
	}
	return isDate(num(s[5:7]), num(s[8:10]))
}

// isPhone reports whether a word for phones stands on the same line right before a number or in the heading of its
// column, or right after a number that is set like one.
func (s *scan) isPhone(start, end int) bool {
	distance := start - s.last[phoneWord]
	if distance <= nearPhone {
		between := s.text[s.last[phoneWord]:start]
		if !strings.Contains(between, "\n") || strings.Trim(between, " \t\r\n:=>|-.*#") == "" {
			return true
		}
	}
	if distance <= nearInTable && s.inTable(start) {
		return true
	}
	const right = 18
	behind, _, _ := strings.Cut(s.text[end:min(len(s.text), end+right)], "\n")
	s.b.Work += right
	return (s.text[start] == '0' || s.text[start] == '(') && s.e.words.among(behind).has(phoneWord)
}

// pay pays for what is some times as expensive as other verifiers.
func (s *scan) pay(n int) bool {
	const times = 4
	for range times {
		if !s.b.Call(n / times) {
			return false
		}
	}
	return true
}

// phone reports a number that reaches somebody: not a service, and not one that is set apart for films and manuals.
func (s *scan) phone(number *phonenumbers.PhoneNumber, start, end int) {
	switch phonenumbers.GetNumberType(number) { //nolint:exhaustive // all others reach somebody
	case phonenumbers.TOLL_FREE, phonenumbers.PREMIUM_RATE, phonenumbers.SHARED_COST, phonenumbers.UAN, phonenumbers.VOICEMAIL:
		return
	}
	dialled := phonenumbers.Format(number, phonenumbers.E164)
	if isFictional(dialled) {
		return
	}
	if slices.Contains(s.own, dialled) {
		return
	}
	s.found(hit{Finding: finding.Finding{
		Rule: rulePhone, Kind: finding.Personal, Action: finding.Redact, Start: start, End: end,
		Replacement: "[phone]", Hint: "write [phone] instead of the number, or use a fictional one such as +1 202-555-0143",
	}, key: dialled})
}

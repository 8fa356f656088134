package personal

import (
	"slices"
	"strings"

	"interai/antiabuse/finding"
)

// Issuers of cards: the first digits from and to, and which lengths such a number may have.
var issuers = []struct {
	from, to int // the first six digits
	lengths  []int
}{
	{400000, 499999, []int{13, 16, 19}},
	{510000, 559999, []int{16}},
	{222100, 272099, []int{16}},
	{340000, 349999, []int{15}},
	{370000, 379999, []int{15}},
	{601100, 601199, []int{16, 19}},
	{644000, 659999, []int{16, 19}},
	{300000, 305999, []int{14, 16}},
	{309500, 309599, []int{14, 16}},
	{360000, 369999, []int{14, 16}},
	{380000, 399999, []int{14, 16}},
	{352800, 358999, []int{16, 17, 18, 19}},
	{620000, 629999, []int{16, 17, 18, 19}},
	{810000, 817199, []int{16, 17, 18, 19}},
	{500000, 509999, []int{12, 13, 14, 15, 16, 17, 18, 19}},
	{560000, 589999, []int{12, 13, 14, 15, 16, 17, 18, 19}},
	{600000, 601099, []int{16}},
	{601200, 619999, []int{16}},
	{630000, 643999, []int{12, 13, 14, 15, 16, 17, 18, 19}},
	{660000, 699999, []int{16, 17, 18, 19}},
	{220000, 220499, []int{16, 17, 18, 19}},
	{979200, 979299, []int{16}},
}

// testCards are numbers that payment providers publish for tests and that do not look like it.
var testCards = []string{
	"4012888888881881", "4222222222222", "4000056655665556", "6555900000604105", "5454545454545454", "4444333322221111", "4917484589897107", "374245455400126", "5610591081018250", "5425233430109903", "2222420000001113", "5105105105105100", "5200828282828210", "2223003122003222", "2223016768739313",
	"6011981111111113", "6011111111111117", "30569309025904", "38520000023237", "36227206271667", "3530111333300000", "3566002020360505", "6062826786276634",
	"4917610000000000", "4917300800000000", "4462030000000000", "5019717010103742", "6331101999990016", "4263982640269299", "4263970000005262", "5425230000004415",
	"2223000048410010", "2223520443560010", "4007702835532454", "6304000000000000", "6250947000000014", "6200000000000005", "371449635398431", "378282246310005", "378734493671000",
	"4005519200000004", "4009348888881881", "4012000033330026", "4012000077777777", "4500600000000061", "6011000990139424", "4166676667666746", "4646464646464644",
	"5136333333333335", "5585558555855583", "4988438843884305", "4988080000000000", "5555341244441115", "5577000055770004", "370000000000002", "4571000000000001",
	"6759649826438453", "5641821111166669", "4508750015741019", "5031755734530604", "4009340000000000", "4035501000000008", "4360000001000005", "4871049999999910",
}

// isTestCard knows numbers that nobody pays with: the published ones, and those made of few digits or mostly of zeros.
func isTestCard(digits string) bool {
	return distinct(digits) <= 3 || strings.Count(digits, "0") >= 7 || slices.Contains(testCards, digits)
}

func isIssued(digits string) bool {
	first := num(digits[:6])
	for _, issuer := range issuers {
		if first >= issuer.from && first <= issuer.to && slices.Contains(issuer.lengths, len(digits)) {
			return true
		}
	}
	return false
}

// maxExpiryBytes is how far behind a card its month and year are looked for.
const maxExpiryBytes = 12

// hasExpiry reports whether a text begins with the month and year until which a card is valid, as in 4…|09|2028 and on the
// second track of a magnetic stripe, 4…=2809.
func hasExpiry(s string) bool {
	marks := len(s) - len(strings.TrimLeft(s, " |/:;,=\t"))
	rest := s[marks:]
	if marks == 0 || len(rest) < 4 || !isDigit(rest[0]) || !isDigit(rest[1]) {
		return false
	}
	if s[0] == '=' {
		return isDigit(rest[2]) && isDigit(rest[3]) && num(rest[:2]) >= 20 && isDate(num(rest[2:4]), 1)
	}
	year := strings.TrimLeft(rest[2:], " |/:;,-\t")
	if len(year) == len(rest)-2 || !isDate(num(rest[:2]), 1) {
		return false
	}
	year = strings.TrimPrefix(year, "20")
	return len(year) >= 2 && year[0] >= '2' && year[0] <= '4' && isDigit(year[1]) && (len(year) == 2 || !isDigit(year[2]))
}

// card reports whether a number is that of a payment card. One in ten random numbers has a right check digit: without a
// word of cards near it, only one in the groups of cards is worth a look.
func (s *scan) card(r *run, start, end int) bool {
	if digits := r.digits[:r.n]; digits[0] < '2' || digits[0] == '7' {
		return false
	}
	digits := r.text()
	if !luhn(digits) || !isIssued(digits) || isTestCard(digits) {
		return false
	}
	if s.says(set(cardWord), start, end) || hasExpiry(s.text[end:min(len(s.text), end+maxExpiryBytes)]) {
		s.reject("payment_card", start, end, "leave the card number out; for tests use a published test number such as 4242 4242 4242 4242")
		return true
	}
	switch r.form() {
	case "9999 9999 9999 9999", "9999-9999-9999-9999", "9999.9999.9999.9999", "9999 999999 99999", "9999-999999-99999":
		s.found(hit{Finding: finding.Finding{Rule: "card_like_number", Kind: finding.Personal, Action: finding.Flag, Start: start, End: end}})
		return true
	}
	return false
}

package personal

import "strings"

// accounts is the form of the account number behind country and check digits, of the SWIFT IBAN registry: how many of
// digits (n), capital letters (a) or both (c).
var accounts = map[string]string{
	"AD": "n8c12", "AE": "n19", "AL": "n8c16", "AT": "n16", "AZ": "a4c20", "BA": "n16", "BE": "n12", "BG": "a4n6c8", "BH": "a4c14", "BI": "n23", "BR": "n23a1c1",
	"BY": "c4n4c16", "CH": "n5c12", "CR": "n18", "CY": "n8c16", "CZ": "n20", "DE": "n18", "DJ": "n23", "DK": "n14", "DO": "c4n20", "EE": "n16", "EG": "n25",
	"ES": "n20", "FI": "n14", "FK": "a2n12", "FO": "n14", "FR": "n10c11n2", "GB": "a4n14", "GE": "a2n16", "GI": "a4c15", "GL": "n14", "GR": "n7c16", "GT": "c24",
	"HN": "a4n20", "HR": "n17", "HU": "n24", "IE": "a4n14", "IL": "n19", "IQ": "a4n15", "IS": "n22", "IT": "a1n10c12", "JO": "a4n4c18", "KW": "a4c22",
	"KZ": "n3c13", "LB": "n4c20", "LC": "a4c24", "LI": "n5c12", "LT": "n16", "LU": "n3c13", "LV": "a4c13", "LY": "n21", "MC": "n10c11n2", "MD": "c20",
	"ME": "n18", "MK": "n3c10n2", "MN": "n16", "MR": "n23", "MT": "a4n5c18", "MU": "a4n19a3", "NI": "a4n20", "NL": "a4n10", "NO": "n11", "OM": "n3c16",
	"PK": "a4c16", "PL": "n24", "PS": "a4c21", "PT": "n21", "QA": "a4c21", "RO": "a4c16", "RS": "n18", "RU": "n14c15", "SA": "n2c18", "SC": "a4n20a3",
	"SD": "n14", "SE": "n20", "SI": "n15", "SK": "n20", "SM": "a1n10c12", "SO": "n19", "ST": "n21", "SV": "a4n20", "TL": "n19", "TN": "n20", "TR": "n6c16",
	"UA": "n6c19", "VA": "n18", "VG": "a4n16", "XK": "n16", "YE": "a4n4c18",
}

// sampleIBANs are those of the registry and of much documentation.
var sampleIBANs = " GB82WEST12345698765432 DE89370400440532013000 FR1420041010050500013M02606 NL91ABNA0417164300 ES9121000418450200051332 IT60X0542811101000000123456 " +
	"CH9300762011623852957 BE68539007547034 AT611904300234573201 GB29NWBK60161331926819 PL61109010140000071219812874 SE4550000000058398257466 NO9386011117947 " +
	"DK5000400440116243 FI2112345600000785 IE29AIBK93115212345678 PT50000201231234567890154 LU280019400644750000 GR1601101250000000012300695 CZ6508000000192000145399 " +
	"HU42117730161111101800000000 TR330006100519786457841326 SA0380000000608010167519 AE070331234567890123456 BR1800360305000010009795493C1 IL620108000000099999999 " +
	"RO49AAAA1B31007593840000 SK3112000000198742637541 SI56263300012039086 HR1210010051863000160 BG80BNBG96611020345678 EE382200221020145685 LT121000011101001000 " +
	"LV80BANK0000435195001 MT84MALT011000012345MTLCAST001S CY17002001280000001200527600 IS140159260076545510730339 LI21088100002324013AA MC5811222000010123456789030 " +
	"SM86U0322509800000000270100 UA213223130000026007233566001 KZ86125KZT5004100100 DE02120300000000202051 DE12500105170648489890 DE91100000000123456789 GB33BUKB20201555555555 " +
	"DE75512108001245126199 NL02ABNA0123456789 FR7630006000011234567890189 NL20INGB0001234567 GB94BARC10201530093459 ES7921000813610123456789 CH5604835012345678009 "

// maxIBAN is the longest account number of all.
const maxIBAN = 34

// iban reports whether an account number begins at start with two letters, and ends the number if it does.
func (s *scan) iban(start int) bool {
	country := strings.ToUpper(s.text[start : start+2])
	form, known := accounts[country]
	if !known {
		return false
	}
	length := 4
	for part := range parts(form) {
		length += part.n
	}
	var compact [maxIBAN]byte
	n, end := 0, start
	for n < length && end < len(s.text) && end-start <= maxNumberBytes {
		c := s.text[end]
		if isAlnum(c) {
			compact[n] = c &^ 0x20
			if isDigit(c) {
				compact[n] = c
			}
			n, end = n+1, end+1
			continue
		}
		size, _ := separator(s.text, end)
		if size == 0 {
			break
		}
		end += size
	}
	s.b.Work += end - start
	number := string(compact[:n])
	if n != length || isAlnum(s.behind(end)) || !fits(number[4:], form) || !isDigit(number[2]) || !isDigit(number[3]) || mod97(number[4:]+number[:4]) != 1 {
		return false
	}
	s.until = end
	if !strings.Contains(sampleIBANs, " "+number+" ") && strings.Count(number, "0") < length-8 {
		s.reject("iban", start, end, "leave the account number out; for tests use a documented sample such as GB82 WEST 1234 5698 7654 32")
	}
	return true
}

// part is a stretch of one kind of characters.
type part struct {
	kind byte
	n    int
}

func parts(form string) func(yield func(part) bool) {
	return func(yield func(part) bool) {
		for form != "" {
			p := part{kind: form[0]}
			for form = form[1:]; form != "" && isDigit(form[0]); form = form[1:] {
				p.n = p.n*10 + int(form[0]-'0')
			}
			if !yield(p) {
				return
			}
		}
	}
}

// fits reports whether an account number has the form of its country.
func fits(account, form string) bool {
	for p := range parts(form) {
		for range p.n {
			c := account[0]
			if p.kind == 'n' && !isDigit(c) || p.kind == 'a' && isDigit(c) {
				return false
			}
			account = account[1:]
		}
	}
	return account == ""
}

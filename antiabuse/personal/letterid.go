package personal

import "strings"

// letterID is an identity number with letters in it.
type letterID struct {
	rule string
	of   string
	// shape has 9 for a digit, A for a letter, X for either; all else stands for itself.
	shape string
	valid func(id string) bool
	words classes
}

var letterIDs = []letterID{
	{"uk_nino", "United Kingdom national insurance number", "AA999999A", validNINO, set(ninoWord)},
	{"es_dni", "Spanish DNI", "99999999A", func(id string) bool {
		return dniLetter(num(id[:8])) == id[8] && distinct(id[:8]) > 1 && id != "12345678Z"
	}, set(dniWord)},
	{"es_nie", "Spanish NIE", "A9999999A", validNIE, set(dniWord)},
	{"it_codice_fiscale", "Italian codice fiscale", "AAAAAAXXAXXAXXXA", validCodiceFiscale, 0},
	{"in_pan", "Indian permanent account number", "AAAAA9999A", func(id string) bool { return strings.IndexByte("ABCFGHLJPT", id[3]) >= 0 && id != "ABCPE1234F" }, set(panWord)},
	{"sg_nric", "Singaporean NRIC or FIN", "A9999999A", validNRIC, set(nricWord)},
	{"ie_pps", "Irish PPS number", "9999999A", validPPS, set(ppsWord)},
	{"ie_pps", "Irish PPS number", "9999999AA", validPPS, set(ppsWord)},
	{"mx_curp", "Mexican CURP", "AAAA999999AAAAAAX9", validCURP, 0},
	{"hk_id", "Hong Kong identity card number", "A999999X", validHKID, set(hkidWord)},
	{"tw_id", "Taiwanese identity number", "A999999999", validTaiwan, set(taiwanWord, nationalWord)},
	{"cn_resident_id", "Chinese resident identity number", "99999999999999999A", validChineseID, 0},
	{"fr_nir", "French NIR", "999999A99999999", validCorsican, set(nirWord)},
}

// token looks at a word of letters and digits whose first digit stands at i.
func (s *scan) token(i int) {
	const longest = 20
	start := i
	for start > 0 && kinds[s.text[start-1]] == letter && i-start < longest {
		start--
	}
	if start > 0 {
		start += lineEnd(s.text[start-1:])
	}
	if !s.begins(start) || i-start > 6 {
		return
	}
	if i-start == 2 && s.iban(start) {
		return
	}
	s.compact(start)
}

// mixed looks at an identity number with letters that begins with digits, or with letters apart from its digits.
func (s *scan) mixed(i int) {
	if s.hetu(i) {
		return
	}
	start := i
	if i > 2 && s.text[i-1] == ' ' && isUpper(s.text[i-2]) && isUpper(s.text[i-3]) && s.begins(i-3) {
		if s.iban(i - 3) {
			return
		}
		start = i - 3 // AB 12 34 56 C
	}
	s.compact(start)
}

// compact reads letters and digits from start, with single separators between them, and tries what has so many.
func (s *scan) compact(start int) {
	const longest = 18
	var buffer [longest]byte
	n, letters := 0, 0
	for end := start; end < len(s.text) && n < longest; {
		c := s.text[end]
		if !isAlnum(c) {
			size, kind := separator(s.text, end)
			if size == 0 && c == '(' && n >= 7 { // A123456(7)
				size = 1
			}
			if size == 0 || kind == '/' || n == 0 {
				return
			}
			if end += size; end >= len(s.text) || !isAlnum(s.text[end]) {
				return
			}
			continue
		}
		buffer[n] = c
		if kinds[c] == letter {
			buffer[n] &^= 0x20
			letters++
		}
		n, end = n+1, end+1
		s.b.Work++
		if n >= 8 && letters > 0 && s.ends(end) && s.letterID(string(buffer[:n]), start, end) {
			s.until = end
			return
		}
	}
}

func (s *scan) letterID(id string, start, end int) bool {
	for k := range letterIDs {
		kind := &letterIDs[k]
		if len(kind.shape) != len(id) || !shaped(id, kind.shape) || !kind.valid(id) {
			continue
		}
		if kind.words != 0 && !s.says(kind.words, start, end) {
			continue
		}
		s.reject(kind.rule, start, end, "leave the identity number out; where a value is needed, use a documented sample")
		return true
	}
	return false
}

func shaped(id, shape string) bool {
	for i := range len(shape) {
		if shape[i] == '9' && !isDigit(id[i]) || shape[i] == 'A' && isDigit(id[i]) {
			return false
		}
	}
	return true
}

// validNINO: some letters and pairs are never given out.
func validNINO(id string) bool {
	if strings.IndexByte("DFIQUV", id[0]) >= 0 || strings.IndexByte("DFIOQUV", id[1]) >= 0 || id[8] > 'D' {
		return false
	}
	switch id[:2] {
	case "BG", "GB", "KN", "NK", "NT", "TN", "ZZ":
		return false
	}
	return id[2:8] != "123456"
}

func dniLetter(n int) byte { return "TRWAGMYFPDXBNJZSQVHLCKE"[n%23] }

func validNIE(id string) bool {
	first := strings.IndexByte("XYZ", id[0])
	return first >= 0 && dniLetter(first*10_000_000+num(id[1:8])) == id[8] && distinct(id[1:8]) > 1 && id != "X1234567L"
}

// validCodiceFiscale: digits may be written as letters where two persons would have the same.
func validCodiceFiscale(id string) bool {
	const months, digitsAsLetters = "ABCDEHLMPRST", "LMNPQRSTUV"
	for _, i := range []int{6, 7, 9, 10, 12, 13, 14} {
		if !isDigit(id[i]) && strings.IndexByte(digitsAsLetters, id[i]) < 0 {
			return false
		}
	}
	if strings.IndexByte(months, id[8]) < 0 || id == "RSSMRA85T10A562S" || id == "RSSMRA80A01H501U" {
		return false
	}
	odd := [26]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i := range 15 {
		value := int(id[i] - 'A')
		if isDigit(id[i]) {
			value = int(id[i] - '0')
		}
		if i%2 == 0 {
			value = odd[value]
		}
		sum += value
	}
	return byte('A'+sum%26) == id[15]
}

func validNRIC(id string) bool {
	sum := weighted(id[1:8], 2, 7, 6, 5, 4, 3, 2)
	switch id[0] {
	case 'S':
		return "JZIHGFEDCBA"[sum%11] == id[8] && id != "S1234567D"
	case 'T':
		return "JZIHGFEDCBA"[(sum+4)%11] == id[8]
	case 'F':
		return "XWUTRQPNMLK"[sum%11] == id[8]
	case 'G':
		return "XWUTRQPNMLK"[(sum+4)%11] == id[8]
	case 'M':
		return "XWUTRQPNJLK"[(sum+3)%11] == id[8]
	}
	return false
}

func validPPS(id string) bool {
	sum := weighted(id, 8, 7, 6, 5, 4, 3, 2)
	if len(id) == 9 && id[8] != 'W' {
		sum += 9 * int(id[8]-'A'+1)
	}
	return "WABCDEFGHIJKLMNOPQRSTUV"[sum%23] == id[7] && id[:7] != "1234567"
}

func validCURP(id string) bool {
	const order = "0123456789ABCDEFGHIJKLMN.OPQRSTUVWXYZ" // the dot stands for Ñ
	sum := 0
	for i := range 17 {
		sum += strings.IndexByte(order, id[i]) * (18 - i)
	}
	return isDate(num(id[6:8]), num(id[8:10])) && strings.IndexByte("HMX", id[10]) >= 0 && (10-sum%10)%10 == int(id[17]-'0')
}

func validHKID(id string) bool {
	sum := 9*36 + 8*(int(id[0]-'A')+10) + weighted(id[1:7], 7, 6, 5, 4, 3, 2)
	check := (11 - sum%11) % 11
	return id[7] == "0123456789A"[check] && id[1:7] != "123456"
}

func validTaiwan(id string) bool {
	first := strings.IndexByte("ABCDEFGHJKLMNPQRSTUVXYWZIO", id[0]) + 10
	sum := first/10 + first%10*9 + weighted(id[1:], 8, 7, 6, 5, 4, 3, 2, 1, 1)
	return (id[1] == '1' || id[1] == '2') && sum%10 == 0 && id != "A123456789"
}

// validCorsican is the French number of somebody born in 2A or 2B, which count as 19 and 18.
func validCorsican(id string) bool {
	place := map[string]string{"2A": "19", "2B": "18"}[id[5:7]]
	return place != "" && validNIR(id[:5]+place+id[7:])
}

// hetu reports whether a Finnish personal identity code begins at i: 131052-308T.
func (s *scan) hetu(i int) bool {
	const length = 11
	if i+length > len(s.text) || !s.ends(i+length) {
		return false
	}
	id := strings.ToUpper(s.text[i : i+length])
	if len(id) != length || strings.IndexByte("+-ABCDEFYXWVU", id[6]) < 0 {
		return false
	}
	for _, k := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9} {
		if !isDigit(id[k]) {
			return false
		}
	}
	if !isDate(num(id[2:4]), num(id[:2])) || "0123456789ABCDEFHJKLMNPRSTUVWXY"[num(id[:6]+id[7:10])%31] != id[10] || id == "131052-308T" {
		return false
	}
	if !s.says(set(hetuWord, nationalWord), i, i+length) {
		return false
	}
	s.until = i + length
	s.reject("fi_hetu", i, i+length, "leave the identity number out; where a value is needed, use a documented sample")
	return true
}

package personal

import "strings"

// digitID is an identity number of digits only.
type digitID struct {
	rule   string
	of     string
	length int
	// shapes have a 9 for each digit and the separators that must be there; none stands for any grouping.
	shapes []string
	valid  func(digits string) bool
	words  classes
}

// digitIDs are checked for their digits first and then for a word that says what they are.
var digitIDs = []digitID{
	{"us_ssn", "United States social security number", 9, []string{"999-99-9999", "999 99 9999", "999.99.9999", "999999999"}, validSSN, set(ssnWord)},
	{"uk_nhs", "United Kingdom NHS number", 10, nil, validNHS, set(nhsWord)},
	{"fr_nir", "French NIR", 15, nil, validNIR, set(nirWord)},
	{"de_steuer_id", "German tax identification number", 11, nil, validSteuerID, set(steuerWord)},
	{"pl_pesel", "Polish PESEL", 11, nil, validPESEL, set(peselWord)},
	{"tr_tckn", "Turkish identification number", 11, nil, validTCKN, set(tcknWord)},
	{"br_cpf", "Brazilian CPF", 11, nil, validCPF, set(cpfWord)},
	{"in_aadhaar", "Indian Aadhaar", 12, nil, validAadhaar, set(aadhaarWord)},
	{"kr_rrn", "Korean resident registration number", 13, []string{"999999-9999999", "9999999999999"}, validRRN, set(rrnWord)},
	{"cn_resident_id", "Chinese resident identity number", 18, []string{"999999999999999999"}, validChineseID, 0},
	{"se_personnummer", "Swedish personnummer", 10, []string{"999999-9999", "9999999999"}, validPersonnummer, set(personnummerWord, nationalWord)},
	{"se_personnummer", "Swedish personnummer", 12, []string{"99999999-9999", "999999999999"}, func(d string) bool { return validPersonnummer(d[2:]) }, set(personnummerWord, nationalWord)},
	{"nl_bsn", "Dutch BSN", 9, nil, validBSN, set(bsnWord)},
	{"ca_sin", "Canadian social insurance number", 9, nil, validSIN, set(sinWord)},
	{"ch_ahv", "Swiss AHV number", 13, nil, validAHV, 0},
	{"be_rijksregister", "Belgian national register number", 11, nil, validBelgian, set(belgianWord)},
	{"dk_cpr", "Danish CPR number", 10, nil, func(d string) bool { return isDate(num(d[2:4]), num(d[:2])) }, set(cprWord)},
	{"no_fodselsnummer", "Norwegian fødselsnummer", 11, nil, validNorwegian, set(norwegianWord)},
	{"pt_nif", "Portuguese NIF", 9, nil, validPortuguese, set(portugueseWord)},
	{"za_id", "South African identity number", 13, nil, func(d string) bool { return isDate(num(d[2:4]), num(d[4:6])) && d[10] <= '1' && luhn(d) }, set(southAfricanWord, nationalWord)},
	{"jp_my_number", "Japanese My Number", 12, nil, validMyNumber, set(myNumberWord)},
	{"ro_cnp", "Romanian CNP", 13, nil, validCNP, set(cnpWord)},
	{"cz_rodne_cislo", "Czech or Slovak birth number", 10, nil, validRodne, set(rodneWord)},
	{"bg_egn", "Bulgarian EGN", 10, nil, validEGN, set(egnWord)},
	{"ru_snils", "Russian SNILS", 11, nil, validSNILS, set(snilsWord)},
	{"au_tfn", "Australian tax file number", 9, nil, func(d string) bool { return weighted(d, 1, 4, 3, 7, 5, 8, 6, 9, 10)%11 == 0 }, set(tfnWord)},
	{"il_teudat_zehut", "Israeli identity number", 9, nil, luhn, set(israeliWord)},
	{"gr_amka", "Greek AMKA", 11, nil, func(d string) bool { return isDate(num(d[2:4]), num(d[:2])) && luhn(d) }, set(amkaWord)},
}

// sampleIDs are numbers that are right and nobody's: those of documentation.
var sampleIDs = map[string]bool{
	"9434765919": true, "4505577104": true, "44051401359": true, "111222333": true, "269054958815780": true, "10000000146": true, "86095742719": true, "11144477735": true,
	"8112289874": true, "198112289874": true, "1212121212": true, "191212121212": true, "85073003328": true, "8001015009087": true,
}

// validSSN: the area is not 000, 666 or from 900, and the number is none of those that were published.
func validSSN(d string) bool {
	area := num(d[:3])
	if area == 0 || area == 666 || area >= 900 || d[3:5] == "00" || d[5:] == "0000" {
		return false
	}
	switch d {
	case "123456789", "078051120", "219099999", "457555462", "123121234", "111111111", "222222222", "333333333", "111223333":
		return false
	}
	return distinct(d) > 1
}

func validNHS(d string) bool {
	check := 11 - weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11
	return check%11 == last(d) && check != 10 && distinct(d) > 1
}

// validNIR: sex, year, month, place and order, and 97 minus their remainder.
func validNIR(d string) bool {
	month := num(d[3:5])
	return (d[0] == '1' || d[0] == '2') && (month <= 12 || month >= 20 && month <= 42) && month > 0 && 97-remainder(d[:13], 97) == num(d[13:])
}

// validSteuerID: one digit of the first ten stands two or three times, and the check digit is right.
func validSteuerID(d string) bool {
	return d[0] != '0' && (distinct(d[:10]) == 9 || distinct(d[:10]) == 8) && iso11x10(d)
}

func validPESEL(d string) bool {
	return isDate(num(d[2:4])%20, num(d[4:6])) && (10-weighted(d, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == last(d)
}

func validTCKN(d string) bool {
	odd, even := weighted(d, 1, 0, 1, 0, 1, 0, 1, 0, 1), weighted(d, 0, 1, 0, 1, 0, 1, 0, 1, 0)
	tenth := ((odd*7-even)%10 + 10) % 10
	return d[0] != '0' && int(d[9]-'0') == tenth && (odd+even+tenth)%10 == last(d)
}

func validCPF(d string) bool {
	first := weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	second := weighted(d, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	return distinct(d) > 1 && d != "12345678909" && int(d[9]-'0') == first && last(d) == second
}

func validAadhaar(d string) bool { return d[0] >= '2' && distinct(d) > 1 && verhoeff(d) }

// validRRN has no check digit for those who were registered since October 2020.
func validRRN(d string) bool {
	return isDate(num(d[2:4]), num(d[4:6])) && d[6] >= '1' && d[6] <= '8' && distinct(d[7:]) > 1
}

// validChineseID checks 17 digits and the check sign, which may be X (GB 11643).
func validChineseID(d string) bool {
	year := num(d[6:10])
	if d[0] == '0' || year < 1900 || year > 2099 || !isDate(num(d[10:12]), num(d[12:14])) {
		return false
	}
	sum := weighted(d, 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
	return "10X98765432"[sum%11] == d[17]
}

func validPersonnummer(d string) bool {
	day := num(d[4:6])
	return (isDate(num(d[2:4]), day) || isDate(num(d[2:4]), day-60)) && luhn(d)
}

func validBSN(d string) bool {
	return distinct(d) > 2 && d != "123456782" && (weighted(d, 9, 8, 7, 6, 5, 4, 3, 2)-last(d))%11 == 0
}

func validSIN(d string) bool { return d[0] != '0' && d[0] != '8' && distinct(d) > 1 && luhn(d) }

// validAHV is an EAN-13 of Switzerland; 756.9217.0769.85 is the sample of its documentation.
func validAHV(d string) bool {
	sum := weighted(d, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3)
	return strings.HasPrefix(d, "756") && (10-sum%10)%10 == last(d) && d != "7569217076985" && d != "7561234567897"
}

func validBelgian(d string) bool {
	check := num(d[9:])
	return num(d[2:4]) <= 12 && num(d[4:6]) <= 31 && (97-remainder(d[:9], 97) == check || 97-remainder("2"+d[:9], 97) == check)
}

func validNorwegian(d string) bool {
	first := (11 - weighted(d, 3, 7, 6, 1, 8, 9, 4, 5, 2)%11) % 11
	second := (11 - weighted(d, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11) % 11
	return int(d[9]-'0') == first && last(d) == second
}

func validPortuguese(d string) bool {
	check := 11 - weighted(d, 9, 8, 7, 6, 5, 4, 3, 2)%11
	if check >= 10 {
		check = 0
	}
	return strings.IndexByte("123", d[0]) >= 0 && check == last(d) && d != "123456789"
}

func validMyNumber(d string) bool {
	r := weighted(d, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11
	check := 11 - r
	if r <= 1 {
		check = 0
	}
	return check == last(d) && distinct(d) > 1
}

func validCNP(d string) bool {
	check := weighted(d, 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9) % 11
	if check == 10 {
		check = 1
	}
	return d[0] != '0' && isDate(num(d[3:5]), num(d[5:7])) && check == last(d)
}

func validRodne(d string) bool {
	month := num(d[2:4])
	for _, shift := range []int{50, 20} {
		if month > shift {
			month -= shift
		}
	}
	return isDate(month, num(d[4:6])) && (remainder(d, 11) == 0 || remainder(d[:9], 11) == 10 && last(d) == 0)
}

func validEGN(d string) bool {
	month := num(d[2:4])
	return isDate(month%20, num(d[4:6])) && month <= 52 && weighted(d, 2, 4, 8, 5, 10, 9, 7, 3, 6)%11%10 == last(d)
}

func validSNILS(d string) bool {
	return weighted(d, 9, 8, 7, 6, 5, 4, 3, 2, 1)%101%100 == num(d[9:]) && distinct(d) > 1
}

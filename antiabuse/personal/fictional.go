package personal

import "strings"

// fictional are the beginnings of numbers that regulators set apart for films, books and manuals, in E.164: Ofcom (numbers
// for use in drama), BNetzA (Mitteilung 148/2021), ARCEP (décision 2018-0881, art. 2.5.12), ACMA, PTS and ComReg.
var fictional = []string{
	"+441632960", "+441134960", "+441144960", "+441154960", "+441164960", "+441174960", "+441184960", "+441214960", "+441314960", "+441414960", "+441514960", "+441614960",
	"+442079460", "+441914980", "+4428964960", "+4429201800", "+447700900", "+448081570", "+449098790", "+443069990",
	"+493023125", "+496990009", "+494066969", "+492214710", "+498999998", "+4915228817386", "+4915228895456", "+4915254599371", "+4917139200", "+491729925904", "+491729968532",
	"+491729973185", "+491729973186", "+491729980752", "+491749091317", "+491749464308", "+4917604069",
	"+3319900", "+3326191", "+3335301", "+3346571", "+3353649", "+3363998",
	"+6125550", "+6135550", "+6175550", "+6185550", "+6127010", "+6137010", "+6177010", "+6187010", "+61491570", "+61491571", "+611800975", "+61180016040",
	"+463139006", "+464062804", "+468465004", "+46980319", "+46701740605", "+4670174060", "+4670174061", "+35320911", "+35320912", "+35320913", "+35320914", "+35320915",
}

// inARow is what the digits of an invented number are a part of.
const inARow = "01234567890123456789"

// isFictional knows numbers that reach nobody: the ones above, 555-0100 to 555-0199 in North America, and digits in a row.
func isFictional(dialled string) bool {
	if digits, ok := strings.CutPrefix(dialled, "+1"); ok && len(digits) == 10 {
		if digits[:3] == "555" || digits[3:6] == "555" && digits[6:8] == "01" || digits[3:] == "5551234" || digits[3:] == "5551212" || digits[3:] == "4567890" {
			return true
		}
	}
	for _, beginning := range fictional {
		if strings.HasPrefix(dialled, beginning) {
			return true
		}
	}
	tail := dialled[max(1, len(dialled)-8):]
	return distinct(tail) <= 1 || strings.Contains(inARow, tail) || strings.HasSuffix(dialled, "1234567") || strings.HasSuffix(dialled, "12345678")
}

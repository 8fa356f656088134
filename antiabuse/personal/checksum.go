package personal

import "strings"

// luhn checks a number by the sum that payment cards and many identity numbers use (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// weighted is the sum of the first digits, each times its weight.
func weighted(digits string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += w * int(digits[i]-'0')
	}
	return sum
}

// last is the last digit as a number.
func last(digits string) int { return int(digits[len(digits)-1] - '0') }

// remainder is a number modulo a small one.
func remainder(digits string, modulus int) int {
	r := 0
	for i := range len(digits) {
		r = (r*10 + int(digits[i]-'0')) % modulus
	}
	return r
}

// mod97 is the remainder of IBANs: letters count as two digits from A = 10 (ISO 7064).
func mod97(s string) int {
	r := 0
	for i := range len(s) {
		if c := s[i]; isDigit(c) {
			r = (r*10 + int(c-'0')) % 97
		} else {
			r = (r*100 + int(c-'A') + 10) % 97
		}
	}
	return r
}

// iso11x10 checks a number by ISO 7064 MOD 11,10.
func iso11x10(digits string) bool {
	p := 10
	for i := range len(digits) - 1 {
		s := (int(digits[i]-'0') + p) % 10
		if s == 0 {
			s = 10
		}
		p = s * 2 % 11
	}
	return (11-p)%10 == last(digits)
}

// verhoeff checks a number by the dihedral group of order ten.
func verhoeff(digits string) bool {
	c := 0
	for i := range len(digits) {
		c = dihedral(c, permuted(i%8, int(digits[len(digits)-1-i]-'0')))
	}
	return c == 0
}

// dihedral multiplies in the group of order ten: turns are 0 to 4, flips 5 to 9.
func dihedral(a, b int) int {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return 5 + (a+b)%5
	case b < 5:
		return 5 + (a-b)%5
	default:
		return (a - b + 5) % 5
	}
}

// permuted applies Verhoeff's permutation n times.
func permuted(n, d int) int {
	for range n {
		d = int("1576283094"[d] - '0')
	}
	return d
}

// isDate reports whether a month and a day can be.
func isDate(month, day int) bool { return month >= 1 && month <= 12 && day >= 1 && day <= 31 }

// num reads a few digits.
func num(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// distinct is how many different digits a number has.
func distinct(digits string) int {
	n := 0
	for c := '0'; c <= '9'; c++ {
		if strings.ContainsRune(digits, c) {
			n++
		}
	}
	return n
}

package scanbench

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Span is a byte range of the expanded text that is sensitive.
type Span struct{ Start, End int }

type rng struct {
	seed [32]byte
	n    uint64
	buf  []byte
}

func newRNG(id string) *rng { return &rng{seed: sha256.Sum256([]byte("interai-corpus|" + id))} }
func (r *rng) byte() byte {
	if len(r.buf) == 0 {
		var b [40]byte
		copy(b[:], r.seed[:])
		binary.BigEndian.PutUint64(b[32:], r.n)
		r.n++
		s := sha256.Sum256(b[:])
		r.buf = s[:]
	}
	x := r.buf[0]
	r.buf = r.buf[1:]
	return x
}

func (r *rng) intn(n int) int { // unbiased enough for tests, n <= 65536
	for {
		v := int(r.byte())<<8 | int(r.byte())
		if v < 65536-65536%n {
			return v % n
		}
	}
}

func (r *rng) str(alpha string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alpha[r.intn(len(alpha))]
	}
	return string(b)
}
func pick[T any](r *rng, l []T) T { return l[r.intn(len(l))] }

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
)

var classes = map[string]string{
	"alnum": lower + upper + digits, "alpha": lower + upper, "lower": lower, "upper": upper, "digits": digits, "digits1": digits,
	"hex": digits + "abcdef", "HEX": digits + "ABCDEF", "b64": upper + lower + digits + "+/", "b64url": upper + lower + digits + "-_",
	"b32": upper + "234567", "UPNUM": digits + "ABCDEFGHJKMNPQRSTVWXYZ", "lowernum": lower + digits,
	"bech32": "qpzry9x8gf2tvdw0s3jn54khce6mua7l", "BECH32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "dj": lower + digits + "!@#$%^&*(-_=+)",
}

var (
	bip     = strings.Fields("abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert alien zone zoo zero youth young yellow year yard wrong wrist write wrestle wreck worth")
	firsts  = strings.Fields("Marta Jonas Priya Lucas Aiko Fatima Oskar Elena Tomas Ingrid Chidi Noor Mateo Yusuf Hanna Petra Dmitri Sofia Liang Amara Brigitte Kaspar Renata Wojtek")
	lasts   = strings.Fields("Lindqvist Okonkwo Brandauer Castellanos Venkataraman Moreau Hashimoto Kowalczyk Petrovic Haugland Delacroix Baumgartner Ferreira Yildirim Oyelaran Szymanski Rautio Vandenberg Achterberg Mbeki")
	fillers = []string{
		"The worker acquires an advisory lock before it drains the queue, which keeps two replicas from double-sending.",
		"We measured p99 latency with 32 concurrent clients and found that the pool size mattered more than the statement cache.",
		"When the upstream returns 429 the client must honour the Retry-After header and add full jitter to the delay.",
		"Migrations run inside a transaction with lock_timeout set, so a blocked DDL statement gives up instead of queueing behind readers.",
		"The key insight is that the access pattern is append-only, therefore a BRIN index is enough for the time range filter.",
		"An idempotency key is derived from the delivery id; the token bucket is refilled lazily on each request.",
		"Authentication failures are logged without the credential; only the key identifier and the reason are recorded.",
		"On ARM the container needs `--platform=linux/arm64`; otherwise emulation makes the build four times slower.",
		"See section 4.2 of the design note, version 1.18.3, released 2026-02-11, build 20260211.7 for the benchmark table.",
	}
)

func (r *rng) digitsN(n int) []int {
	d := make([]int, n)
	for i := range d {
		d[i] = r.intn(10)
	}
	return d
}

func ds(d []int) string {
	var b strings.Builder
	for _, x := range d {
		b.WriteByte(byte('0' + x))
	}
	return b.String()
}

func luhnCheck(p string) int {
	s := 0
	for i := len(p) - 1; i >= 0; i-- {
		d := int(p[i] - '0')
		if (len(p)-1-i)%2 == 0 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		s += d
	}
	return (10 - s%10) % 10
}

func base62crc(s string) string {
	const a = digits + upper + lower
	c := crc32.ChecksumIEEE([]byte(s))
	b := []byte("000000")
	for i := 5; i >= 0; i-- {
		b[i] = a[c%62]
		c /= 62
	}
	return string(b)
}

func ibanCheck(cc, bban string) string {
	t := bban + cc + "00"
	m := 0
	for _, c := range t {
		if c >= 'A' {
			m = (m*100 + int(c-'A') + 10) % 97
		} else {
			m = (m*10 + int(c-'0')) % 97
		}
	}
	return fmt.Sprintf("%02d", 98-m)
}

func group(s string, n int) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && i%n == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

type ex struct {
	r     *rng
	spans []Span
}

// Expand returns the expanded text and the sensitive spans.
func Expand(id, tpl string) (string, []Span, error) {
	e := &ex{r: newRNG(id)}
	var out strings.Builder
	open := -1
	err := e.walk(tpl, func(lit string) { out.WriteString(lit) }, func(m string) error {
		switch m {
		case "<":
			open = out.Len()
			return nil
		case ">":
			e.spans = append(e.spans, Span{open, out.Len()})
			return nil
		}
		s, err := e.macro(m)
		out.WriteString(s)
		return err
	})
	return out.String(), e.spans, err
}

func (e *ex) walk(t string, lit func(string), mac func(string) error) error {
	for {
		i := strings.Index(t, "{{")
		if i < 0 {
			lit(t)
			return nil
		}
		lit(t[:i])
		depth, j := 1, i+2
		for depth > 0 {
			o, c := strings.Index(t[j:], "{{"), strings.Index(t[j:], "}}")
			if c < 0 {
				return fmt.Errorf("unbalanced macro in %q", t[i:min(len(t), i+60)])
			}
			if o >= 0 && o < c {
				depth++
				j += o + 2
			} else {
				depth--
				j += c + 2
			}
		}
		if err := mac(t[i+2 : j-2]); err != nil {
			return err
		}
		t = t[j:]
	}
}

func (e *ex) inner(t string) (string, error) {
	var b strings.Builder
	err := e.walk(t, func(s string) { b.WriteString(s) }, func(m string) error {
		s, err := e.macro(m)
		b.WriteString(s)
		return err
	})
	return b.String(), err
}

//nolint:gocognit,funlen // one switch over the macros of the corpus, as its authors wrote it
func (e *ex) macro(m string) (string, error) {
	r := e.r
	name, arg, _ := strings.Cut(m, ":")
	num := func(s string) int { n, _ := strconv.Atoi(s); return n }
	switch name {
	case ".":
		return "", nil
	case "o":
		return "{", nil
	case "c":
		return "}", nil
	case "rnd":
		cl, n, _ := strings.Cut(arg, ":")
		a, ok := classes[cl]
		if !ok {
			return "", fmt.Errorf("class %q", cl)
		}
		s := r.str(a, num(n))
		if cl == "digits1" {
			s = string(digits[1+r.intn(9)]) + s[1:]
		}
		return s, nil
	case "ghcrc":
		s := r.str(classes["alnum"], num(arg))
		return s + base62crc(s), nil
	case "interai":
		s := r.str(classes["alnum"], 12) + "_" + r.str(classes["alnum"], 43)
		return s + base62crc(s), nil
	case "uuid":
		h := r.str(classes["hex"], 32)
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-" + string("89ab"[r.intn(4)]) + h[17:20] + "-" + h[20:], nil
	case "pem":
		ty, n, _ := strings.Cut(arg, ":")
		var b strings.Builder
		fmt.Fprintf(&b, "-----BEGIN %s-----\n", ty)
		if strings.HasPrefix(ty, "PGP") {
			b.WriteByte('\n')
		}
		for range num(n) {
			b.WriteString(r.str(classes["b64"], 64) + "\n")
		}
		b.WriteString(r.str(classes["b64"], 31) + "=\n-----END " + ty + "-----")
		return b.String(), nil
	case "jwt":
		alg, p, _ := strings.Cut(arg, ":")
		p, err := e.inner(p)
		b := base64.RawURLEncoding
		return b.EncodeToString([]byte(`{"alg":"`+alg+`","typ":"JWT"}`)) + "." + b.EncodeToString([]byte(p)) + "." + r.str(classes["b64url"], 43), err
	case "pw":
		n := num(arg)
		s := []byte(r.str(classes["alnum"], n))
		for range 3 {
			s[1+r.intn(n-2)] = "!#%&*+-=?@^_"[r.intn(12)]
		}
		s[0] = upper[r.intn(26)]
		s[n-1] = digits[r.intn(10)]
		return string(s), nil
	case "pwurl":
		n := num(arg)
		s := []byte(r.str(classes["alnum"], n))
		s[n/2] = "-_.~"[r.intn(4)]
		return string(s), nil
	case "basic":
		return base64.StdEncoding.EncodeToString([]byte(arg + ":" + r.str(classes["alnum"], 18))), nil
	case "b64of", "hexof", "pct", "entity", "zw", "shy", "fullw", "tags", "escnl":
		s, err := e.inner(arg)
		if err != nil {
			return "", err
		}
		switch name {
		case "b64of":
			return base64.StdEncoding.EncodeToString([]byte(s)), nil
		case "hexof":
			return hex.EncodeToString([]byte(s)), nil
		case "escnl":
			return strings.ReplaceAll(s, "\n", `\n`), nil
		}
		var b strings.Builder
		for i := range len(s) {
			switch name {
			case "pct":
				fmt.Fprintf(&b, "%%%02X", s[i])
			case "entity":
				fmt.Fprintf(&b, "&#x%x;", s[i])
			case "fullw":
				b.WriteRune(rune(s[i]) + 0xFEE0)
			case "tags":
				b.WriteRune(rune(s[i]) + 0xE0000)
			default:
				if i > 0 && i%4 == 0 {
					b.WriteRune(map[string]rune{"zw": 0x200B, "shy": 0xAD}[name])
				}
				b.WriteByte(s[i])
			}
		}
		return b.String(), nil
	case "indent":
		n, t, _ := strings.Cut(arg, ":")
		s, err := e.inner(t)
		pad := strings.Repeat(" ", num(n))
		return pad + strings.ReplaceAll(s, "\n", "\n"+pad), err
	case "rep": // rep:N:TEXT
		n, t, _ := strings.Cut(arg, ":")
		x, err := e.inner(t)
		return strings.Repeat(x, num(n)), err
	case "bip39":
		w := make([]string, num(arg))
		for i := range w {
			w[i] = pick(r, bip)
		}
		return strings.Join(w, " "), nil
	case "filler":
		var b strings.Builder
		for b.Len() < num(arg) {
			b.WriteString(pick(r, fillers))
			if r.intn(3) == 0 {
				b.WriteString("\n\n")
			} else {
				b.WriteByte(' ')
			}
		}
		return b.String(), nil
	case "first":
		return pick(r, firsts), nil
	case "last":
		return pick(r, lasts), nil
	case "luhn", "badluhn": // luhn:PREFIX:LEN[:group]
		p := strings.Split(arg, ":")
		s := p[0] + r.str(digits, num(p[1])-1-len(p[0]))
		c := luhnCheck(s)
		if name == "badluhn" {
			c = (c + 1 + r.intn(9)) % 10
		}
		s += strconv.Itoa(c)
		if len(p) > 2 {
			s = group(s, num(p[2]))
		}
		return s, nil
	case "iban": // iban:CC[:sp]
		cc, sp, _ := strings.Cut(arg, ":")
		var bban string
		switch cc {
		case "DE":
			bban = r.str(digits, 18)
		case "FR":
			bban = r.str(digits, 23)
		case "GB":
			bban = r.str(upper, 4) + r.str(digits, 14)
		case "NL":
			bban = r.str(upper, 4) + r.str(digits, 10)
		case "ES":
			bban = r.str(digits, 20)
		case "PL":
			bban = r.str(digits, 24)
		case "CH":
			bban = r.str(digits, 17)
		default:
			return "", fmt.Errorf("iban %q", cc)
		}
		s := cc + ibanCheck(cc, bban) + bban
		if sp != "" {
			s = group(s, 4)
		}
		return s, nil
	case "natid":
		return natid(r, arg)
	case "phone":
		return phone(r, arg)
	case "ip4pub":
		return fmt.Sprintf("%d.%d.%d.%d", pick(r, []int{31, 46, 62, 77, 81, 85, 91, 109, 176, 188, 213}), 1+r.intn(254), 1+r.intn(254), 1+r.intn(254)), nil
	case "mrz":
		l, f := strings.ToUpper(pick(r, lasts)), strings.ToUpper(pick(r, firsts))
		a := "P<UTO" + l + "<<" + f
		a += strings.Repeat("<", 44-len(a))
		no := r.str(upper, 1) + r.str(digits, 8)
		dob := fmt.Sprintf("%02d%02d%02d", 60+r.intn(39), 1+r.intn(12), 1+r.intn(28))
		exp := fmt.Sprintf("%02d%02d%02d", 27+r.intn(8), 1+r.intn(12), 1+r.intn(28))
		pn := strings.Repeat("<", 14)
		b := no + mrzc(no) + "UTO" + dob + mrzc(dob) + "F" + exp + mrzc(exp) + pn + "0"
		return a + "\n" + b + mrzc(no+mrzc(no)+dob+mrzc(dob)+exp+mrzc(exp)+pn+"0"), nil
	}
	return "", fmt.Errorf("unknown macro %q", m)
}

func mrzc(s string) string {
	w := []int{7, 3, 1}
	t := 0
	for i := range len(s) {
		v := 0
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			v = int(c - '0')
		case c >= 'A' && c <= 'Z':
			v = int(c-'A') + 10
		}
		t += v * w[i%3]
	}
	return strconv.Itoa(t % 10)
}

func phone(r *rng, cc string) (string, error) {
	nz := func(n int) string { s := r.str(digits, n); return string(digits[2+r.intn(8)]) + s[1:] }
	switch cc {
	case "US":
		return fmt.Sprintf("+1 %s-%s-%s", pick(r, []string{"212", "415", "617", "312", "503", "206"}), func() string {
			for {
				if s := nz(3); s[1:] != "11" && s != "555" {
					return s
				}
			}
		}(), r.str(digits, 4)), nil
	case "USnat":
		return fmt.Sprintf("(%s) %s-%s", pick(r, []string{"212", "415", "617", "312"}), "4"+string(digits[2+r.intn(7)])+string(digits[r.intn(10)]), r.str(digits, 4)), nil
	case "DE":
		return "+49 " + pick(r, []string{"151", "160", "171", "176"}) + " " + nz(8), nil
	case "DEnat":
		return "0" + pick(r, []string{"151", "160", "171", "176"}) + "/" + nz(8), nil
	case "FR":
		return "+33 6 " + group(nz(2)+r.str(digits, 6), 2), nil
	case "FRnat":
		return "06 " + group(nz(2)+r.str(digits, 6), 2), nil
	case "GB":
		return "+44 7" + pick(r, []string{"400", "500", "700", "800"}) + " " + nz(6), nil
	case "IN":
		return "+91 9" + r.str(digits, 4) + " " + nz(5), nil
	case "BR":
		return "+55 11 9" + nz(4) + "-" + r.str(digits, 4), nil
	case "JP":
		return "+81 90-" + nz(4) + "-" + r.str(digits, 4), nil
	case "PL":
		return "+48 5" + r.str(digits, 2) + " " + nz(3) + " " + r.str(digits, 3), nil
	}
	return "", fmt.Errorf("phone %q", cc)
}

//nolint:gocognit,funlen // one switch over the kinds of numbers, as its authors wrote it
func natid(r *rng, k string) (string, error) {
	dd := func(y0, y1 int) (int, int, int) { return y0 + r.intn(y1-y0), 1 + r.intn(12), 1 + r.intn(28) }
	switch k {
	case "us_ssn":
		a := 1 + r.intn(898)
		if a == 666 {
			a = 667
		}
		return fmt.Sprintf("%03d-%02d-%04d", a, 1+r.intn(99), 1+r.intn(9999)), nil
	case "uk_nino":
		return "A" + string("BCEHJKLMNPRSTWXYZ"[r.intn(17)]) + " " + group(r.str(digits, 6), 2) + " " + string("ABCD"[r.intn(4)]), nil
	case "uk_nhs":
		for {
			d := r.digitsN(9)
			if d[0] == 0 {
				continue
			}
			s := 0
			for i, x := range d {
				s += x * (10 - i)
			}
			c := 11 - s%11
			if c == 11 {
				c = 0
			}
			if c == 10 {
				continue
			}
			t := ds(append(d, c))
			return t[:3] + " " + t[3:6] + " " + t[6:], nil
		}
	case "fr_nir":
		y, m, _ := dd(50, 99)
		b := fmt.Sprintf("%d%02d%02d%02d%03d%03d", 1+r.intn(2), y, m, 1+r.intn(95), 1+r.intn(900), 1+r.intn(990))
		n, _ := strconv.ParseInt(b, 10, 64)
		return fmt.Sprintf("%s %02d", b, 97-n%97), nil
	case "es_dni":
		n := 10000000 + r.intn(65536)*1000 + r.intn(999)
		return fmt.Sprintf("%08d%c", n, "TRWAGMYFPDXBNJZSQVHLCKE"[n%23]), nil
	case "es_nie":
		p := r.intn(3)
		n := r.intn(65536)*100 + r.intn(100)
		return fmt.Sprintf("%c%07d%c", "XYZ"[p], n, "TRWAGMYFPDXBNJZSQVHLCKE"[(p*10000000+n)%23]), nil
	case "it_cf":
		y, m, d := dd(50, 99)
		cons := "BCDFGLMNPRSTVZ"
		s := r.str(cons, 6) + fmt.Sprintf("%02d%c%02d", y, "ABCDEHLMPRST"[m-1], d) + string(upper[r.intn(12)]) + r.str(digits, 3)
		odd := map[byte]int{'0': 1, '1': 0, '2': 5, '3': 7, '4': 9, '5': 13, '6': 15, '7': 17, '8': 19, '9': 21, 'A': 1, 'B': 0, 'C': 5, 'D': 7, 'E': 9, 'F': 13, 'G': 15, 'H': 17, 'I': 19, 'J': 21, 'K': 2, 'L': 4, 'M': 18, 'N': 20, 'O': 11, 'P': 3, 'Q': 6, 'R': 8, 'S': 12, 'T': 14, 'U': 16, 'V': 10, 'W': 22, 'X': 25, 'Y': 24, 'Z': 23}
		t := 0
		for i := range 15 {
			c := s[i]
			switch {
			case i%2 == 0:
				t += odd[c]
			case c >= 'A':
				t += int(c - 'A')
			default:
				t += int(c - '0')
			}
		}
		return s + string(upper[t%26]), nil
	case "de_steuerid":
		perm := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		for i := 9; i > 0; i-- {
			j := r.intn(i + 1)
			perm[i], perm[j] = perm[j], perm[i]
		}
		if perm[0] == 0 {
			perm[0], perm[5] = perm[5], perm[0]
		}
		d := append([]int{}, perm[:9]...)
		d = append(d, d[3])
		p := 10
		for _, x := range d {
			s := (x + p) % 10
			if s == 0 {
				s = 10
			}
			p = s * 2 % 11
		}
		c := 11 - p
		if c == 10 {
			c = 0
		}
		t := ds(append(d, c))
		return t[:2] + " " + t[2:5] + " " + t[5:8] + " " + t[8:], nil
	case "pl_pesel":
		y, m, d := dd(50, 99)
		s := fmt.Sprintf("%02d%02d%02d%04d", y, m, d, r.intn(10000))
		w := []int{1, 3, 7, 9, 1, 3, 7, 9, 1, 3}
		t := 0
		for i := range w {
			t += w[i] * int(s[i]-'0')
		}
		return s + strconv.Itoa((10-t%10)%10), nil
	case "tr_tckn":
		d := r.digitsN(9)
		d[0] = 1 + r.intn(9)
		o, e := 0, 0
		for i, x := range d {
			if i%2 == 0 {
				o += x
			} else {
				e += x
			}
		}
		c10 := ((o*7-e)%10 + 10) % 10
		s := c10
		for _, x := range d {
			s += x
		}
		return ds(append(d, c10, s%10)), nil
	case "br_cpf":
		d := r.digitsN(9)
		for range 2 {
			s := 0
			for i, x := range d {
				s += x * (len(d) + 1 - i)
			}
			c := s * 10 % 11 % 10
			d = append(d, c)
		}
		t := ds(d)
		return t[:3] + "." + t[3:6] + "." + t[6:9] + "-" + t[9:], nil
	case "in_pan":
		return r.str(upper, 3) + "P" + r.str(upper, 1) + r.str(digits, 4) + r.str(upper, 1), nil
	case "in_aadhaar":
		D := [10][10]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5}, {2, 3, 4, 0, 1, 7, 8, 9, 5, 6}, {3, 4, 0, 1, 2, 8, 9, 5, 6, 7}, {4, 0, 1, 2, 3, 9, 5, 6, 7, 8}, {5, 9, 8, 7, 6, 0, 4, 3, 2, 1}, {6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3}, {8, 7, 6, 5, 9, 3, 2, 1, 0, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}}
		P := [8][10]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4}, {5, 8, 0, 3, 7, 9, 6, 1, 4, 2}, {8, 9, 1, 6, 0, 4, 3, 5, 2, 7}, {9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1}, {2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8}}
		inv := []int{0, 4, 3, 2, 1, 5, 6, 7, 8, 9}
		d := r.digitsN(11)
		d[0] = 2 + r.intn(8)
		c := 0
		for i := range 11 {
			c = D[c][P[(i+1)%8][d[10-i]]]
		}
		return group(ds(append(d, inv[c])), 4), nil
	case "sg_nric":
		d := r.digitsN(7)
		w := []int{2, 7, 6, 5, 4, 3, 2}
		s := 0
		for i := range w {
			s += w[i] * d[i]
		}
		return "S" + ds(d) + string("JZIHGFEDCBA"[s%11]), nil
	case "kr_rrn":
		y, m, d := dd(50, 99)
		s := fmt.Sprintf("%02d%02d%02d%d%05d", y, m, d, 1+r.intn(2), r.intn(65536))
		w := []int{2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5}
		t := 0
		for i := range w {
			t += w[i] * int(s[i]-'0')
		}
		return s[:6] + "-" + s[6:] + strconv.Itoa((11-t%11)%10), nil
	case "cn_rid":
		y, m, d := dd(1950, 1999)
		s := pick(r, []string{"110101", "310104", "440305", "510107"}) + fmt.Sprintf("%d%02d%02d%03d", y, m, d, r.intn(1000))
		w := []int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
		t := 0
		for i := range w {
			t += w[i] * int(s[i]-'0')
		}
		return s + string("10X98765432"[t%11]), nil
	case "se_pnr":
		y, m, d := dd(50, 99)
		s := fmt.Sprintf("%02d%02d%02d%03d", y, m, d, r.intn(999))
		return s[:6] + "-" + s[6:] + strconv.Itoa(luhnCheck(s)), nil
	case "fi_hetu":
		y, m, d := dd(50, 99)
		n := 2 + r.intn(898)
		v, _ := strconv.Atoi(fmt.Sprintf("%02d%02d%02d%03d", d, m, y, n))
		return fmt.Sprintf("%02d%02d%02d-%03d%c", d, m, y, n, "0123456789ABCDEFHJKLMNPRSTUVWXY"[v%31]), nil
	case "nl_bsn":
		for {
			d := r.digitsN(8)
			if d[0] == 0 {
				continue
			}
			s := 0
			for i, x := range d {
				s += x * (9 - i)
			}
			if c := s % 11; c < 10 {
				return ds(append(d, c)), nil
			}
		}
	case "ca_sin":
		s := string("1245679"[r.intn(7)]) + r.str(digits, 7)
		return group(s+strconv.Itoa(luhnCheck(s)), 3), nil
	case "ch_ahv":
		s := "756" + r.str(digits, 9)
		t := 0
		for i := range 12 {
			t += int(s[i]-'0') * (1 + 2*(i%2))
		}
		s += strconv.Itoa((10 - t%10) % 10)
		return s[:3] + "." + s[3:7] + "." + s[7:11] + "." + s[11:], nil
	}
	return "", fmt.Errorf("natid %q", k)
}

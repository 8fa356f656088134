package secret

// followers are, for each letter, those that often stand behind it in words: the 240 commonest pairs of the words of
// English documentation. They make up nine pairs in ten of a word and one in three of letters drawn by chance.
var followers = [26]set{
	setOf("bcdgiklmnprstuvy"),      // a
	setOf("aeilorsu"),              // b
	setOf("acehiklortu"),           // c
	setOf("adeilorsu"),             // d
	setOf("abcdefgilmnoprstuvwxy"), // e
	setOf("aefilorsu"),             // f
	setOf("aehinorsu"),             // g
	setOf("aeiot"),                 // h
	setOf("abcdefglmnoprstvz"),     // i
	setOf(""),                      // j
	setOf("aeis"),                  // k
	setOf("adeilostuy"),            // l
	setOf("abeilmopsu"),            // m
	setOf("acdefgiknostuv"),        // n
	setOf("abcdfgilmnoprstuvw"),    // o
	setOf("aehiloprstu"),           // p
	setOf("u"),                     // q
	setOf("acdegiklmnorstuy"),      // r
	setOf("acehiklopstu"),          // s
	setOf("acehilorstuy"),          // t
	setOf("abcegilmnprst"),         // u
	setOf("aei"),                   // v
	setOf("aeior"),                 // w
	setOf("ept"),                   // x
	setOf("ps"),                    // y
	setOf("e"),                     // z
}

// familiar is the share of neighbouring letters of v that often stand together, without regard to case.
func familiar(v string) float64 {
	pairs, known := 0, 0
	for i := 1; i < len(v); i++ {
		a, b := v[i-1]|0x20, v[i]|0x20
		if a < 'a' || a > 'z' || b < 'a' || b > 'z' {
			continue
		}
		pairs++
		if followers[a-'a'].has(b) {
			known++
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(known) / float64(pairs)
}

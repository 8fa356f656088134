package secret

import "strings"

// pem looks for the body of a private key behind its head: base64 in lines, with \n written out, indented or quoted.
func (s *scan) pem(start, end int) {
	const window, enough = 600, 40
	begin := start
	if i := strings.LastIndex(s.text[max(0, start-60):start], "BEGIN"); i >= 0 {
		begin = max(0, start-60) + i
	} else if !strings.EqualFold(s.text[start:end], "private-lines:") && !strings.Contains(s.text[max(0,
		start-40):start], "----") {
		return
	}
	limit := min(len(s.text), end+window)
	body, longest := 0, 0
	for i := end; i < limit; {
		if strings.HasPrefix(s.text[i:], "-----END") {
			break
		}
		if n := base64Set.run(s.text, i, limit-i); n > 0 {
			if strings.HasPrefix(s.text[max(0, i-1):], "\\n") {
				i++
				n--
			}
			body += n
			longest = max(longest, n)
			i += n
			continue
		}
		i++
	}
	if text := s.text[end:limit]; body >= enough && longest >= 16 && entropy(text) > 3.5 && !strings.Contains(text[:min(len(text), 60)], "...") {
		s.report("private_key", "PRIVATE_KEY", Structural, begin, limit)
	}
}

// bareKey recognises private keys in DER by the beginnings that their base64 always has.
func (s *scan) bareKey(start, _ int) {
	const least = 60
	if start > 0 && base64Set.has(s.text[start-1]) {
		return
	}
	for _, head := range []string{
		"MIIEvQIBADAN", "MIIEvgIBADAN", "MIIEvwIBADAN", "MIIEpAIBAAKC", "MIIEowIBAAKC",
		"MIIEogIBAAKC", "MIIJRAIBADAN", "MIIJQwIBADAN", "MIIJQgIBADAN", "MIIJKQIBAAKC", "MIIJKAIBAAKC", "MIIJJwIBAAKC",
		"MHcCAQEEI", "MIGkAgEBBD", "MIGHAgEAMBM", "b3BlbnNzaC1rZXktdjE", "MC4CAQAwBQYDK2VwBCIEI", "MIICXAIBAAKB",
		"MIICXQIBAAKB", "MIICXgIBAAKB", "MIICdwIBADAN", "MIICdgIBADAN", "MIICeAIBADAN",
	} {
		if strings.HasPrefix(s.text[start:], head) {
			n := base64Set.run(s.text, start, maxValue)
			if n >= least {
				s.report("private_key", "PRIVATE_KEY", Structural, start, start+n)
			}
			return
		}
	}
}

// jwk looks for the private member of a JSON web key (RFC 7517) or an XML RSA key.
func (s *scan) jwk(start, end int) {
	const around = 400
	context := s.text[max(0, start-around):min(len(s.text), end+around)]
	xml := strings.EqualFold(s.text[start:end], "<d>")
	if !xml && !strings.Contains(context, "\"kty\"") || xml && !strings.Contains(context, "<Modulus>") &&
		!strings.Contains(context, "</D>") {
		return
	}
	i := end + memberGap.run(s.text, end, 8)
	n := anyBase64.run(s.text, i, maxValue)
	if v := s.text[i : i+n]; n >= 40 && !exampleLike(v) && entropy(v) > 3.5 {
		s.report("private_key", "PRIVATE_KEY", Structural, i, i+n)
	}
}

// mnemonic looks for twelve or more words of a wallet's seed behind what announces them.
func (s *scan) mnemonic(_, end int) {
	const window, fewest, most = 60, 12, 24
	limit := min(len(s.text), end+window)
	for i := end; i < limit; i++ {
		if c := s.text[i]; c < 'a' || c > 'z' || i > 0 && alnum.has(s.text[i-1]) {
			continue
		}
		n, stop := seedWords(s.text, i, most)
		if n >= fewest {
			s.report("seed_phrase", "SEED_PHRASE", Structural, i, stop)
			return
		}
		i = max(i, min(stop, i+8))
	}
}

// seedWords counts words of three to eight letters in a row that could be a seed's: sentences have others.
func seedWords(text string, i, most int) (n, end int) {
	end = i
	gaps := seedGap
	for n < most {
		length := lowerSet.run(text, i, 12)
		if length < 3 || length > 8 || sentenceWords[text[i:i+length]] {
			break
		}
		n++
		i += length
		end = i
		gap := gaps.run(text, i, 6)
		if gap == 0 || strings.Contains(text[i:i+gap], ". ") && !strings.ContainsAny(text[i:i+gap], digitChars) {
			break
		}
		i += gap
	}
	return n, end
}

// sentenceWords are frequent in sentences and not in the word list of BIP-39.
var sentenceWords = wordList(`the and for with that this from are was has have not but you your they will can be its into which when must should may than then them these those
	used using uses user users been were also such each because words phrase seed wallet key keys generate generated`)

package secret

import "strings"

// schemes of Authorization headers, in lower case.
var schemes = []string{"bearer", "basic", "token", "bot", "apikey", "api-key", "key", "splunk", "geniekey", "ssws", "oauth", "jwt", "pat", "digest", "sso-key", "discogs token=", "zoho-oauthtoken", "negotiate", "aws4-hmac-sha256"}

// header judges the credential of an Authorization header, or behind the name of a scheme alone.
func (s *scan) header(start, end int) {
	word := strings.TrimRight(strings.ToLower(s.text[start:end]), " ")
	if start > 0 && alnum.has(s.text[start-1]) && word != "authorization" {
		return
	}
	i, sure := end, word == "authorization" || word == "x-auth"
	limit := min(len(s.text), end+maxGap)
	if sure {
		i += headerName.run(s.text[:limit], i, 12)
		i += headerClose.run(s.text[:limit], i, 6)
		n := headerSign.run(s.text[:limit], i, 2)
		if n == 0 {
			return
		}
		i += n
		i += headerOpen.run(s.text[:limit], i, 8)
		word = ""
		for _, scheme := range schemes {
			if len(s.text) > i+len(scheme) && strings.EqualFold(s.text[i:i+len(scheme)],
				scheme) && !alnum.has(s.text[i+len(scheme)]) {
				word = scheme
				i += len(scheme)
				break
			}
		}
	}
	i += schemeGap.run(s.text, i, 6)
	n := headerValue.run(s.text, i, maxValue)
	from, to := unwrap(s.text, i, i+n)
	s.judgeHeader(word, sure, from, to)
}

func (s *scan) judgeHeader(scheme string, sure bool, from, to int) {
	v := s.text[from:to]
	if len(v) < 8 || never(v) {
		return
	}
	switch {
	case scheme == "basic":
		plain, ok := decodeBase64(v)
		user, pass, paired := strings.Cut(plain, ":")
		if ok && paired && printable(plain) && len(pass) >= 4 && !commonPasswords[strings.ToLower(pass)] &&
			!exampleLike(pass) && !strings.EqualFold(user, pass) && (likely(pass) || !plainWord(pass) ||
			len(pass) > 20) {
			s.report("authorization_header", "BASE64_OF_USER_AND_PASSWORD", Structural, from, to)
		}
	case sure && len(v) >= 12 && (chance(v) || len(v) >= 16 && likely(v)):
		s.report("authorization_header", "TOKEN", Structural, from, to)
	case scheme == "bearer" && len(v) >= 16 && chance(v):
		s.report("bearer_token", "TOKEN", Structural, from, to)
	case scheme == "token" && len(v) >= 32 && chance(v):
		s.report("named_value", "TOKEN", Weak, from, to)
	}
}

// cookie flags values of session cookies.
func (s *scan) cookie(_, end int) {
	const window = 400
	limit := min(len(s.text), end+window)
	if nl := strings.IndexByte(s.text[end:limit], '\n'); nl >= 0 {
		limit = end + nl
	}
	i := end + cookieClose.run(s.text[:limit], end, 4)
	if i >= limit || strings.IndexByte(":=,", s.text[i]) < 0 {
		return
	}
	for pairs := 0; i < limit && pairs < 16; pairs++ {
		i += cookieGap.run(s.text[:limit], i, 6)
		n := nameSet.run(s.text[:limit], i, 64)
		key := strings.ToLower(s.text[i : i+n])
		i += n
		if i >= limit || s.text[i] != '=' {
			return
		}
		i++
		n = cookieValue.run(s.text[:limit], i, maxValue)
		if v := s.text[i : i+n]; sessionLike(key) && len(v) >= 16 && chance(v) {
			s.report("session_cookie", "SESSION_COOKIE", Weak, i, i+n)
		}
		i += n
	}
}

func sessionLike(key string) bool {
	for _, part := range []string{"sess", "sid", "auth", "token", "jwt", "login", "remember", "connect."} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// dockerAuth judges the base64 of user and password in a registry's configuration.
func (s *scan) dockerAuth(_, end int) {
	i := end + fieldGap.run(s.text, end, 12)
	n := anyBase64.run(s.text, i, maxValue)
	if n < 12 {
		return
	}
	plain, ok := decodeBase64(s.text[i : i+n])
	_, pass, paired := strings.Cut(plain, ":")
	if ok && paired && printable(plain) && len(pass) >= 4 && !commonPasswords[strings.ToLower(pass)] && !exampleLike(pass) {
		s.report("docker_auth", "BASE64_OF_USER_AND_PASSWORD", Structural, i, i+n)
	}
}

// sqlPassword judges the literal of a statement that sets a password.
func (s *scan) sqlPassword(_, end int) {
	i := end + literalGap.run(s.text, end, 6)
	if i == end || i == 0 || !quotes.has(s.text[i-1]) {
		if !quotes.has(s.text[end-1]) {
			return
		}
	}
	stop := i
	for stop < len(s.text) && stop-i < 120 && s.text[stop] > ' ' && !quotes.has(s.text[stop]) {
		stop++
	}
	if v := s.text[i:stop]; len(v) >= 8 && likely(v) {
		s.report("sql_password", "PASSWORD", Structural, i, stop)
	}
}

// callPair judges the second string of a call or tuple that takes a user and a password.
func (s *scan) callPair(_, end int) {
	limit := min(len(s.text), end+maxLook)
	at, n := end, 0
	for at < limit && n < 2 {
		at += literalGap.run(s.text[:limit], at, 4)
		if at >= limit || at == 0 || !quotes.has(s.text[at-1]) {
			if n == 0 && at < limit && alnum.has(s.text[at]) { // a name for the user
				at += nameSet.run(s.text[:limit], at, maxNameAfter)
				if at >= limit || s.text[at] != ',' {
					return
				}
				at++
				n++
				continue
			}
			return
		}
		stop := at
		for stop < limit && s.text[stop] > ' ' && s.text[stop] != s.text[at-1] {
			stop++
		}
		n++
		if n == 2 {
			if v := s.text[at:stop]; likely(v) {
				s.report("named_secret", "PASSWORD", Contextual, at, stop)
			}
			return
		}
		if at = stop + 1; at >= limit || s.text[at] != ',' {
			return
		}
		at++
	}
}

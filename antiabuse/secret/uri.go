package secret

import "strings"

// commonPasswords are what documentation and containers put where a password goes.
var commonPasswords = wordList(`password passwd pass pwd passw0rd secret token user username admin root postgres postgresql mysql mariadb redis mongo mongodb rabbitmq guest test testing tester example changeme default demo dev
	development local docker foo bar baz qux my mypass mypassword mysecret pw p pass1 1234 123 123456 12345 xxx xxxx credentials apikey api_key api-key key sa system oracle elastic neo4j minio minioadmin none null empty nobody anonymous
	x-oauth-basic x-access-token oauth oauth2 access_token access-token auth login me here your-password yourpassword your_password abc abc123 s3cr3t hunter2 letmein toor ubuntu vagrant app web service db database dbpass dbpassword db_password db-password userpass git github gitlab npm pat bitnami strapi keycloak n8n temporal airflow grafana superset`)

// uri judges the user part of a URI. Its password counts unless the host is this machine or a documentation's.
func (s *scan) uri(start, end int) {
	const longest = 300
	limit := min(len(s.text), end+longest)
	stop := end
	for stop < limit && strings.IndexByte(" \t\r\n\"'<>`|", s.text[stop]) < 0 && s.text[stop] < 0x7F {
		stop++
	}
	authority := s.text[end:stop]
	at := userEnd(authority)
	if at < 1 {
		return
	}
	user, pass, paired := strings.Cut(authority[:at], ":")
	host := hostOf(authority[at+1:])
	from := end + len(user) + 1
	if !paired {
		pass, from = user, end
		if !chance(pass) || len(pass) < 16 || strings.Contains(host, "sentry") || strings.Contains(host, ".ingest.") {
			return
		}
	}
	switch {
	case pass == "" || reference(pass) || exampleLike(pass) || commonPasswords[strings.ToLower(pass)] ||
		strings.EqualFold(pass, user):
		return
	case likely(pass):
	case local(host) || len(pass) < 6 || plainWord(pass):
		return
	}
	tier := Structural
	if local(host) {
		tier = Weak
	}
	s.report("uri_password", "PASSWORD", tier, from, end+at)
}

// userEnd is where the user part of an authority ends: at the last @ before the path, or before the end when the
// password itself has a slash.
func userEnd(authority string) int {
	path := strings.IndexAny(authority, "/?#")
	if path < 0 {
		path = len(authority)
	}
	if at := strings.LastIndexByte(authority[:path], '@'); at >= 0 {
		return at
	}
	at := strings.IndexByte(authority, '@')
	if colon := strings.IndexByte(authority, ':'); at < 0 || colon < 0 || colon > path ||
		digit.run(authority, colon+1, 6) == path-colon-1 {
		return -1
	}
	return at
}

func hostOf(rest string) string {
	if i := strings.IndexAny(rest, "/?#,)"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 {
		rest = rest[:i]
	}
	return strings.ToLower(strings.TrimRight(rest, ".;:"))
}

// local reports whether a host is this machine, a container beside it or one of a documentation.
func local(host string) bool {
	return !strings.Contains(host, ".") || strings.HasPrefix(host, "127.") || host == "0.0.0.0" ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".internal") && strings.Contains(host, "docker") ||
		strings.Contains(host, "example.") || strings.HasSuffix(host, ".example") ||
		strings.HasSuffix(host, ".test") || strings.HasSuffix(host, ".invalid") ||
		strings.HasPrefix(host, "host.") || strings.HasPrefix(host, "my") && strings.Count(host, ".") == 1 ||
		host == "..."
}

// plainWord reports whether a password is a word that anyone would write into an example.
func plainWord(v string) bool {
	s := look(v)
	return s.digits == 0 && s.upper == 0 && s.other == 0 || wordy(v)
}

// dsn judges the password of a Go MySQL data source name: user:password@tcp(host)/name.
func (s *scan) dsn(start, _ int) {
	const longest = 120
	from := start
	for from > 0 && start-from < longest && strings.IndexByte(" \t\r\n\"'`=", s.text[from-1]) < 0 {
		from--
	}
	user, pass, ok := strings.Cut(s.text[from:start], ":")
	if !ok || pass == "" || reference(pass) || exampleLike(pass) || commonPasswords[strings.ToLower(pass)] ||
		strings.EqualFold(user, pass) {
		return
	}
	host := s.text[start:min(len(s.text), start+80)]
	if likely(pass) || len(pass) >= 6 && !plainWord(pass) && !strings.Contains(host, "localhost") &&
		!strings.Contains(host, "127.") {
		s.report("uri_password", "PASSWORD", Structural, start-len(pass), start)
	}
}

// pgpass judges the last field of a line host:port:database:user:password.
func (s *scan) pgpass(start, end int) {
	limit := min(len(s.text), end+maxLook)
	stop := end
	for stop < limit && s.text[stop] > ' ' && s.text[stop] < 0x7F {
		stop++
	}
	fields := 3 // database, user, password
	if s.text[start:end] == ":*:*:" {
		fields = 2
	}
	parts := strings.SplitN(s.text[end:stop], ":", fields)
	if len(parts) < fields {
		return
	}
	from, to := unwrap(s.text, stop-len(parts[fields-1]), stop)
	if pass := s.text[from:to]; likely(pass) || len(pass) >= 8 && !never(pass) && !plainWord(pass) {
		s.report("pgpass_password", "PASSWORD", Structural, from, to)
	}
}

// signedURL flags the signature of a presigned URL.
func (s *scan) signedURL(_, end int) {
	n := signatureSet.run(s.text, end, maxValue)
	if v := s.text[end : end+n]; n >= 32 && !exampleLike(v) && entropy(v) > 3 && digitsIn(v) > 2 {
		s.report("signed_url", "SIGNATURE", Weak, end, end+n)
	}
}

package secret

import (
	"slices"
	"strings"
)

// exampleWords stand in values that nobody should be able to use.
var exampleWords = []string{
	"example", "xxxx", "....", "****", "placeholder", "redacted", "filtered", "masked", "hidden", "changeme",
	"change_me", "change-me", "changeit", "replaceme", "replace_me", "replace-me", "replace_with", "your_", "your-",
	"yourpass", "yourtoken", "yoursecret", "yourkey", "yourapi", "my_secret", "my-secret", "mysecret", "mypassword",
	"my-password", "my_password", "my-token", "my_token", "mytoken", "my-api", "my_api", "myapikey",
	"dummy", "sample", "insert_", "insert-", "inserthere", "foobar", "foo-bar", "fake", "notreal", "not-a-real",
	"not_a_real", "notasecret", "not-a-secret", "todo", "abcdefgh", "12345678", "0123456", "deadbeef", "cafebabe",
	"qwerty", "abc123", "asdf",
	"p@ssw0rd", "p@ssword", "passw0rd", "pa$$word", "pa55word", "password1", "password123", "password-",
	"-password", "_password", "password_", "secret123", "secret-", "secret_", "-secret", "_secret", "supersecret",
	"super-secret", "super_secret", "topsecret", "s3cr3t", "s3cret", "hunter2", "letmein",
	"correct-horse", "correcthorse", "test-token", "test_token", "testtoken", "test-key", "test_key", "testkey",
	"test-secret", "testpass", "test-pass", "test_pass", "-token", "token-here", "_here", "-here", "goes-here",
	"goes_here", "secretsmanager", "00000000", "11111111", "lorem", "ipsum",
	"admin123", "root123", "test123", "demo123", "user123", "guest123", "welcome1", "pass123", "passwd123", "12345",
	"unit-test", "unittest", "integration-test", "for-testing", "for_testing", "a-z0-9", "a-za-z", "0-9]",
	"invalid", "expired", "revoked", "bad-token", "wrong",
}

// documented are well-known samples of documentation, by their beginnings.
var documented = []string{
	"AKIAIOSFODNN7", "wJalrXUtnFEMI/K7MDENG", "je7MtGbClwBF/2Zp9Utk", "AKIAI44QH8DHB", "ASIAIOSFODNN7",
	"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwI",
	"eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwI",
	"eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEz", "QWxhZGRpbjpvcGVuIHNlc2FtZQ",
	"QWxhZGRpbjpPcGVuU2VzYW1l", "dXNlcm5hbWU6cGFzc3dvcmQ", "dXNlcjpwYXNzd29yZA", "dXNlcjpwYXNz",
	"4eC39HqLyjWDarjtT1zdp7dc", "tGzv3JOkF0XG5Qx2TlKWIA", "czZCaGRSa3F0Mzpn", "SlAV32hkKG", "mF_9.B5f-4.1JqM",
	"2YotnFZFEjr1zCsicMWpAA", "8xLOxBtZp8", "JBSWY3DPEHPK3PXP", "dGhlIHNhbXBsZSBub25jZQ", "GEZDGNBVGY3TQOJQ",
	"HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
	"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw",
	"iVBORw0KGgo",
}

// examples finds what says that a value is made up.
var examples = func() *automaton {
	words := slices.Clone(exampleWords)
	for _, d := range documented {
		if len(d) >= telltale {
			words = append(words, strings.ToLower(d))
		}
	}
	a, err := newAutomaton(words)
	if err != nil {
		panic(err)
	}
	return a
}()

// telltale is how long a documented sample must be to count inside a longer value.
const telltale = 16

// exampleLike reports whether a value says of itself that it is made up.
func exampleLike(v string) bool {
	for _, d := range documented {
		if len(d) < telltale && strings.HasPrefix(v, d) {
			return true
		}
	}
	found := false
	examples.find(v, func(int, int, int) bool {
		found = true
		return false
	})
	return found || repeats(v)
}

// repeats reports whether a value is mostly one character, one short piece over and over, or a sequence.
func repeats(v string) bool {
	same, steps, longest := 1, 1, 1
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1] {
			same++
		} else {
			same = 1
		}
		if v[i] == v[i-1]+1 {
			steps++
		} else {
			steps = 1
		}
		longest = max(longest, same, steps)
	}
	const tell = 7
	if longest >= max(tell, len(v)/4) {
		return true
	}
	for period := 1; period <= 8 && 3*period <= len(v); period++ {
		if len(v) >= 8 && v[period:] == v[:len(v)-period] {
			return true
		}
	}
	return false
}

// reference reports whether a value stands for one that is somewhere else, or is encrypted or hashed.
func reference(v string) bool {
	for _, p := range referencePrefixes {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if strings.ContainsAny(v, "<>") && (v[0] == '<' || strings.Contains(v, "</")) || strings.Contains(v, "${") ||
		strings.Contains(v, "{{") || strings.Contains(v, "$(") || strings.Contains(v, "#{") ||
		strings.Contains(v, "%{") || strings.Contains(v, "=$") || strings.Contains(v, "[A-Z") ||
		strings.Contains(v, "[a-") || strings.Contains(v, "[0-9") || strings.Contains(v, "\\d") ||
		strings.Contains(v, "\\w") || strings.Contains(v, "://") || strings.Contains(v, "…") {
		return true
	}
	if keyed := snakeSet.run(v, 0, 14); keyed >= 2 && keyed < len(v)-1 && v[keyed] == '=' &&
		familiar(v[:keyed]) > 0.4 || strings.HasPrefix(v, "--") || strings.HasPrefix(v, "%s") ||
		strings.HasPrefix(v, "%v") || strings.HasPrefix(v, "%q") || strings.HasPrefix(v, "x1b[") ||
		strings.HasPrefix(v, "033[") || pinned(v) {
		return true
	}
	return v[0] == '%' && v[len(v)-1] == '%' || v[0] == '@' && nameSet.run(v, 1, len(v)) == len(v)-1 || dollar(v) ||
		uuidLike(v) || emailLike(v) || dated(v)
}

var referencePrefixes = []string{
	"ENC[", "ENC(", "sops:", "vault:", "ssm:", "arn:", "op://", "awssm://", "gcp-sm://", "file:", "env:", "env.",
	"env(", "secrets.", "secret.", "process.env", "os.", "System.", "config.", "settings.", "self.", "this.",
	"args.", "var.", "local.", "data.", "module.", "AgA", "AgB", "AgC", "AgD", "AQICAH", "AQECAH",
	"sha256:", "sha512:", "sha1:", "sha256-", "sha384-", "sha512-", "sha1-", "md5:", "h1:", "$2a$", "$2b$", "$2y$",
	"$argon2", "$apr1$", "$1$", "$5$", "$6$", "$y$", "$scrypt", "{SSHA", "{SHA", "{bcrypt}", "pbkdf2", "bcrypt", "SCRAM-SHA",
	"scrypt:", "/", "./", "../", "~/", "C:\\", "~", "!vault", "!Ref", "!Sub", "!secret", "!ENV", "<%", "data:",
	"vault.", "$ANSIBLE", "ssh-rsa", "ssh-ed25519", "ecdsa-sha2", "AAAAB3NzaC1", "AAAAC3NzaC1", "MIIBIjAN",
	"MIICIjAN", "MIID", "MIIC", "MIIF", "LS0tLS1CRUdJTiBDRVJU", "LS0tLS1CRUdJTiBQVUJM",
}

// pinned reports whether v is a name with a version or commit: owner/name@v3.
func pinned(v string) bool {
	at := strings.LastIndexByte(v, '@')
	return at > 2 && strings.IndexByte(v[:at], '/') > 0 && wordy(v[:at])
}

// dollar reports whether v is a shell variable or the like.
func dollar(v string) bool {
	if v[0] != '$' || len(v) < 2 {
		return false
	}
	if constantSet.run(v, 1, 3) == 3 {
		return true
	}
	rest := strings.TrimLeft(v[1:], "$")
	n := shellSet.run(rest, 0, len(rest))
	return n == len(rest) && (rest == "" || !mixed(rest))
}

// mixed reports whether letters and digits alternate as in values drawn by chance.
func mixed(v string) bool { return churn(v) > 0.35 }

func uuidLike(v string) bool {
	v = strings.Trim(v, "{}")
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !hexSet.has(v[i]) {
			return false
		}
	}
	return true
}

func emailLike(v string) bool {
	at := strings.IndexByte(v, '@')
	if at < 1 || strings.Count(v, "@") != 1 {
		return false
	}
	host := v[at+1:]
	dot := strings.LastIndexByte(host, '.')
	top := host[dot+1:]
	return dot > 0 && len(top) >= 2 && len(top) <= 10 && lowerSet.run(top, 0, len(top)) == len(top) &&
		nameSet.run(host, 0, len(host)) == len(host)
}

// dated reports whether v begins like a date or a version: 2026-03-01, v1.2.3, 10.0.0.1.
func dated(v string) bool {
	v = strings.TrimPrefix(v, "v")
	groups := 0
	for i := 0; i < len(v); {
		n := digit.run(v, i, 8)
		if n == 0 {
			return groups >= 3
		}
		groups++
		if i += n; i < len(v) {
			if strings.IndexByte(".-/:T", v[i]) < 0 {
				return groups >= 3
			}
			i++
		}
	}
	return groups >= 2 || groups == 1 && len(v) <= 20
}

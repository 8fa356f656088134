package secret

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/antiabuse/finding"
)

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		"a%41b": "aAb", "a&#65;&#x42;b": "aABb", "&lt;p&gt; &quot;": "<p> \"", `\u0041\x42\103`: "ABC",
		`\"a\"`: `"a"`, `\\\"a`: `"a`, `a\nb`: "a\nb", "=3D": "=", "a=\nb": "ab",
		"100% &amp": "100% &amp", `\u{1F600}x`: " x", "%zz": "%zz", `end\`: `end\`, "&#xzz;": "&#xzz;", `\u{41}`: "A",
	} {
		got, _, _ := unescape(in)
		require.Equal(t, want, got, in)
	}
	plain, cuts, n := unescape("x %41%42 y")
	require.Equal(t, 2, n)
	i := strings.Index(plain, "AB")
	start, end := cuts.span(i, i+2)
	require.Equal(t, "%41%42", "x %41%42 y"[start:end])
}

func TestJoin(t *testing.T) {
	for in, want := range map[string]string{
		`"abc" + "def"`: `"abcdef"`, "'abc' .\n  'def'": "'abcdef'", "k9X2_abcdefgh\n  Q7z1": "k9X2_abcdefghQ7z1",
		"abc🔑def": "abcdef", "tok9X2_abcdefgh\\\nQ7": "tok9X2_abcdefghQ7",
	} {
		got, joints, _ := join(in)
		require.Equal(t, want, got)
		require.Len(t, joints, 1)
	}
	for _, in := range []string{
		"words at the end\nof lines", "a \"b\" c", "plain", "", "x\n\ny",
		"日本🔑語",
	} {
		_, joints, _ := join(in)
		require.Empty(t, joints, in)
	}
}

func TestDumpLines(t *testing.T) {
	for in, want := range map[string]string{
		"00000000: 6768 705f 4142  ghp_AB": "ghp_AB", "00000010  67 68 70 5f  41 42 43 44  |ghp_ABCD|": "ghp_ABCD",
		"no dump": "", "": "", "12345678": "",
	} {
		require.Equal(t, want, string(dumpLine(in)), in)
	}
}

func TestSpansLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc", "%41", "&#65;", "\\n", "é", "\"", " "}), 0, 30).Draw(t, "pieces"), "")
		out, cuts, _ := unescape(in)
		previous := 0
		for i := range len(out) {
			start, end := cuts.span(i, i+1)
			require.True(t, previous <= start && start <= end && end <= len(in), "%q: %d", in, i)
			previous = start
		}
	})
}

func TestJudgement(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 50 {
		require.True(t, likely(drawPassword(r, 16)))
		require.True(t, chance(draw(r, "b64url", 43)))
	}
	for _, v := range []string{"Sommer2024!", "Tr0ub4dor&3x", "aB3dE5gH7jK9"} {
		require.True(t, likely(v), v)
	}
	for _, v := range []string{
		"", "short1", "postgres-15", "eu-west-1-prod", "SHA256-HMAC", "my.package.Class2", "2026-03-01T10:00:00Z",
		"10.20.30.40", "getenv('X2')", "${PASSWORD1}", "<password1>", "user@example.com",
		"550e8400-e29b-41d4-a716-446655440000", "/etc/ssl/key1.pem", "https://a.b/c1",
		"correct-horse-battery-staple", "xxxxxxxx1X", "AAAAAAAAAAAA1a", "$2b$12$abcdefghijklmnop", "abcabcabcabc",
	} {
		require.False(t, likely(v), v)
	}
}

func TestNamesWeigh(t *testing.T) {
	for name, want := range map[string]strength{
		"password": strong, "DB_PASSWORD": strong, "dbPassword": strong, "userpass": strong, "apiKey": strong,
		"api.key": strong, "aws_secret_access_key": strong, "secret_key_base": strong, "acme_token": strong,
		"accessToken": strong, "privateKey": strong,
		"token": faint, "some_key": faint, "passing": disarmed, "compass": disarmed, "key": disarmed,
		"monkey": disarmed, "public_key": disarmed, "key_id": disarmed, "password_hash": disarmed,
		"token_type": disarmed, "next_page_token": disarmed, "secretary": disarmed, "tokenizer": disarmed,
	} {
		require.Equal(t, want, weigh(name, ""), name)
	}
	require.Equal(t, strong, weigh("key", "api"))
	require.Equal(t, []string{"aws", "secret", "key", "2"}, splitName(nil, "AWS_secretKey-2"))
}

// maxAllocation is what a scan may allocate for a byte of text.
const maxAllocation = 3

func TestAScanAllocatesLittle(t *testing.T) {
	e := newEngine(t)
	text := strings.Repeat("The worker takes a lock: `password: ${DB_PASSWORD}` stays in the vault, and token_type is Bearer.\n\n", 500)
	e.Scan(finding.NewBudget(), text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e.Scan(finding.NewBudget(), text)
	runtime.ReadMemStats(&after)
	require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(maxAllocation*len(text)))
}

package secret

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/finding"
)

// keyed are texts in which a key that a machine drew may come along; %s is the key.
var keyed = []string{
	"API_KEY=%s\n", "export INTERNAL_API_KEY='%s'\n", "api-key: %s\n", "x-api-key: %s\n", "X-Auth-Token: %s\n",
	"apiKey: \"%s\",\n", "\"clientSecret\": \"%s\"", "client_secret=%s&grant_type=x", "access_token=%s",
	"https://a.corp.net/x?api_key=%s", "https://a.corp.net/x?access_token=%s&b=1",
	"JWT_SECRET=%s\n", "secret_key_base: %s\n", "SECRET_KEY = '%s'\n", "signing_key: %s\n", "ENCRYPTION_KEY=%s",
	"webhook_secret: %s", "refresh_token: '%s'", "The API key is %s.", "our api key for staging: `%s`",
	"| API key | %s |", "| key | value |\n|---|---|\n| API_TOKEN | %s |\n",
	"Authorization: Bearer %s\n", "curl -H 'Authorization: Bearer %s' https://a.corp.net",
	"curl -H \"X-Api-Key: %s\" https://a.corp.net", "-H \"Authorization: Token %s\"",
	"headers = {\"Authorization\": \"Bearer %s\"}", "headers: { Authorization: `Bearer %s` }",
	"req.Header.Set(\"Authorization\", \"Bearer %s\")", "req.Header.Set(\"X-Api-Key\", \"%s\")",
	"requests.get(url, headers={'X-API-Key': '%s'})", "client = Client(api_key=\"%s\")",
	"new Client({ apiKey: '%s' })", "Client.builder().apiKey(\"%s\").build()", "config.api_key = '%s'",
	"api_token = \"%s\"", "SERVICE_TOKEN=%s", "acme_token: %s", "ACME_AUTH_TOKEN=%s", "--api-key %s",
	"--api-key=%s", "--token %s --verbose", "tool login --token=%s",
	"<apiKey>%s</apiKey>", "<setting name=\"ApiKey\" value=\"%s\"/>", "{\"name\":\"API_KEY\",\"value\":\"%s\"}",
	"- name: API_KEY\n  value: \"%s\"", "private_key = \"%s\"", "$env:API_KEY = '%s'", "set API_KEY=%s",
	"ENV API_KEY=%s", "ENV API_KEY %s", "_authToken=%s", "//registry.corp.net/:_authToken=%s", "master_key: %s",
	"storage account key: %s", "access key %s", "Secret: %s", "secret = \"%s\"", "{\\\"api_key\\\": \\\"%s\\\"}",
	"clé API : %s", "clave de API: %s", "API-Schlüssel: %s", "ключ API: %s", "API密钥：%s", "APIキー: %s", "API 키: %s",
	"token de acceso: %s", "chiave API: %s", "api key =\n  %s\n", "credential: %s", "bearer token: %s",
	"the secret key should be set to %s",
}

func TestDrawnKeysAreFoundUnderTheirNames(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(21, 22))
	const draws = 12
	missed, all := 0, 0
	for _, format := range keyed {
		n, example := 0, ""
		for range draws {
			for _, v := range []string{draw(r, "alnum", 40), draw(r, "hex", 32), draw(r, "hex", 64), draw(r,
				"b64url", 43), draw(r, "alnum", 24), draw(r, "lownum", 32)} {
				all++
				if found := e.Scan(finding.NewBudget(), fmt.Sprintf(format, v)); len(found) == 0 ||
					!found[0].Action.Blocks() {
					n++
					missed++
					example = fmt.Sprintf(format, v)
				}
			}
		}
		if n > 6*draws/10 {
			t.Errorf("missed %d of %d, such as %q", n, 6*draws, example)
		}
	}
	t.Logf("missed %d of %d", missed, all)
	require.LessOrEqual(t, missed, all/33)
}

// harmless values stand beside words that announce credentials, and are none. A class in braces is drawn.
var harmlessTexts = []string{
	"The password must be at least 12 characters and the API key is rotated every 90 days.", "password: ********",
	"password: <your password>", "api_key: ${API_KEY}", "api_key = os.environ[\"API_KEY\"]",
	"token: {{ .Values.token }}", "secret: \"{{ lookup('env', 'SECRET') }}\"",
	"apiKey: process.env.OPENAI_API_KEY,", "password = getpass.getpass()", "password := os.Getenv(\"DB_PASSWORD\")",
	"const token = await getToken(user.id);", "token = request.headers[\"Authorization\"].split(\" \")[1]",
	"password: changeme", "POSTGRES_PASSWORD=postgres", "password: password123", "API_KEY=your-api-key-here",
	"API_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "OPENAI_API_KEY=sk-...",
	"export TOKEN=$(vault read -field=token secret/app)", "secretKeyRef:\n  name: db-credentials-v2\n  key: password",
	"secretName: wildcard-tls-2024", "api_key_id: {hex:24}", "token_type: Bearer",
	"token_endpoint: https://auth.corp.net/oauth2/v1/token", "key: users/2024/03/report-{digits:5}.parquet",
	"cache_key = f\"user:{id}:v2\"", "primary_key: order_id_2024", "public_key: {b64:44}",
	"idempotency-key: {hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}", "partition_key=customer_{digits:6}",
	"sort key: created_at#{digits:8}",
	"next_page_token: {b64url:40}", "continuationToken={b64url:60}", "csrf_token: {alnum:32}",
	"commit {hex:40} fixes the token refresh", "sha256:{hex:64} is the digest of the secret-store image",
	"password_hash: $2b$12$abcdefghijklmnopqrstuv", "\"integrity\": \"sha512-{b64:86}==\"",
	"etag: \"{hex:32}\" for secret.js", "fingerprint of the key: SHA256:{b64:43}",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64:43} deploy key",
	"AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq{b64:200} is a sealed secret",
	"password: ENC[AES256_GCM,data:{b64:12},iv:{b64:43}=,tag:{b64:22}==,type:str]", "secret: AgA{b64:300}",
	"db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  {digits:80}", "password: vault:secret/data/app#password",
	"password: op://Vault/item/password", "secret: AgC{b64:300}", "password: AgD{b64:300}",
	"data:\n  password: cGFzc3dvcmQ=\n", "kind: Secret\ndata:\n  password: Y2hhbmdlbWU=\n  token: PHlvdXItdG9rZW4+\n",
	"password: Y2hhbmdlbWU=\nusername: YWRtaW4=", "the password is cGFzc3dvcmQ= in base64",
	"`htpasswd -nbB user password` prints user:$2y$05$<hash>",
	"htpasswd -nb test test prints test:$apr1$H6uskkkW$IgXLP6ewTrSuBkTrqE8wj/",
	"`htpasswd -n app` makes the value of `basicauth.users=test:$$apr1$$H6uskkkW$$IgXLP6ewTrSuBkTrqE8wj/`",
	"htpasswd -nbB `user`, then `commit {hex:12}` it",
	"api_key: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/api-{alnum:6}",
	"tokenizer: cl100k_base, max tokens 8192", "keyboard shortcut Ctrl+Shift+K2",
	"the secret is to use SHA-256 with HMAC and PBKDF2 at 600000 iterations",
	"password hashing uses Argon2id with 64MiB and t=3", "The key is to keep p99 below 250ms at 3000rps.",
	"passing 3 of 14 tests in 12.5s", "the access key was rotated on 2026-03-01T10:00:00Z",
	"authentication with OAuth2.0 and OpenIDConnect1.0", "Key differences between v1.29.3 and v1.30.0-rc2",
	"key=value pairs such as size=XL2 and color=Blue7",
	"public static final String PASSWORD_FIELD = \"passwordField1\";",
	"<input type=\"password\" name=\"password\" id=\"password1\">",
	"document.getElementById('password-input-2').value", "i18n key: settings.security.password.title2",
	"error code: ERR_TOKEN_EXPIRED_401", "password=:password AND token=:token1",
	"INSERT INTO users (name, password) VALUES ($1, $2)", "ALTER USER app WITH PASSWORD :'app_password'",
	"psql -U app -h db1 -p 5432 shop2", "docker run -p 8080:80 -e TOKEN nginx:1.27.3",
	"ssh -p 2222 root@10.0.0.5", "mkdir -p /srv/app2/releases/20260301", "curl -u user:pass https://example.com",
	"curl -u \"$USER:$TOKEN\" https://a.corp.net", "https://user:password@example.com/x",
	"postgres://app:${DB_PASSWORD}@db.corp.net/shop", "redis://localhost:6379/0",
	"mysql://root:root@127.0.0.1:3306/db", "git@github.com:owner/repo-2.git", "Authorization: Bearer <token>",
	"Authorization: Bearer $TOKEN", "Authorization: Basic dXNlcjpwYXNzd29yZA==",
	"Cookie: theme=dark; lang=en",
	"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ" + ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA{b64:40}\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\nMIID{b64:60}\n-----END CERTIFICATE-----", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
	"uses: actions/checkout@{hex:40} # with token",
	"request id {hex:8}-{hex:4}-4{hex:3}-9{hex:3}-{hex:12}, token refreshed",
	"trace 00-{hex:32}-{hex:16}-01 in auth service",
	"arn:aws:kms:eu-west-1:123456789012:key/{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}",
	"0x{hex:40} holds the token contract", "token address: 0x{hex:40}", "contract key 0x{hex:64} in the receipt",
	"GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}", "AWS_ACCESS_KEY_ID=AK" + "IAIOSFODNN7EXAMPLE",
	"4242 4242 4242 4242 is the test card with token tok_visa",
	"das Passwort muss mindestens 12 Zeichen haben", "le mot de passe doit contenir 8 caractères",
	"пароль должен содержать 8 символов", "密码长度至少8位", "パスワードは8文字以上にしてください", "비밀번호는 8자 이상이어야 합니다",
	"la contraseña debe tener 8 caracteres", "password (minimum 8, e.g. with A-Z, 0-9)",
	"regex for the token: ^[A-Za-z0-9]{o}32{c}$",
	"mnemonic is a sentence of words that people can write down and keep in a safe place for their wallet",
	"the password policy: length>=12, upper+lower+digit",
	"Set `password` to the value from 1Password item `db-prod-2`", "token bucket of 10 per second (burst=20)",
	"secret santa 2026", "keys: [id1, id2, id3]", "foreign key fk_orders_2024_customer",
	"secret-scanning-v2 found 3 tokens", "pass@1 = 67.3, pass@10 = 81.2", "pwd\n/home/user/project2",
	"key_len=32, nonce_len=12, tag_len=16", "the auth token expires in 3600s (exp=1735689600)",
	"API key format: 3 letters, `_`, 32 hex", "npm_config_cache=/tmp/npm-cache-2", "sk-learn==1.5.2",
	"hf_hub_download(repo_id=\"org/model-7B-v0.3\")",
	"Bearer tokens of 256 bits are enough", "basic usage 101", "token `abc123` is invalid in tests",
	"e.g. password `correct-horse-battery-staple`",
}

func TestWhatIsNoSecretPasses(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(31, 32))
	const draws = 20
	blocked := 0
	for _, template := range harmlessTexts {
		n, example := 0, ""
		for range draws {
			text := strings.NewReplacer("\x01", "{", "\x02", "}").Replace(expandText(r, template))
			for _, f := range e.Scan(finding.NewBudget(), text) {
				if f.Action.Blocks() {
					n++
					example = f.Rule + ": " + text[f.Start:f.End] + " in " + text
				}
			}
		}
		if n > 0 {
			blocked++
			t.Errorf("%d of %d refused: %s", n, draws, example)
		}
	}
	t.Logf("%d of %d refused", blocked, len(harmlessTexts))
}

// expandText fills the classes of a text, whose other braces stay.
func expandText(r *rand.Rand, template string) string {
	template = strings.NewReplacer("{o}", "\x01", "{c}", "\x02").Replace(template)
	var b strings.Builder
	for template != "" {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			break
		}
		b.WriteString(template[:open])
		template = template[open:]
		end := strings.IndexByte(template, '}') + 1
		segments, err := parseSegments(template[:max(end, 1)])
		if err != nil || end == 0 || len(segments) != 1 || segments[0].class == "" {
			b.WriteByte('{')
			template = template[1:]
			continue
		}
		b.WriteString(draw(r, segments[0].class, segments[0].least))
		template = template[end:]
	}
	return b.String() + template
}

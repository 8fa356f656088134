package secret

import (
	"encoding/hex"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/finding"
)

// carriers are texts in which a password may come along; %s is the password.
var carriers = map[string]string{
	"env":                "export DB_PASSWORD=%s\n",
	"env quoted":         "SMTP_PASS='%s'\n",
	"dotenv":             "APP_NAME=shop\nADMIN_PASSWORD=\"%s\"\nDEBUG=false\n",
	"yaml":               "db:\n  user: app\n  password: %s\n",
	"yaml quoted":        "password: '%s' # rotated monthly\n",
	"yaml next line":     "password: >-\n  %s\nuser: app\n",
	"yaml list":          "- name: DB_PASSWORD\n  value: %s\n",
	"yaml list quoted":   "env:\n  - name: \"POSTGRES_PASSWORD\"\n    value: \"%s\"\n",
	"toml":               "[database]\npassword = \"%s\"\n",
	"ini":                "[client]\nuser=app\npassword=%s\n",
	"properties":         "spring.datasource.password=%s\n",
	"json":               `{"user": "app", "password": "%s", "port": 5432}`,
	"json min":           `{"dbPassword":"%s","port":5432}`,
	"json name value":    `[{"name": "DB_PASSWORD", "value": "%s"}]`,
	"json in json":       `{"body": "{\"password\":\"%s\"}"}`,
	"json in json twice": `"{\\\"password\\\": \\\"%s\\\"}"`,
	"xml":                "<user>app</user><password>%s</password>",
	"xml lines":          "<password>\n    %s\n</password>",
	"xml attribute":      `<datasource user="app" password="%s"/>`,
	"xml add":            `<add key="DbPassword" value="%s" />`,
	"entities":           "&lt;password&gt;%s&lt;/password&gt;",
	"terraform":          "resource \"db\" \"x\" {\n  master_password = \"%s\"\n}\n",
	"tfvars":             "variable \"db_password\" {\n  default = \"%s\"\n}",
	"dockerfile env":     "FROM alpine\nENV DB_PASSWORD %s\n",
	"dockerfile arg":     "ARG DB_PASSWORD=%s\n",
	"compose":            "    environment:\n      - MYSQL_ROOT_PASSWORD=%s\n",
	"python":             "conn = connect(host=\"db\", password=\"%s\")\n",
	"python dict":        "os.environ['DB_PASSWORD'] = '%s'\n",
	"python typed":       "password: str = \"%s\"\n",
	"python default":     "pw = os.getenv(\"DB_PASSWORD\", \"%s\")\n",
	"go":                 "password := \"%s\"\n",
	"go const":           "const dbPassword string = \"%s\"\n",
	"go raw":             "cfg.Password = `%s`\n",
	"java":               "ds.setPassword(\"%s\");\n",
	"java declaration":   "private static final String PASSWORD = \"%s\";\n",
	"js":                 "const password = '%s';\n",
	"js object":          "{ user: 'app', password: '%s' }\n",
	"js default":         "const p = process.env.DB_PASSWORD || '%s'\n",
	"php":                "'password' => '%s',\n",
	"php define":         "define('DB_PASSWORD', '%s');\n",
	"ruby":               "config.password = \"%s\"\n",
	"csharp":             "var cs = \"Server=db1;User Id=sa;Password=%s;Encrypt=true\";\n",
	"rust":               "let password: &str = \"%s\";\n",
	"powershell":         "$Password = ConvertTo-SecureString \"%s\" -AsPlainText -Force\n",
	"powershell env":     "$env:DB_PASSWORD = \"%s\"\n",
	"cmd":                "setx DB_PASSWORD %s\n",
	"shell default":      "PASSWORD=${DB_PASSWORD:-%s}\n",
	"flag":               "tool --user app --password %s --verbose\n",
	"flag equals":        "tool --password=%s\n",
	"mysql":              "mysql -u root -p%s shop < dump.sql\n",
	"sshpass":            "sshpass -p %s ssh root@10.1.2.3\n",
	"sshpass quoted":     "sshpass -p '%s' ssh root@host\n",
	"curl user":          "curl -u admin:%s https://api.corp.net/x\n",
	"curl user quoted":   "curl --user \"admin:%s\" https://api.corp.net/x\n",
	"docker login":       "docker login registry.corp.net -u ci -p %s\n",
	"redis-cli":          "redis-cli -h cache -a %s ping\n",
	"ldapsearch":         "ldapsearch -x -D cn=admin,dc=corp -w %s\n",
	"netrc":              "machine api.corp.net login deploy password %s\n",
	"netrc lines":        "machine api.corp.net\n  login deploy\n  password %s\n",
	"sql":                "CREATE USER app IDENTIFIED BY '%s';\n",
	"sql alter":          "ALTER ROLE app WITH PASSWORD '%s';\n",
	"log":                "2026-03-01 ERROR login failed user=app password=%s status=401\n",
	"log json":           `{"level":"error","msg":"login failed","password":"%s"}`,
	"table":              "| user | admin |\n| password | %s |\n",
	"table code":         "| Key | Value |\n|---|---|\n| `db_password` | `%s` |\n",
	"table head":         "| host | user | password |\n|---|---|---|\n| db1 | app | %s |\n",
	"bold":               "**Password:** %s\n",
	"bold code":          "- **Password**: `%s`\n",
	"bullet":             "* Password - %s\n",
	"prose is":           "The password is %s and works from the VPN only.\n",
	"prose code":         "We found that the admin password is `%s`, which still works.\n",
	"prose for":          "the password for the admin account is %s.\n",
	"prose with":         "Log in as admin with password %s and open the settings.\n",
	"prose set":          "I set the root password to %s yesterday.\n",
	"prose quoted":       "my password (\"%s\") leaked\n",
	"prose as":           "use `%s` as the password\n",
	"login slash":        "credentials: admin / %s\n",
	"login colon":        "Credentials: admin:%s\n",
	"arrow":              "password → %s\n",
	"emoji":              "password 👉 %s\n",
	"fence":              "Password:\n\n```\n%s\n```\n",
	"de":                 "Das Passwort lautet %s.\n",
	"de for":             "Das Kennwort für den Server ist: %s\n",
	"fr":                 "Le mot de passe est %s\n",
	"es":                 "La contraseña es %s\n",
	"es colon":           "Contraseña: %s\n",
	"pt":                 "A senha é %s\n",
	"it":                 "La password è %s\n",
	"nl":                 "Het wachtwoord is %s\n",
	"pl":                 "Hasło: %s\n",
	"pl to":              "hasło do bazy to %s\n",
	"ru":                 "Пароль: %s\n",
	"ru dash":            "пароль от базы — %s\n",
	"zh":                 "数据库密码是%s，请尽快修改\n",
	"zh colon":           "密码：%s\n",
	"ja":                 "パスワードは%sです\n",
	"ja colon":           "パスワード: %s\n",
	"ko":                 "비밀번호는 %s 입니다\n",
	"ko colon":           "비밀번호: %s\n",
	"tr":                 "Şifre: %s\n",
	"tr is":              "parola %s olarak ayarlandı\n",
	"helm":               "helm install x --set auth.rootPassword=%s\n",
	"ansible":            "ansible_ssh_pass=%s\n",
	"quote":              "> password: %s\n",
	"comment":            "# old password: %s\n",
	"expect":             "PGPASSWORD=%s psql -h db\n",
	"csv":                "user,password\nadmin,%s\n",
	"key value":          "key=password value=%s\n",
	"openssl":            "openssl enc -aes-256-cbc -pass pass:%s -in x\n",
	"zip":                "7z a -p%s out.7z dir\n",
	"wget":               "wget --user=ci --password='%s' https://repo.corp.net\n",
	"uri query":          "https://api.corp.net/login?user=app&password=%s&next=1\n",
	"concatenated":       "PASSWORD = %s",
	"chpasswd":           "echo 'root:%s' | chpasswd\n",
	"jdbc":               "jdbc:postgresql://db.corp.net/shop?user=app&password=%s\n",
	"libpq":              "host=db.corp.net dbname=shop user=app password=%s sslmode=require\n",
	"equals spaces":      "Password   =   %s\n",
	"php array double":   "\"secret\" => \"%s\",\n",
	"pw":                 "pw = %s\n",
	"db_pw":              "db_pw: \"%s\"\n",
	"bindpw":             "bindpw %s\n",
	"tuple":              "requests.get(url, auth=(\"admin\", \"%s\"))\n",
	"basic auth call":    "req.SetBasicAuth(\"svc\", \"%s\")\n",
	"basic auth class":   "auth = HTTPBasicAuth('svc', '%s')\n",
	"named user":         "client.login(user, '%s')\n",
	"pgpass":             "db1.corp.net:5432:shop:app:%s\n",
	"pgpass any":         "*:*:*:app:%s\n",
	"uri":                "amqp://svc:%s@mq.corp.net:5671/vhost\n",
	"ftp uri":            "ftp://deploy:%s@10.20.30.40/releases\n",
	"kubectl":            "kubectl create secret generic db --from-literal=password=%s\n",
	"smb":                "smbclient //srv/share -U admin%%%s\n",
}

// reaches reports whether a finding that blocks overlaps the secret in the text.
func reaches(e *Engine, text, secret string) bool {
	found := e.Scan(finding.NewBudget(), text)
	at := strings.Index(text, secret)
	for _, f := range found {
		if f.Action.Blocks() && (at < 0 || f.Start < at+len(secret) && at < f.End) {
			return true
		}
	}
	return false
}

func newEngine(t testing.TB) *Engine {
	t.Helper()
	e, err := New()
	require.NoError(t, err)
	return e
}

func TestPasswordsAreFoundInEveryCarrier(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(1, 2))
	const draws = 30
	missed, all := 0, 0
	for _, name := range slices.Sorted(maps.Keys(carriers)) { // the same draws in each run
		format := carriers[name]
		n, example := 0, ""
		for i := range draws {
			pw := drawPlainPassword(r, 10+r.IntN(12))
			if i%2 == 0 && !strings.ContainsAny(name, "?") && !unquotable(name) {
				pw = drawPassword(r, 10+r.IntN(12))
			}
			all++
			if !reaches(e, fmt.Sprintf(format, pw), pw) {
				n++
				missed++
				example = fmt.Sprintf(format, pw)
			}
		}
		if n > draws/10 {
			t.Errorf("%s: missed %d of %d, such as %q", name, n, draws, example)
		}
	}
	t.Logf("missed %d of %d", missed, all)
	require.LessOrEqual(t, missed, all/50)
}

// unquotable are carriers whose syntax takes some signs for its own.
func unquotable(carrier string) bool {
	return strings.Contains(carrier, "uri") || strings.Contains(carrier, "jdbc") ||
		strings.Contains(carrier, "table") || strings.Contains(carrier, "csv")
}

// encodings are ways to write a token so that it does not stand in the text as such.
var encodings = map[string]func(string) string{
	"percent":        percent,
	"query escaped":  func(s string) string { return url.QueryEscape("token=" + s) },
	"entities":       entities,
	"named entities": func(s string) string { return html.EscapeString(`"token":"` + s + `"`) },
	"base64":         b64,
	"base64 of env":  func(s string) string { return b64("GITHUB_TOKEN=" + s + "\n") },
	"base64 twice":   func(s string) string { return b64(b64("token: " + s)) },
	"hex":            func(s string) string { return hex.EncodeToString([]byte(s)) },
	"hex upper":      func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"hex bytes":      func(s string) string { return fmt.Sprintf("% x", s) },
	"hex colons":     func(s string) string { return strings.ReplaceAll(fmt.Sprintf("% x", s), " ", ":") },
	"c array": func(s string) string {
		return "{0x" + strings.ReplaceAll(fmt.Sprintf("% x", s), " ",
			", 0x") + "}"
	},
	"hex escapes": func(s string) string {
		return `\x` + strings.ReplaceAll(fmt.Sprintf("% x", s), " ",
			`\x`)
	},
	"unicode escapes": func(s string) string {
		return `\u00` + strings.ReplaceAll(fmt.Sprintf("% x", s), " ",
			`\u00`)
	},
	"hex dump":           func(s string) string { return hex.Dump([]byte("token: " + s)) },
	"xxd":                xxd,
	"zero width":         func(s string) string { return spread(s, "\u200b") },
	"soft hyphen":        func(s string) string { return spread(s, "\u00ad") },
	"word joiner":        func(s string) string { return spread(s, "\u2060") },
	"variation selector": func(s string) string { return spread(s, "\ufe0f") },
	"full width":         fullWidth,
	"pictures":           func(s string) string { return s[:11] + "🔑" + s[11:25] + "\u2764\ufe0f" + s[25:] },
	"picture in prefix":  func(s string) string { return s[:2] + "😀" + s[2:] },
	"sum of strings":     func(s string) string { return `"` + s[:9] + `" + "` + s[9:] + `"` },
	"sum over lines":     func(s string) string { return "'" + s[:20] + "' +\n    '" + s[20:] + "'" },
	"sum in the prefix":  func(s string) string { return `"` + s[:2] + `" + "` + s[2:] + `"` },
	"adjacent strings":   func(s string) string { return `("` + s[:12] + `"` + "\n \"" + s[12:] + `")` },
	"dot sum":            func(s string) string { return `'` + s[:12] + `' . '` + s[12:] + `'` },
	"array join":         func(s string) string { return `["` + s[:12] + `", "` + s[12:] + `"].join("")` },
	"backslash line":     func(s string) string { return s[:20] + "\\\n" + s[20:] },
	"wrapped":            func(s string) string { return s[:20] + "\n" + s[20:] + "\n" },
	"wrapped, quoted":    func(s string) string { return "> " + s[:20] + "\n> " + s[20:] + "\n" },
	"quoted printable":   func(s string) string { return "token=3D" + s[:20] + "=\n" + s[20:] + "\n" },
	"emphasis":           func(s string) string { return "**" + s + "** and __" + s + "__" },
	"link":               func(s string) string { return "[x](https://a.corp.net/?t=" + s + ")" },
	"git remote":         func(s string) string { return "git remote add o https://x-access-token:" + s + "@github.com/a/b.git" },
	"git user":           func(s string) string { return "https://" + s + "@github.com/a/b.git" },
	"escaped newline":    func(s string) string { return `"line\n` + s + `\n"` },
	"glued":              func(s string) string { return "Use\u200b" + s },
	"allow comment":      func(s string) string { return s + " # gitleaks:allow" },
	"header":             func(s string) string { return "X-Token:" + s },
	"pipe":               func(s string) string { return "|" + s + "|" },
	"html tag":           func(s string) string { return "<code>" + s + "</code>" },
	"wrapped base64": func(s string) string {
		e := b64("GITHUB_TOKEN=" + s + " and some more text behind it, for length")
		return e[:60] + "\n" + e[60:]
	},
	"json base64":    func(s string) string { return `{"data":"` + b64(`{"token":"`+s+`"}`) + `"}` },
	"double percent": func(s string) string { return strings.ReplaceAll(percent(s), "%", "%25") },
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func entities(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "&#%d;", s[i])
	}
	return b.String()
}

func spread(s, between string) string {
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && i%3 == 0 {
			b.WriteString(between)
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func fullWidth(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r + 0xFEE0)
	}
	return b.String()
}

func xxd(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		line := s[i:min(len(s), i+16)]
		fmt.Fprintf(&b, "%08x:", i)
		for j := 0; j < len(line); j += 2 {
			fmt.Fprintf(&b, " %x", line[j:min(len(line), j+2)])
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	return b.String()
}

func TestTokensAreFoundHoweverTheyAreWritten(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(3, 4))
	const draws = 20
	for name, encode := range encodings {
		n, example := 0, ""
		for range draws {
			token := drawGitHub(r)
			text := "We saw this in the log:\n" + encode(token) + " and went on.\n"
			if !reaches(e, text, "\x00") {
				n++
				example = text
			}
		}
		if n > 0 {
			t.Errorf("%s: missed %d of %d, such as %q", name, n, draws, example)
		}
	}
}

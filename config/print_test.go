package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

const secret = "s3cr3t"

func TestPasswordsAreMaskedInEveryForm(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "",
		"postgres://u:" + secret + "@h:1/d?sslmode=require":       "postgres://u:***@h:1/d?sslmode=require",
		"postgresql://u@h/d?password=" + secret:                   "postgresql://u@h/d?password=***",
		"postgres://u@h/d?sslPassword=" + secret:                  "postgres://u@h/d?sslPassword=***",
		"postgres://u@h/d":                                        "postgres://u@h/d",
		"postgres://u:" + secret + "@h:port/d":                    "***",
		"host=h password=" + secret + " dbname=d":                 "host=h password=*** dbname=d",
		"password = '" + secret + " more' host=h":                 "password = *** host=h",
		`host=h password='it\'s ` + secret + `' x=y`:              "host=h password=*** x=y",
		`host=h password=a\ ` + secret + ` x=y`:                   "host=h password=*** x=y",
		"host=h PASSWORD='" + secret + " unfinished":              "host=h PASSWORD=***",
		"host=h sslpassword=" + secret + " passfile=/home/ann/pw": "host=h sslpassword=*** passfile=/home/ann/pw",
	} {
		d := DatabaseURL(in)
		require.Equal(t, want, d.String())
		require.Equal(t, in, d.Plain())
		require.NotContains(t, fmt.Sprintf("%s %v %q %#v %+v", d, d, d, d, struct{ D DatabaseURL }{d}), secret)
	}
}

func TestNothingShowsASecret(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://u:" + secret + "@h/d", "host=h password=" + secret} {
		c, err := load(map[string]string{"database-url": url, "read-database-url": url}, ordinary(), "")
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, c.Print(&out, false))
		require.NoError(t, c.Print(&out, true))
		slog.New(slog.NewJSONHandler(&out, nil)).Info("config", "config", &c, "url", c.DatabaseURL)
		slog.New(slog.NewTextHandler(&out, nil)).Info("config", "config", &c, "url", c.DatabaseURL)
		raw, err := json.Marshal(c)
		require.NoError(t, err)
		out.Write(raw)
		fmt.Fprintf(&out, "%v %+v %#v", c, c, c)
		require.NotContains(t, out.String(), secret)
		require.Contains(t, out.String(), mask)
	}
	for _, bad := range []string{secret, "mysql://u:" + secret + "@h", "postgres://u:" + secret + "@h:port/d"} {
		_, err := load(map[string]string{"database-url": bad}, ordinary(), "")
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
	}
}

func TestPrintShowsEachValueWithItsSource(t *testing.T) {
	t.Parallel()
	c, err := load(map[string]string{"workers": "3"}, ordinary("INTERAI_LOG_FORMAT=json"), "")
	require.NoError(t, err)

	var table bytes.Buffer
	require.NoError(t, c.Print(&table, false))
	for _, line := range []string{
		`(?m)^OPTION +VALUE +SOURCE$`,
		`(?m)^workers +3 +flag$`,
		`(?m)^log-format +json +environment$`,
		`(?m)^audit-retention +400d +default$`,
		`(?m)^database-url +- +default$`,
	} {
		require.Regexp(t, line, table.String())
	}

	var raw bytes.Buffer
	require.NoError(t, c.Print(&raw, true))
	var entries []entry
	require.NoError(t, json.Unmarshal(raw.Bytes(), &entries))
	require.Len(t, entries, len(Options()))
	require.Contains(t, entries, entry{"workers", "3", sourceFlag, "INTERAI_WORKERS", "Groups of targets that this process folds at once."})
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestPrintReportsAWriterThatFails(t *testing.T) {
	t.Parallel()
	c, err := load(nil, ordinary(), "")
	require.NoError(t, err)
	require.Error(t, c.Print(brokenWriter{}, true))
	require.Error(t, c.Print(brokenWriter{}, false))
}

func TestSecretsAreFoundInEveryForm(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                                      nil,
		"postgres://u:a%20b@h/d":                {"a b"},
		"postgres://u@h/d?sslpassword=x&y=z":    {"x"},
		"postgres://u@h/d":                      nil,
		`host=h password='it\'s' sslpassword=y`: {"it's", "y"},
		`password=a\ b host=h`:                  {"a b"},
		"host=h passfile=/home/ann/pw":          nil,
	} {
		c := Config{DatabaseURL: DatabaseURL(in)}
		if in != "" {
			want = append([]string{in}, want...)
		}
		require.Equal(t, want, c.Secrets(), in)
	}
	c := Config{SMTPURL: "smtps://u:mail@h:465", ReadDatabaseURL: "host=r password=read"}
	require.Subset(t, c.Secrets(), []string{"mail", "read"})
}

func TestAnActorOfActionsNeedsAToken(t *testing.T) {
	t.Parallel()
	got, _ := problems(t, map[string]string{"actions-actor": "ai_x"}, ordinary(), "")
	require.Equal(t, []string{"actions-actor " + RuleTogether}, got)
	c, err := load(map[string]string{"actions-token-file": "/no/such/file"}, ordinary(), "")
	require.NoError(t, err, "commands that serve nothing need no token")
	require.True(t, c.Actions())
	require.False(t, (&Config{}).Actions())
}

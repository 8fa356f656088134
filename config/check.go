package config

import "fmt"

// check holds the rules that look at more than one option. A rule about an
// option that has a problem of its own is left out: one mistake, one message.
func (l *loader) check(c *Config) {
	rules := []struct {
		option string
		with   string
		rule   string
		broken bool
		text   string
	}{
		{
			"addr", "behind-proxy", RuleExposed,
			!isLoopback(c.Addr) && !c.BehindProxy && l.empty("tls-cert") && l.empty("tls-key"),
			fmt.Sprintf("%s is reachable from other machines: set --tls-cert and --tls-key, or --behind-proxy if a proxy in front speaks TLS", c.Addr),
		},
		{"tls-cert", "tls-key", RuleTogether, c.TLSCert == "" && c.TLSKey != "", "it is needed with --tls-key"},
		{"tls-key", "tls-cert", RuleTogether, c.TLSCert != "" && c.TLSKey == "", "it is needed with --tls-cert"},
		{
			"read-database-url", "database-url", RuleTogether,
			c.ReadDatabaseURL != "" && c.PrivateCluster(),
			"it needs --database-url: the private cluster has no replicas",
		},
		{
			"actions-actor", "actions-token-file", RuleTogether,
			c.ActionsActor != "" && c.ActionsTokenFile == "",
			"it needs --actions-token-file",
		},
		{"smtp-url", "smtp-from", RuleTogether, c.SMTPURL != "" && c.SMTPFrom == "", "it needs --smtp-from"},
		{"smtp-from", "smtp-url", RuleTogether, c.SMTPURL == "" && c.SMTPFrom != "", "it needs --smtp-url"},
		{
			"oidc-issuer", "public-url", RuleTogether,
			c.OIDCIssuer != "" && c.PublicURL == "",
			"it needs --public-url: access tokens must be meant for the URL of this server",
		},
		{
			"db-conns", "database-url", RuleTogether,
			c.PrivateCluster() && c.DBConns > privateConns,
			fmt.Sprintf("the private cluster allows at most %d for each process", privateConns),
		},
		{
			"publish-body-limit", "body-limit", RuleTogether,
			c.PublishBodyLimit < c.BodyLimit,
			"it must not be less than --body-limit",
		},
		{
			"body-memory", "publish-body-limit", RuleTogether,
			c.BodyMemory < 2*c.PublishBodyLimit,
			"it must be at least twice --publish-body-limit",
		},
	}
	for _, r := range rules {
		if r.broken && !l.failed(r.option) && !l.failed(r.with) {
			l.add(r.option, c.sources[r.option], r.rule, r.text)
		}
	}
}

// empty reports that nothing was given for an option. A certificate whose file
// is missing still shows what was meant.
func (l *loader) empty(option string) bool { return l.given[option].text == "" }

func (l *loader) failed(option string) bool {
	for _, p := range l.problems {
		if p.Option == option {
			return true
		}
	}
	return false
}

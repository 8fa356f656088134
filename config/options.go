package config

import (
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

const (
	// rootDataDir is the data directory of a process that is root (DECISIONS 27).
	rootDataDir = "/var/lib/interai"
	// privateConns is the largest pool beside the private cluster, which allows
	// 200 connections for all processes of a data directory, stdio ones too.
	privateConns = 150
	// apiConns is what a pool needs beside one connection for each worker.
	apiConns = 16
)

// Options is the table of all options, in the order of the reference. A
// computed default may rest on the options above it.
func Options() []Option {
	return slices.Concat(listenOptions(), identityOptions(), actionsOptions(), databaseOptions(), ruleOptions(), searchOptions(), boundOptions())
}

func listenOptions() []Option {
	return []Option{
		text("addr", "127.0.0.1:8080", "Address to listen on; anything but loopback needs TLS or --behind-proxy.",
			func(c *Config) *string { return &c.Addr }, parseAddr),
		text("public-url", "", "URL under which clients reach this server; empty: taken from the listen address.",
			func(c *Config) *string { return &c.PublicURL }, parsePublicURL),
		list("allowed-hosts", "", "Host headers to accept beside loopback and the public URL's, separated by commas.",
			func(c *Config) *[]string { return &c.AllowedHosts }, parseHost),
		list("allowed-origins", "", "Origin headers to accept beside the server's own, separated by commas.",
			func(c *Config) *[]string { return &c.AllowedOrigins }, parseOrigin),
		toggle("behind-proxy", "false", "A reverse proxy in front speaks TLS; allows a listen address that is not loopback.",
			func(c *Config) *bool { return &c.BehindProxy }),
		list("trusted-proxies", "", "Networks of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8, separated by commas.",
			func(c *Config) *[]string { return &c.TrustedProxies }, parseNetwork),
		text("tls-cert", "", "PEM file with the certificate chain; with --tls-key the server speaks TLS itself.",
			func(c *Config) *string { return &c.TLSCert }, parseFile),
		text("tls-key", "", "PEM file with the certificate's key.",
			func(c *Config) *string { return &c.TLSKey }, parseFile),
	}
}

func identityOptions() []Option {
	return []Option{
		text("oidc-issuer", "", "URL of an OpenID issuer whose access tokens are accepted beside API keys; needs --public-url. Empty: none.",
			func(c *Config) *string { return &c.OIDCIssuer }, parseIssuer),
		list("oidc-hosts", "", "Hosts that may be asked for the issuer's keys beside its own, separated by commas.",
			func(c *Config) *[]string { return &c.OIDCHosts }, parseHost),
		serverURL("smtp-url", "Mail server for verification links: smtp://user:password@host:587 (STARTTLS) or smtps://…; with --smtp-from.",
			func(c *Config) *ServerURL { return &c.SMTPURL }, parseMailServer),
		text("smtp-from", "", "Address that verification links are sent from.",
			func(c *Config) *string { return &c.SMTPFrom }, parseMailAddress),
	}
}

func actionsOptions() []Option {
	return []Option{
		text("actions-token-file", "", "File with the bearer token of GPT Actions: one line of at least 32 bytes, mode 0600; read at each request. Empty: Actions is off.",
			func(c *Config) *string { return &c.ActionsTokenFile }, parseDir),
		text("actions-actor", "", "Public ID of the actor that Actions speaks for; empty: the local agent.",
			func(c *Config) *string { return &c.ActionsActor }, anyText),
		count("actions-calls-per-minute", "120", "Calls a minute over Actions, counted by each process for itself.",
			func(c *Config) *int { return &c.ActionsCallsPerMinute }, 1, 1_000_000),
		count("actions-concurrency", "8", "Calls over Actions in work at once; further ones wait 3 seconds for a place.",
			func(c *Config) *int { return &c.ActionsConcurrency }, 1, 10_000),
	}
}

func databaseOptions() []Option {
	return []Option{
		database("database-url", "PostgreSQL to use; empty: a private cluster in the data directory.",
			func(c *Config) *DatabaseURL { return &c.DatabaseURL }),
		database("read-database-url", "Replica for reads; not used in this version. Needs --database-url.",
			func(c *Config) *DatabaseURL { return &c.ReadDatabaseURL }),
		text("data-dir", "/var/lib/interai as root, else $XDG_DATA_HOME/interai or ~/.local/share/interai",
			"Directory of the private cluster and of credentials.json.",
			func(c *Config) *string { return &c.DataDir }, requiredDir).derived(defaultDataDir),
		text("pg-bin-dir", "", "Directory of the PostgreSQL server binaries; empty: the newest that is found.",
			func(c *Config) *string { return &c.PGBinDir }, parseDir),
		text("pg-os-user", "", "Account that runs the private cluster when interai is root; empty: the cluster's owner, else postgres.",
			func(c *Config) *string { return &c.PGOSUser }, anyText),
		span("db-wait", "2s", "How long a call waits for a database that was up and is gone.",
			func(c *Config) *time.Duration { return &c.DBWait }, 0, time.Minute),
		toggle("auto-migrate", "true", "Migrate the database at start.",
			func(c *Config) *bool { return &c.AutoMigrate }),
		count("workers", "one for each core", "Groups of targets that this process folds at once.",
			func(c *Config) *int { return &c.Workers }, 1, 1000).derived(defaultWorkers),
		count("db-conns", "16 + workers", "Largest number of database connections for calls; jobs have workers + 6 of their own.",
			func(c *Config) *int { return &c.DBConns }, 8, 2000).derived(defaultConns),
		span("sweep-interval", "30s", "How often targets whose evidence is not folded yet are looked for.",
			func(c *Config) *time.Duration { return &c.SweepInterval }, time.Second, time.Hour),
		span("epoch-interval", "1h", "How often the reputation of all parties is computed anew.",
			func(c *Config) *time.Duration { return &c.EpochInterval }, time.Minute, 30*24*time.Hour),
		span("signals-interval", "6h", "How often patterns in who confirms whom are looked for, for moderators.",
			func(c *Config) *time.Duration { return &c.SignalsInterval }, time.Minute, 30*24*time.Hour),
	}
}

func ruleOptions() []Option {
	return []Option{
		count("writes-per-hour", "200", "Writes an hour for each root controller, with all that it answers for. As many may come at once.",
			func(c *Config) *int { return &c.WritesPerHour }, 1, 10_000_000),
		count("actor-writes-per-hour", "0", "Writes an hour for each actor; 0: as many as its root controller has.",
			func(c *Config) *int { return &c.ActorWritesPerHour }, 0, 10_000_000),
		count("rejections-per-hour", "30", "Rejected writes an hour for each root controller; the last one ends its writes for an hour.",
			func(c *Config) *int { return &c.RejectionsPerHour }, 1, 10_000_000),
		count("claims-per-day", "2000", "New claims a day for each root controller; claims that exist are not counted.",
			func(c *Config) *int { return &c.ClaimsPerDay }, 50, 10_000_000),
		count("reads-per-hour", "36000", "Reads an hour for each actor, counted by each process for itself.",
			func(c *Config) *int { return &c.ReadsPerHour }, 1, 1_000_000_000),
		count("failures-per-minute", "20", "Failed authentications a minute for each network, /24 or /48, before it is refused unheard.",
			func(c *Config) *int { return &c.FailuresPerMinute }, 1, 10_000_000),
		span("audit-retention", "400d", "How long audit rows are kept.",
			func(c *Config) *time.Duration { return &c.AuditRetention }, day, 36500*day),
		span("idempotency-retention", "30d", "How long an idempotency key is remembered.",
			func(c *Config) *time.Duration { return &c.IdempotencyRetention }, day, 3650*day),
	}
}

func searchOptions() []Option {
	return []Option{
		count("search-trust-percent", "50", "How much of the score of a search result trust decides; the rest is relevance.",
			func(c *Config) *int { return &c.SearchTrustPercent }, 0, 70),
		count("search-explore-slots", "1", "Untried items that a page of search results shows so that somebody tries them.",
			func(c *Config) *int { return &c.SearchExploreSlots }, 0, 5),
		list("search-languages", "en", "Languages in which words of a search are stemmed, such as en,de.",
			func(c *Config) *[]string { return &c.SearchLanguages }, parseLanguage),
	}
}

func boundOptions() []Option {
	return []Option{
		count("max-connections", "1024", "Open client connections; a further one takes the place of the longest idle one, or waits if none is idle.",
			func(c *Config) *int { return &c.MaxConnections }, 1, 1_000_000),
		span("header-timeout", "5s", "How long a client may take to send the head of a request.",
			func(c *Config) *time.Duration { return &c.HeaderTimeout }, 10*time.Millisecond, time.Minute),
		span("read-timeout", "30s", "How long a client may take to send a whole request.",
			func(c *Config) *time.Duration { return &c.ReadTimeout }, 10*time.Millisecond, 10*time.Minute),
		span("write-timeout", "30s", "How long a client may take nothing of its answer before its connection ends.",
			func(c *Config) *time.Duration { return &c.WriteTimeout }, 10*time.Millisecond, 10*time.Minute),
		span("idle-timeout", "2m", "How long a connection may be without a request.",
			func(c *Config) *time.Duration { return &c.IdleTimeout }, 10*time.Millisecond, time.Hour),
		count("max-streams", "256", "Event streams that subscribers may hold open at once; one party may hold a quarter of them.",
			func(c *Config) *int { return &c.MaxStreams }, 4, 1_000_000),
		span("stream-lifetime", "30m", "How long an event stream lives; then the client opens it again.",
			func(c *Config) *time.Duration { return &c.StreamLifetime }, 10*time.Millisecond, day),
		count("max-active-calls", "256", "Calls in work at once; further ones queue within their deadline.",
			func(c *Config) *int { return &c.MaxActiveCalls }, 1, 100_000),
		count("max-nesting", "64", "How deep objects and lists of a request's arguments may be nested.",
			func(c *Config) *int { return &c.MaxNesting }, 16, 256),
		size("body-limit", "1MiB", "Largest request body.",
			func(c *Config) *int64 { return &c.BodyLimit }, 16<<10, 64<<20, false),
		size("publish-body-limit", "12MiB", "Largest request body that may hold a publish with its assets.",
			func(c *Config) *int64 { return &c.PublishBodyLimit }, 16<<10, 256<<20, false),
		size("body-memory", "32MiB, or twice the publish body limit", "Memory for request bodies of all calls at once; further ones wait.",
			func(c *Config) *int64 { return &c.BodyMemory }, 1<<15, 1<<40, false).derived(defaultBodyMemory),
		size("memory-limit", "192MiB", "Memory that the Go runtime tries to stay below, such as 2GiB; 0: none.",
			func(c *Config) *int64 { return &c.MemoryLimit }, 64<<20, 64<<40, true),
		option("log-level", "info", "Least severe log lines to write: debug, info, warn or error.",
			func(c *Config) *slog.Level { return &c.LogLevel }, parseLevel, showLevel),
		choice("log-format", "auto", "Form of log lines: auto (text on a terminal, JSON elsewhere), text or json.",
			func(c *Config) *string { return &c.LogFormat }, "auto", "text", "json"),
	}
}

// requiredDir is a directory that cannot be left empty.
func requiredDir(s string) (string, error) {
	if s == "" {
		return "", violates(RuleFormat, "it must not be empty")
	}
	return parseDir(s)
}

// defaultDataDir follows DECISIONS 27. A relative XDG_DATA_HOME is to be
// ignored, says the XDG base directory specification.
func defaultDataDir(_ *Config, s surroundings) (string, error) {
	if s.uid == 0 {
		return rootDataDir, nil
	}
	if dir := s.lookup("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "interai"), nil
	}
	home := s.lookup("HOME")
	if !filepath.IsAbs(home) {
		return "", violates(RuleTogether, "there is no default without HOME; set --data-dir")
	}
	return filepath.Join(home, ".local", "share", "interai"), nil
}

func defaultWorkers(_ *Config, s surroundings) (string, error) {
	return strconv.Itoa(min(max(s.cores, 1), 1000)), nil
}

func defaultBodyMemory(c *Config, _ surroundings) (string, error) {
	return strconv.FormatInt(max(32<<20, 2*c.PublishBodyLimit), 10), nil
}

func defaultConns(c *Config, _ surroundings) (string, error) {
	conns := apiConns + c.Workers
	if c.PrivateCluster() {
		conns = min(conns, privateConns)
	}
	return strconv.Itoa(conns), nil
}

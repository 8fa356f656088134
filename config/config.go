package config

import (
	"log/slog"
	"time"
)

// Config is the whole configuration, validated. Every field is the option of
// the same name in the table of options.go, which documents it.
type Config struct {
	Addr      string // host:port to listen on; port 0 picks a free one
	PublicURL string // without a trailing slash; empty: derived from Addr

	DatabaseURL     DatabaseURL // empty: the private cluster
	ReadDatabaseURL DatabaseURL // empty: reads go to DatabaseURL
	DataDir         string      // absolute
	PGBinDir        string      // empty: found
	PGOSUser        string      // empty: the cluster's owner, else postgres
	DBWait          time.Duration
	DBConns         int
	AutoMigrate     bool

	AllowedHosts   []string // lower case, host or host:port
	AllowedOrigins []string // lower case, scheme://host[:port]
	BehindProxy    bool
	TrustedProxies []string // CIDR, masked
	TLSCert        string   // path of a PEM file; set together with TLSKey
	TLSKey         string

	OIDCIssuer string   // empty: no access tokens
	OIDCHosts  []string // lower case, host or host:port

	ActionsTokenFile      string // absolute; empty: Actions is off
	ActionsActor          string // public ID; empty: the local agent
	ActionsCallsPerMinute int
	ActionsConcurrency    int

	SMTPURL  ServerURL // empty: no mail is sent; set together with SMTPFrom
	SMTPFrom string

	Workers              int
	SweepInterval        time.Duration
	EpochInterval        time.Duration
	SignalsInterval      time.Duration
	WritesPerHour        int // for each root controller
	ActorWritesPerHour   int // for each actor; 0: that of its root controller
	RejectionsPerHour    int // for each root controller
	ClaimsPerDay         int // new ones, for each root controller
	ReadsPerHour         int // for each actor and process
	FailuresPerMinute    int // failed authentications, for each network
	AuditRetention       time.Duration
	IdempotencyRetention time.Duration

	SearchTrustPercent int      // of a score that trust decides
	SearchExploreSlots int      // untried items on a page
	SearchLanguages    []string // subtags, lower case

	MaxConnections   int
	MaxActiveCalls   int
	MaxStreams       int
	MaxNesting       int
	HeaderTimeout    time.Duration
	ReadTimeout      time.Duration
	WriteTimeout     time.Duration
	IdleTimeout      time.Duration
	StreamLifetime   time.Duration
	BodyLimit        int64 // bytes
	PublishBodyLimit int64 // bytes
	BodyMemory       int64 // bytes
	MemoryLimit      int64 // bytes; 0: none

	LogLevel  slog.Level
	LogFormat string // "auto", "text" or "json"

	sources map[string]string // option name -> where its value came from
}

// PrivateCluster reports that interai runs its own PostgreSQL.
func (c *Config) PrivateCluster() bool { return c.DatabaseURL == "" }

// TLS reports that the listener speaks TLS itself.
func (c *Config) TLS() bool { return c.TLSCert != "" }

// Actions reports that operations are served to hosts such as GPT Actions.
func (c *Config) Actions() bool { return c.ActionsTokenFile != "" }

// Source says where an option's value came from: "flag", "environment", the
// path of the file, or "default"; empty for a name that is no option.
func (c *Config) Source(option string) string { return c.sources[option] }

// LogValue keeps secrets out of logs.
func (c *Config) LogValue() slog.Value {
	attrs := make([]slog.Attr, 0, len(c.sources))
	for _, o := range Options() {
		attrs = append(attrs, slog.String(o.Name, o.show(c)))
	}
	return slog.GroupValue(attrs...)
}

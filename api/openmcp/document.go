package openmcp

import (
	"encoding/json"

	"interai/api/ops"
)

// Document is a document of version 0.4.1 as it is written here. Members that begin with x_ are ours: the specification
// has no word for what they say.
type Document struct {
	OpenMCPSpec string      `json:"openmcpspec"`
	Info        Info        `json:"info"`
	Server      Server      `json:"server"`
	Envelope    *Envelopes  `json:"envelope,omitempty"`
	Intents     []Intent    `json:"intents"`
	Enumeration Enumeration `json:"enumeration"`
	Lifecycle   *Lifecycle  `json:"lifecycle,omitempty"`
	Testing     *Testing    `json:"testing,omitempty"`
	Analytics   *Analytics  `json:"analytics,omitempty"`
	Errors      []Failure   `json:"x_interai_errors,omitempty"`
	Definitions any         `json:"definitions,omitempty"`
}

// Info is section 2.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

// Server is section 3.
type Server struct {
	Name      string   `json:"name"`
	Hostname  string   `json:"hostname"`
	Port      int      `json:"port"`
	Protocol  string   `json:"protocol"`
	BasePath  string   `json:"base_path,omitempty"`
	Endpoints []string `json:"endpoints,omitempty"`
	Auth      *Auth    `json:"auth,omitempty"`
	// Transport is the way of MCP: streamable-http or stdio.
	Transport string `json:"x_transport,omitempty"`
	// Revisions are the revisions of MCP that are negotiated, or the one that was.
	Revisions []string `json:"x_mcp_revisions,omitempty"`
}

// Auth is how clients authenticate. API keys have no word in the specification.
type Auth struct {
	Methods     []string `json:"methods"`
	Audience    string   `json:"audience,omitempty"`
	TokenScopes []string `json:"token_scopes"`
	Ours        []string `json:"x_interai_auth,omitempty"`
	Issuer      string   `json:"x_issuer,omitempty"`
}

// Intent is section 5: one operation.
type Intent struct {
	Name        string      `json:"name"`
	Title       string      `json:"x_title,omitempty"`
	Description string      `json:"description,omitempty"`
	Category    string      `json:"category,omitempty"`
	Parameters  []Parameter `json:"parameters"`
	Responses   Responses   `json:"responses"`
	Metadata    *Metadata   `json:"metadata,omitempty"`
	// MaxInputBytes bounds the JSON text of all arguments together.
	MaxInputBytes int `json:"x_max_input_bytes,omitempty"`
	// Closed says that parameters which are not listed are refused.
	Closed bool `json:"x_closed,omitempty"`
	// NullIsAbsent says that a member which is null counts as left out, at every depth.
	NullIsAbsent bool `json:"x_null_is_absent,omitempty"`
}

// Parameter is section 5.1.
type Parameter struct {
	Name          string          `json:"name"`
	Type          string          `json:"type"`
	Description   string          `json:"description,omitempty"`
	Required      bool            `json:"required"`
	Default       json.RawMessage `json:"default,omitempty"`
	PII           bool            `json:"pii"`
	GDPRSensitive bool            `json:"gdpr_sensitive"`
	Enum          []string        `json:"enum,omitempty"`
	Pattern       string          `json:"pattern,omitempty"`
	Format        string          `json:"format,omitempty"`
	Minimum       json.Number     `json:"minimum,omitempty"`
	Maximum       json.Number     `json:"maximum,omitempty"`
	Dependencies  []string        `json:"dependencies,omitempty"`
	// Schema is the whole JSON Schema of the value: lengths, items and members have no place in the flat form.
	Schema json.RawMessage `json:"x_schema,omitempty"`
	// MaxBytes bounds the UTF-8 bytes of a text.
	MaxBytes int `json:"x_max_bytes,omitempty"`
	// PIIScanned says that the text is scanned for secrets and personal data, and refused with them.
	PIIScanned bool `json:"x_pii_scanned,omitempty"`
	// RequiredWithout: it must be given unless one of these is. ExcludedWith: it must not be given together with one.
	RequiredWithout []string `json:"x_required_without,omitempty"`
	ExcludedWith    []string `json:"x_excluded_with,omitempty"`
}

// Responses is section 5.2.
type Responses struct {
	Success Success  `json:"success"`
	Error   *Failure `json:"error,omitempty"`
}

// Success is the answer of a call that did not fail.
type Success struct {
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Failure is section 6: what errors of a kind are like.
type Failure struct {
	Code          string   `json:"code"`
	Ours          string   `json:"x_interai_code,omitempty"`
	Message       string   `json:"message"`
	Retryable     bool     `json:"retryable"`
	RecoveryHints []string `json:"recovery_hints,omitempty"`
	PayloadSchema any      `json:"payload_schema,omitempty"`
	// RetryableByDetails says that details.retryable decides, not the code.
	RetryableByDetails bool `json:"x_retryable_by_details,omitempty"`
	// Codes lists the codes that the intent may answer; x_interai_errors describes them.
	Codes []string `json:"x_interai_codes,omitempty"`
}

// Metadata says who may use an intent and how.
type Metadata struct {
	Roles       []string     `json:"roles,omitempty"`
	Security    []string     `json:"security,omitempty"`
	NLPHints    []string     `json:"nlp_hints,omitempty"`
	Version     string       `json:"version,omitempty"`
	Deprecated  bool         `json:"deprecated"`
	RBACScopes  []string     `json:"rbac_scopes,omitempty"`
	AuditHooks  []string     `json:"audit_hooks,omitempty"`
	Annotations *Annotations `json:"x_mcp_annotations,omitempty"`
}

// Annotations are the hints of MCP about a tool.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`    //nolint:tagliatelle // names of the protocol
	Destructive bool `json:"destructiveHint"` //nolint:tagliatelle // names of the protocol
	Idempotent  bool `json:"idempotentHint"`  //nolint:tagliatelle // names of the protocol
	OpenWorld   bool `json:"openWorldHint"`   //nolint:tagliatelle // names of the protocol
}

// Envelopes is section 4: an example of each wrapper that is really used, where its members stand in MCP, and the schema of
// what is read and answered.
type Envelopes struct {
	Request  RequestEnvelope   `json:"request"`
	Response ResponseEnvelope  `json:"response"`
	Binding  map[string]string `json:"x_mcp_binding"`
	Schemas  map[string]any    `json:"x_schemas"`
}

// RequestEnvelope is an example of a request.
type RequestEnvelope struct {
	ID             string         `json:"id"`
	Intent         string         `json:"intent"`
	Parameters     map[string]any `json:"parameters"`
	DeadlineMS     int            `json:"deadline_ms"`
	IdempotencyKey string         `json:"idempotency_key"`
	TraceID        string         `json:"trace_id"`
}

// ResponseEnvelope is an example of an answer.
type ResponseEnvelope struct {
	ID      string         `json:"id"`
	Status  string         `json:"status"`
	Data    map[string]any `json:"data"`
	TraceID string         `json:"trace_id"`
}

// Enumeration is section 7.
type Enumeration struct {
	Enabled    bool                `json:"enabled"`
	Filters    *Filters            `json:"filters,omitempty"`
	Pagination *Pagination         `json:"pagination,omitempty"`
	Versioning *Versioning         `json:"versioning,omitempty"`
	Tags       []string            `json:"capability_tags,omitempty"`
	Groups     []string            `json:"intent_groups,omitempty"`
	Members    map[string][]string `json:"x_intent_groups,omitempty"`
}

// Filters are the values by which intents can be told apart.
type Filters struct {
	Categories []string `json:"categories"`
	Roles      []string `json:"roles,omitempty"`
	Deprecated bool     `json:"deprecated"`
}

// Pagination says that one page lists all intents.
type Pagination struct {
	Limit   int  `json:"limit"`
	HasMore bool `json:"has_more"`
}

// Versioning is about the document's form.
type Versioning struct {
	SchemaVersion string `json:"schema_version"`
	Compatibility string `json:"compatibility,omitempty"`
	// MigrationPaths say what the operations of the interface's first version have become.
	MigrationPaths []string `json:"migration_paths,omitempty"`
}

// Lifecycle is section 8.
type Lifecycle struct {
	Changelog     []string `json:"changelog"`
	Compatibility string   `json:"compatibility"`
}

// Testing is section 9.
type Testing struct {
	MockData         map[string]any `json:"mock_data"`
	ValidationCases  []string       `json:"validation_cases"`
	BDDCases         []string       `json:"bdd_cases"`
	ConformanceTests []string       `json:"conformance_tests"`
}

// Analytics is section 10. No latency is promised, so that latency_sla_ms is absent.
type Analytics struct {
	Logging         bool     `json:"logging"`
	Metrics         []string `json:"metrics"`
	MonitoringHooks []string `json:"monitoring_hooks"`
	TraceIDs        bool     `json:"trace_id_support"`
	UsageQuota      int      `json:"usage_quota"`
	QuotaUnit       string   `json:"x_usage_quota_unit"`
	ReadDeadline    int64    `json:"x_read_deadline_ms"`
	WriteDeadline   int64    `json:"x_write_deadline_ms"`
}

// annotationsOf are the hints that tools/list gives of an operation.
func annotationsOf(spec ops.Spec) *Annotations {
	read := spec.Effect == ops.Read
	return &Annotations{
		ReadOnly: read, Destructive: spec.Hints.Destructive, Idempotent: read || spec.Hints.Idempotent, OpenWorld: spec.Hints.OpenWorld,
	}
}

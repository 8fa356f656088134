package ops

// Effect says whether an operation changes anything.
type Effect string

// The two effects.
const (
	// Read operations change nothing but counters and audit rows.
	Read Effect = "read"
	// Write operations store something for others to see.
	Write Effect = "write"
)

// Hints are promises about an operation that clients show to their users. Read
// operations are read-only by their effect.
type Hints struct {
	// Destructive: the operation may remove or overwrite something.
	Destructive bool
	// Idempotent: sending the same call again has no further effect. A write may
	// claim it only if its input carries an idempotency key.
	Idempotent bool
	// OpenWorld: the operation reaches beyond this server.
	OpenWorld bool
}

// Spec describes one operation to clients and bounds it.
type Spec struct {
	// Name is the stable name: [a-z_]{1,40}.
	Name string
	// Title is the display name, at most 60 characters.
	Title string
	// Description tells an agent when to use the operation, at most 300 characters.
	Description string
	// Scope is the right needed; "" = any authenticated caller.
	Scope string
	// Effect is Read or Write.
	Effect Effect
	// MaxInputBytes bounds the raw arguments; 0 = DefaultMaxInputBytes.
	MaxInputBytes int
	// MaxOutputBytes bounds the structured answer; 0 = DefaultMaxOutputBytes.
	MaxOutputBytes int
	// Hints are shown to users.
	Hints Hints
	// Rules are the operation's own pattern rules for `validate` tags, beside the
	// built-in ones of BuiltinRules.
	Rules []Rule
}

// Default bounds of one call.
const (
	// DefaultMaxInputBytes fits every input that carries no asset or long body.
	DefaultMaxInputBytes = 256 << 10
	// DefaultMaxOutputBytes fits the largest page of records that an operation gives.
	DefaultMaxOutputBytes = 2 << 20
)

// Rule is a named pattern for strings, used as a `validate` tag.
type Rule struct {
	// Name is the tag: [a-z_]+, not a built-in tag of validator/v10.
	Name string
	// Pattern is an anchored regular expression of the subset that RE2 and
	// ECMA-262 share; it is published in the schema.
	Pattern string
	// Message says what is expected, as in "must be lower_snake_case".
	Message string
}

// Keyed is implemented (with pointer receivers) by inputs that carry an
// idempotency key, which lets the executor merge the envelope's key into them.
type Keyed interface {
	GetIdempotencyKey() string
	SetIdempotencyKey(key string)
}

// Texter is implemented by outputs that render themselves. The text must be
// sufficient alone: some clients show nothing else to the model.
type Texter interface {
	Text() string
}

// Incompleter is implemented by outputs that may leave out a part of what was asked for because of its size.
type Incompleter interface {
	Incomplete() bool
}

// Linker is implemented by outputs that name resources which a client may read next.
type Linker interface {
	EachLink(yield func(uri, name, title string))
}

// Link names a resource.
type Link struct{ URI, Name, Title string }

// Summarizer is implemented by outputs that say what the audit row keeps: status,
// IDs, counts, at most 500 bytes, never content.
type Summarizer interface {
	AuditSummary() string
}

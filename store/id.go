package store

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"go.jetify.com/typeid/base32"
)

// Kind is the prefix of a public ID: which sort of object it names.
type Kind string

// The kinds of addressable objects (specification v2, section 4).
const (
	KindUser     Kind = "usr"
	KindOrg      Kind = "org"
	KindAgent    Kind = "ai"
	KindSpace    Kind = "spc"
	KindEntity   Kind = "ent"
	KindSource   Kind = "src"
	KindThread   Kind = "thr"
	KindContent  Kind = "cnt"
	KindRevision Kind = "rev"
	KindClaim    Kind = "clm"
	KindAsset    Kind = "ast"
	KindUsage    Kind = "use"
	KindReview   Kind = "rvw"
	KindRating   Kind = "rat"
	// KindCase is a case of moderation: the specification has none, and authors ask for what became of theirs.
	KindCase Kind = "cas"
)

// Kinds lists every kind in the specification's order, then our own.
func Kinds() []Kind {
	return []Kind{
		KindUser, KindOrg, KindAgent, KindSpace, KindEntity, KindSource, KindThread,
		KindContent, KindRevision, KindClaim, KindAsset, KindUsage, KindReview, KindRating, KindCase,
	}
}

// Known reports whether k is one of Kinds.
func (k Kind) Known() bool {
	switch k {
	case KindUser, KindOrg, KindAgent, KindSpace, KindEntity, KindSource, KindThread,
		KindContent, KindRevision, KindClaim, KindAsset, KindUsage, KindReview, KindRating, KindCase:
		return true
	}
	return false
}

// IsActor reports whether k names an actor.
func (k Kind) IsActor() bool { return k == KindUser || k == KindOrg || k == KindAgent }

// ErrMalformedID says that a string is not a public ID of a known kind.
var ErrMalformedID = errors.New("not an Inter-AI ID")

// ID is a public ID: a TypeID (kind, "_", UUIDv7 in 26 characters of lower-case Crockford base32). The zero
// value names nothing.
type ID struct {
	Kind Kind
	UUID uuid.UUID
}

// NewID makes a fresh ID: a UUIDv7 (RFC 9562), so IDs of one process sort by the time they were made.
func NewID(kind Kind) (ID, error) {
	u, err := uuid.NewV7()
	if err != nil {
		return ID{}, fmt.Errorf("make an ID: %w", err)
	}
	return ID{Kind: kind, UUID: u}, nil
}

// ParseID reads the form that String writes, and nothing else.
func ParseID(text string) (ID, error) {
	prefix, suffix, found := strings.Cut(text, "_")
	kind := Kind(prefix)
	if !found || !kind.Known() || len(suffix) != 26 || suffix[0] > '7' {
		return ID{}, ErrMalformedID
	}
	raw, err := base32.Decode(suffix)
	if err != nil {
		return ID{}, ErrMalformedID
	}
	return ID{Kind: kind, UUID: uuid.UUID(raw)}, nil
}

// String writes the public form, "" for the zero ID.
func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	return string(id.Kind) + "_" + base32.Encode(id.UUID)
}

// IsZero reports whether the ID names nothing.
func (id ID) IsZero() bool { return id.Kind == "" }

// MarshalText makes an ID a JSON string.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = ID{}
		return nil
	}
	parsed, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}

// idOf makes an ID of a nullable column; the zero ID for null.
func idOf(kind Kind, value *uuid.UUID) ID {
	if value == nil {
		return ID{}
	}
	return ID{Kind: kind, UUID: *value}
}

// nullable is the column value of an ID: null for the zero ID.
func nullable(id ID) *uuid.UUID {
	if id.IsZero() {
		return nil
	}
	return &id.UUID
}

// uuids are the column values of IDs.
func uuids(ids []ID) []uuid.UUID {
	out := make([]uuid.UUID, len(ids))
	for i, id := range ids {
		out[i] = id.UUID
	}
	return out
}

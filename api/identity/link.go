package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"interai/store"
)

// ErrLink says that a link is none of ours.
var ErrLink = errors.New("the link is not valid")

// tokenBytes are a proof's ID and the HMAC-SHA-256 over all that the link stands for.
const tokenBytes = 16 + sha256.Size

// sign is the HMAC of what parts say, each with its length so that no two lists of parts read the same.
func sign(key []byte, parts ...string) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return mac.Sum(nil)
}

// linkToken is the part of a link that proves.
func linkToken(key []byte, p *store.Proof) string {
	return base64.RawURLEncoding.EncodeToString(append(p.ID[:], signProof(key, p)...))
}

func signProof(key []byte, p *store.Proof) []byte {
	return sign(key, "link", p.ID.String(), p.Actor.String(), p.Kind, p.Subject, strconv.FormatInt(p.ExpiresAt.Unix(), 10))
}

// parseToken reads a token's proof and signature; whether it is ours only the proof can tell.
func parseToken(token string) (id uuid.UUID, signature []byte, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return uuid.UUID{}, nil, ErrLink
	}
	return uuid.UUID(raw[:16]), raw[16:], nil
}

// recordPrefix begins the TXT record that proves a domain.
const recordPrefix = "interai-verification="

// record is the TXT record of an actor in a domain: the same whenever it is asked for.
func record(key []byte, actor store.ID, domain string) string {
	return recordPrefix + base64.RawURLEncoding.EncodeToString(sign(key, "record", actor.String(), domain))
}

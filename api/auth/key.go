package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"strings"
)

// Lengths of the parts of a key: iai_<id>_<secret><checksum>, 66 characters in
// all, one word to double-click and one pattern for every secret scanner.
const (
	keyPrefix   = "iai_"
	idLength    = 12 // public
	secretChars = 43 // 62^43 > 2^256
	crcChars    = 6  // 62^6 > 2^32
	keyLength   = len(keyPrefix) + idLength + 1 + secretChars + crcChars
)

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Pattern matches keys in text, for secret scanners. A match is a key only if
// [Parse] accepts it.
const Pattern = `\biai_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}\b`

// ErrMalformed says that a text is not a key: wrong form or wrong checksum.
var ErrMalformed = errors.New("malformed API key")

// HashSize is the length of a stored key hash in bytes.
const HashSize = sha256.Size

// Key is an API key. It prints and logs as its public part; only Reveal gives the
// whole, which is shown to its owner once and stored nowhere.
type Key struct {
	text string
}

// Generate makes a key from the system's random source.
func Generate() (Key, error) { return generate(rand.Reader) }

// generate makes a key from random.
func generate(random io.Reader) (Key, error) {
	chars, err := randomChars(random, idLength+secretChars)
	if err != nil {
		return Key{}, fmt.Errorf("generate API key: %w", err)
	}
	body := chars[:idLength] + "_" + chars[idLength:]
	return Key{text: keyPrefix + body + checksum(body)}, nil
}

// randomChars returns n uniform characters of the alphabet. Bytes beyond the
// largest multiple of 62 are thrown away, else the first letters would be likelier.
func randomChars(random io.Reader, n int) (string, error) {
	const fair = 256 / len(alphabet) * len(alphabet)
	out := make([]byte, 0, n)
	buffer := make([]byte, 2*n)
	for len(out) < n {
		if _, err := io.ReadFull(random, buffer); err != nil {
			return "", fmt.Errorf("read random bytes: %w", err)
		}
		for _, b := range buffer {
			if int(b) < fair && len(out) < n {
				out = append(out, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(out), nil
}

// checksum is the CRC-32 (IEEE) of "id_secret" in six base62 digits. It finds typos
// without a database and lets scanners confirm a find offline; it protects nothing.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var digits [crcChars]byte
	for i := crcChars - 1; i >= 0; i-- {
		digits[i] = alphabet[sum%uint32(len(alphabet))]
		sum /= uint32(len(alphabet))
	}
	return string(digits[:])
}

// Parse reads a key. Its error is ErrMalformed and never contains the text.
func Parse(text string) (Key, error) {
	if len(text) != keyLength || !strings.HasPrefix(text, keyPrefix) {
		return Key{}, ErrMalformed
	}
	body := text[len(keyPrefix) : keyLength-crcChars]
	for i := range len(body) {
		if (i == idLength) != (body[i] == '_') || i != idLength && strings.IndexByte(alphabet, body[i]) < 0 {
			return Key{}, ErrMalformed
		}
	}
	if checksum(body) != text[keyLength-crcChars:] {
		return Key{}, ErrMalformed
	}
	return Key{text: text}, nil
}

// ID is the public part: twelve characters that name the key in lists and logs.
func (k Key) ID() string {
	if k.text == "" {
		return ""
	}
	return k.text[len(keyPrefix) : len(keyPrefix)+idLength]
}

// Reveal returns the whole key. Print it once, to its owner.
func (k Key) Reveal() string { return k.text }

// Hash is the SHA-256 of the whole key, which is what is stored. With 256 random
// bits in the key neither salt nor a slow hash adds anything.
func (k Key) Hash() [HashSize]byte { return sha256.Sum256([]byte(k.text)) }

// Matches compares the key's hash with a stored one in constant time. For an
// unknown key ID compare with [DummyHash], so that both answers take equally long.
func (k Key) Matches(stored []byte) bool {
	sum := k.Hash()
	return subtle.ConstantTimeCompare(sum[:], stored) == 1
}

// DummyHash is a hash that no key has.
func DummyHash() []byte { return make([]byte, HashSize) }

// String returns the public part with the rest masked.
func (k Key) String() string {
	if k.text == "" {
		return ""
	}
	return keyPrefix + k.ID() + "_***"
}

// GoString keeps %#v from printing the secret.
func (k Key) GoString() string { return k.String() }

// LogValue keeps logs from printing the secret.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

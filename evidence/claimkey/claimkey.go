// Package claimkey owns when two wordings are the same claim: when they are true under the same conditions. It is
// pure, and it errs on the side of two claims: a wrong merge moves evidence to a statement nobody made.
//
// Wordings meet by equal keys only, never by a similarity. Negations, quantifiers, numbers, versions, identifiers and
// the order of words are part of every key. What is merely similar is for Compare and Similarity, which suggest and
// never decide. Start at Of.
package claimkey

import (
	"crypto/sha256"
	"strings"

	"interai/evidence/retrieval/words"
)

// Version names the rules of this package; a key is only compared with keys of the same version.
const Version = 2

// Key is the SHA-256 of a sequence of tokens.
type Key = [32]byte

// Keys are what a claim is looked up by. Keys of two languages are never compared.
type Keys struct {
	// Normal is the normal form: tokens with single blanks between them.
	Normal string
	// Strict is the key of the normal form.
	Strict Key
	// Sequence is the key without words that change no truth, with inflections folded. Equal keys mean the same only
	// if Equivalent says so.
	Sequence Key
	// Rotation is the key that a sentence shares with the same one whose phrase was moved to the front. Most
	// sentences that share it are not the same: Equivalent decides.
	Rotation Key
	// HasSequence and HasRotation say whether there are these keys: there are for English, and the last for sentences
	// of four tokens or more.
	HasSequence, HasRotation bool
}

// Of answers the keys of a claim's text in a language, given as a BCP 47 tag. Languages whose negations and
// quantifiers are not known here have the strict key only.
func Of(text, language string) Keys {
	tokens := tokenise(text, words.Base(language))
	keys := Keys{Normal: normal(tokens)}
	keys.Strict = sha256.Sum256([]byte(keys.Normal))
	if words.Base(language) != words.English {
		return keys
	}
	sequence := essential(tokens)
	if keys.HasSequence = len(sequence) > 0; keys.HasSequence {
		keys.Sequence = hash(sequence, 0)
	}
	if keys.HasRotation = len(sequence) >= minRotated; keys.HasRotation {
		keys.Rotation = hash(sequence, leastRotation(sequence))
	}
	return keys
}

// hash is the key of a sequence that is read from one place on, round to the token before it.
func hash(sequence []token, from int) Key {
	h := sha256.New()
	for i := range sequence {
		h.Write([]byte(sequence[(from+i)%len(sequence)].stem))
		h.Write([]byte{0})
	}
	return Key(h.Sum(nil))
}

// Normalise is the normal form of a text whose language is not known.
func Normalise(text string) string { return normal(tokenise(text, words.Undetermined)) }

func normal(tokens []token) string {
	texts := make([]string, len(tokens))
	for i, t := range tokens {
		texts[i] = t.text
	}
	return strings.Join(texts, " ")
}

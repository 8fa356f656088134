// Package similar tells how much of two texts is the same: MinHash over runs of three words, which finds a copy that was
// edited, shortened or wrapped in other text. It is what moderators look at; it decides nothing.
//
// Start reading at [Of].
package similar

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"unicode"

	"interai/antiabuse/text"
)

// Version is the version of signatures: those of two versions cannot be compared.
const Version = 1

const (
	// MinWords is how long a text must be: shorter ones are equal or not (see [Exact]).
	MinWords = 30
	// Duplicate is from which likeness on a text is another one again.
	Duplicate = 0.7
	// Related is from which likeness on a text has much of another one.
	Related = 0.5

	hashes = 64
	bands  = 16
	rows   = hashes / bands
	// shingle is how many words a run has.
	shingle = 3
)

// Signature is what is kept of a text to compare it: for each of 64 hash functions the smallest value of all runs of
// words.
type Signature [hashes]uint32

// Of is the signature of a text; false for one of fewer than 30 words.
func Of(body string) (Signature, bool) {
	var s Signature
	for i := range s {
		s[i] = math.MaxUint32
	}
	n := 0
	for run := range shingles(body) {
		n++
		for i := range s {
			// The run with a seed of its own, mixed once more, is one hash function of 64.
			s[i] = min(s[i], uint32(mix(run^seed(i))>>32))
		}
	}
	return s, n > MinWords-shingle
}

// Words counts the words of a text as they are compared, and stops at most.
func Words(body string, most int) int {
	n := 0
	for range words(body) {
		if n++; n >= most {
			break
		}
	}
	return n
}

// Exact is the hash of a text as it is compared: folded, with words only. Texts that differ in case, marks or blanks
// have the same one.
func Exact(body string) [16]byte {
	h := sha256.New()
	for word := range words(body) {
		h.Write([]byte(word))
		h.Write([]byte{0})
	}
	var out [16]byte
	copy(out[:], h.Sum(nil))
	return out
}

// Bands are the keys under which a signature is looked up: texts that share one of them are worth a comparison. Of those
// with a likeness of 0.7 nearly all do, of those with 0.3 one in eight.
func (s Signature) Bands() [bands]int64 {
	var out [bands]int64
	for b := range out {
		key := uint64(b+1) * 0x9e3779b97f4a7c15
		for _, value := range s[b*rows : (b+1)*rows] {
			key = mix(key ^ uint64(value))
		}
		out[b] = int64(key)
	}
	return out
}

// Jaccard estimates, out of two signatures, which share of their runs of words two texts have in common. The standard
// error is 0.06.
func Jaccard(a, b Signature) float64 {
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / hashes
}

// Compare is the share of runs of words that two texts have in common, exactly. Two texts without any run are alike when
// their words are.
func Compare(a, b string) float64 {
	runs := map[uint64]bool{}
	for run := range shingles(a) {
		runs[run] = false
	}
	common, more := 0, 0
	other := map[uint64]bool{}
	for run := range shingles(b) {
		if other[run] {
			continue
		}
		other[run] = true
		if _, ok := runs[run]; ok {
			common++
		} else {
			more++
		}
	}
	if len(runs) == 0 && len(other) == 0 {
		if Exact(a) == Exact(b) {
			return 1
		}
		return 0
	}
	return float64(common) / float64(len(runs)+more)
}

// encodedBytes is the length of a stored signature: its version and its values.
const encodedBytes = 1 + 4*hashes

// ErrSignature is returned for bytes that are no signature of this version.
var ErrSignature = errors.New("not a signature of this version")

// Encode is a signature as it is stored.
func (s Signature) Encode() []byte {
	out := make([]byte, 1, encodedBytes)
	out[0] = Version
	for _, value := range s {
		out = binary.BigEndian.AppendUint32(out, value)
	}
	return out
}

// Decode reads a stored signature.
func Decode(stored []byte) (Signature, error) {
	var s Signature
	if len(stored) != encodedBytes || stored[0] != Version {
		return s, ErrSignature
	}
	for i := range s {
		s[i] = binary.BigEndian.Uint32(stored[1+4*i:])
	}
	return s, nil
}

// shingles yields the hash of each run of three words.
func shingles(body string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		var last [shingle]uint64
		n := 0
		for word := range words(body) {
			last[n%shingle] = hash(word)
			n++
			if n < shingle {
				continue
			}
			run := uint64(0)
			for k := range shingle {
				run = mix(run ^ last[(n+k)%shingle])
			}
			if !yield(run) {
				return
			}
		}
	}
}

// words yields the words of a text in the form in which texts are compared. What is written without blanks is taken
// letter by letter.
func words(body string) iter.Seq[string] {
	return func(yield func(string) bool) {
		folded := text.Fold(body)
		start := -1
		for i, r := range folded {
			if (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) && !isIdeograph(r) {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 && !yield(folded[start:i]) {
				return
			}
			start = -1
			if isIdeograph(r) && !yield(string(r)) {
				return
			}
		}
		if start >= 0 {
			yield(folded[start:])
		}
	}
}

func isIdeograph(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// hash is FNV-1a, which is the same on all machines.
func hash(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// mix spreads all bits of a number over all others (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// seed makes one hash function of 64.
func seed(i int) uint64 { return mix(uint64(i+1) * 0x9e3779b97f4a7c15) }

package claimkey

import (
	"slices"
	"strings"

	"interai/evidence/retrieval/words"
)

// Tier is how two wordings were found to be the same claim.
type Tier int

// The tiers, from the plainest on. The numbers are stored.
const (
	None     Tier = 0 // two claims
	Strict   Tier = 1 // the same normal form
	Sequence Tier = 2 // the same words in the same order, but for inflections and fillers
	Rotation Tier = 3 // the same, but for a phrase that was moved to the front
)

func (t Tier) String() string {
	return [...]string{"none", "strict", "sequence", "rotation"}[max(None, min(t, Rotation))]
}

const (
	minRotated = 4 // tokens of a sentence that a phrase can be moved in
	minFronted = 2 // tokens of such a phrase
)

// Equivalent is the check behind equal keys: by which tier two wordings of one language are the same claim. It is
// symmetric, and every text is equivalent to itself.
func Equivalent(a, b, language string) Tier {
	base := words.Base(language)
	left, right := tokenise(a, base), tokenise(b, base)
	switch {
	case normal(left) == normal(right):
		return Strict
	case base != words.English:
		return None
	}
	left, right = essential(left), essential(right)
	switch {
	case len(left) != len(right) || len(left) == 0:
		return None
	case slices.EqualFunc(left, right, alike):
		return Sequence
	case len(left) >= minRotated && (fronted(left, right) || fronted(right, left)):
		return Rotation
	}
	return None
}

// alike reports whether two tokens are the same but for an inflection. Stems alone would join important and import.
func alike(a, b token) bool {
	if a.stem != b.stem {
		return false
	}
	return a.text == b.text || a.class == classWord && b.class == classWord && inflected(a.text, b.text)
}

// fronted reports whether a is b with a phrase moved from the end to the front.
func fronted(a, b []token) bool {
	if !frontable[a[0].text] {
		return false
	}
	for size := minFronted; size < len(a); size++ {
		if slices.EqualFunc(a[:size], b[len(b)-size:], alike) && slices.EqualFunc(a[size:], b[:len(b)-size], alike) {
			return true
		}
	}
	return false
}

// frontable are the words that a phrase begins with which can stand in front or at the end.
var frontable = set("in on at during since until before after when if while for with by from under within")

// leastRotation is where the rotation of a sequence begins that is first in order: all rotations of it share that
// one. It compares two beginnings at a time and skips what cannot be least, so it is linear.
func leastRotation(sequence []token) int {
	n := len(sequence)
	i, j, k := 0, 1, 0
	for i < n && j < n && k < n {
		x, y := sequence[(i+k)%n].stem, sequence[(j+k)%n].stem
		if x == y {
			k++
			continue
		}
		if x > y {
			i += k + 1
		} else {
			j += k + 1
		}
		if i == j {
			j++
		}
		k = 0
	}
	return min(i, j)
}

// inflected reports whether two words may be forms of one: they share a base after one ending is taken off.
func inflected(a, b string) bool {
	if ownWords[a] || ownWords[b] {
		return false
	}
	left := bases(a)
	return slices.ContainsFunc(bases(b), func(base string) bool { return slices.Contains(left, base) })
}

// bases are a word and what it may be an inflection of: s, es, ed, d, ing, y/ies, with a doubled consonant or not.
func bases(word string) []string {
	out := []string{word}
	cut := func(ending, instead string) {
		if head, ok := strings.CutSuffix(word, ending); ok && len(head) >= 2 {
			out = append(out, head+instead)
		}
	}
	cut("ies", "y")
	cut("ied", "y")
	if !strings.HasSuffix(word, "ss") {
		cut("s", "")
	}
	cut("es", "")
	cut("d", "")
	cut("ed", "")
	cut("ing", "")
	cut("ing", "e")
	for _, ending := range []string{"ed", "ing"} {
		head, ok := strings.CutSuffix(word, ending)
		if n := len(head); ok && n >= 3 && head[n-1] == head[n-2] && !strings.ContainsRune("aeiou", rune(head[n-1])) {
			out = append(out, head[:n-1])
		}
	}
	return out
}

// ownWords look like inflections and name something of their own: a mapping is no map, Windows are no windows.
var ownWords = set(`binding building drawing encoding engineering heading listing mapping meaning meeting padding ranking
	rating rendering saying setting string training warning writing being timing spacing
	windows news series species rails pandas statics goods arms customs glasses
	united advanced based left found ground past sed used`)

package claimkey

import (
	"slices"
	"strings"

	"interai/evidence/retrieval/words"
)

// Hint says how a similar claim may differ. It is shown beside a suggestion and decides nothing.
type Hint string

// The hints. DifferentSubjects is also what a caller says of equal words about different subjects.
const (
	Near              Hint = "near"
	PossiblyOpposite  Hint = "possibly_opposite"
	DifferentNumbers  Hint = "different_numbers"
	DifferentSubjects Hint = "different_subjects"
)

// Compare says how two similar claims of one language differ, and whether a guard differs at all: negations, numbers
// and versions, identifiers, quantifiers, the order of the same words. Antonyms only change the hint. It is symmetric.
func Compare(a, b, language string) (hint Hint, differs bool) {
	base := words.Base(language)
	left, right := essential(tokenise(a, base)), essential(tokenise(b, base))
	onlyLeft, onlyRight := difference(left, right), difference(right, left)
	count := func(class class) (int, int) { return len(ofClass(onlyLeft, class)), len(ofClass(onlyRight, class)) }
	has := func(class class) bool { l, r := count(class); return l+r > 0 }

	numbers := has(classNumber) || digital(onlyLeft) || digital(onlyRight)
	identifiers := has(classIdentifier)
	reordered := len(onlyLeft)+len(onlyRight) == 0 && Equivalent(a, b, language) == None
	differs = numbers || identifiers || reordered || has(classNegation) || has(classQuantity)

	negationsLeft, negationsRight := count(classNegation)
	switch {
	case (negationsLeft-negationsRight)%2 != 0, reordered, opposite(onlyLeft, onlyRight):
		return PossiblyOpposite, differs
	case numbers:
		return DifferentNumbers, differs
	case identifiers:
		return DifferentSubjects, differs
	}
	return Near, differs
}

// difference is what one sequence has and another has not, repetitions included.
func difference(of, without []token) []token {
	there := map[string]int{}
	for _, t := range without {
		there[t.stem]++
	}
	var out []token
	for _, t := range of {
		if there[t.stem] > 0 {
			there[t.stem]--
			continue
		}
		out = append(out, t)
	}
	return out
}

func ofClass(tokens []token, class class) []token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.class != class })
}

// digital reports whether an identifier with digits is among tokens, such as p53 or IL-10.
func digital(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.class == classIdentifier && hasDigit(t.text) })
}

// opposite reports whether a word of one side is the opposite of a word of the other.
func opposite(left, right []token) bool {
	for _, l := range left {
		for _, r := range right {
			if antonyms[[2]string{l.stem, r.stem}] || negated(l.text, r.text) || negated(r.text, l.text) {
				return true
			}
		}
	}
	return false
}

// negated reports whether one word is another with a prefix that turns it round.
func negated(word, other string) bool {
	for _, prefix := range []string{"un", "in", "im", "ir", "il", "dis", "non", "de", "a", "mis"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && len(rest) >= 4 &&
			words.Stem(words.English, rest) == words.Stem(words.English, other) {
			return true
		}
	}
	return false
}

// Similarity is how much of the content of two claims of one language is the same, from 0 to 1: the Jaccard index of
// their words, numbers and identifiers, each weighted by its idf. The caller's idf is asked for stems as documents
// are indexed by; without one, all count the same.
func Similarity(a, b, language string, idf func(string) float64) float64 {
	base := words.Base(language)
	left, right := contentOf(a, base), contentOf(b, base)
	shared, all := 0., 0.
	for stem := range left {
		weight := weightOf(stem, idf)
		all += weight
		if right[stem] {
			shared += weight
		}
	}
	for stem := range right {
		if !left[stem] {
			all += weightOf(stem, idf)
		}
	}
	if all == 0 {
		return 0
	}
	return shared / all
}

func weightOf(stem string, idf func(string) float64) float64 {
	if idf == nil {
		return 1
	}
	return max(0, idf(strings.Trim(stem, "`")))
}

func contentOf(text, base string) map[string]bool {
	out := map[string]bool{}
	for _, t := range tokenise(text, base) {
		if t.class.content() {
			out[t.stem] = true
		}
	}
	return out
}

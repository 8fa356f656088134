package retrieval

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Guess is a word of the index that may have been meant.
type Guess struct {
	Word string
	DF   float64
}

// The rules of repair (SEARCH, section 4: typos).
const (
	minRepairedLetters = 4
	maxLengthDistance  = 1
	maxEditDistance    = 2
	// Short words are other words after two edits: restore is not restart.
	minTwoEdits = 8
	// commonness is how much of an edit a word e times as common makes up for.
	commonness = .15
)

// Unknown are the words of a query that the index does not know in any form and that may be misspelt: letters only,
// at least four.
func (q Query) Unknown(s Statistics) []string {
	var out []string
	for _, term := range q.Terms {
		known := func(lexeme string) bool { return s.DF(lexeme) > UnseenDF }
		if repairable(term) && !slices.ContainsFunc(term.Lexemes, known) {
			out = append(out, term.Surface)
		}
	}
	return out
}

func repairable(term Term) bool {
	for _, r := range term.Surface {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return term.Natural && term.Weight == 1 && utf8.RuneCountInString(term.Surface) >= minRepairedLetters
}

// Repair chooses the word that was meant: few edits, and common. The guesses are words of the index that share
// trigrams with the word.
func Repair(word string, guesses []Guess) (Guess, bool) {
	written := []rune(word)
	best, found := Guess{}, false
	least := math.Inf(1)
	for _, guess := range guesses {
		meant := []rune(guess.Word)
		if difference := len(meant) - len(written); max(difference, -difference) > maxLengthDistance || guess.DF <= 0 || guess.Word == word {
			continue
		}
		edits := distance(written, meant)
		if edits > maxEditDistance || edits > 1 && len(written) < minTwoEdits {
			continue
		}
		cost := float64(edits) - commonness*math.Log(guess.DF)
		if cost < least || cost == least && guess.Word < best.Word {
			best, least, found = guess, cost, true
		}
	}
	return best, found
}

// distance counts insertions, deletions, substitutions, and neighbours that changed places (optimal string alignment).
func distance(a, b []rune) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j, y := range b {
			substitution := row[j]
			if x != y {
				substitution++
			}
			next[j+1] = min(substitution, next[j]+1, row[j+1]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// With adds the word that was meant beside the one that was written, which may be right all the same.
func (q Query) With(word string, g Guess) Query {
	at := slices.IndexFunc(q.Terms, func(t Term) bool { return t.Surface == word })
	known := slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Surface == g.Word })
	if at < 0 || known || g.Word == "" {
		return q
	}
	languages := q.languages
	if languages == nil {
		languages = stemmed(nil)
	}
	term := natural(cut(g.Word), languages)
	term.Weight, term.Count = repairedWeight, q.Terms[at].Count
	q.Terms = slices.Insert(slices.Clone(q.Terms), at+1, term)
	if len(q.Terms) > maxTerms {
		q.Terms = q.Terms[:maxTerms]
	}
	return q
}

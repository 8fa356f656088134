package retrieval

import "math"

// Statistics say how common lexemes are. They are a snapshot: a new word may be missing.
type Statistics interface {
	// Documents is the number of documents of the snapshot.
	Documents() int
	// DF is in how many documents a lexeme stands, UnseenDF for one that the snapshot does not know.
	DF(lexeme string) float64
}

// UnseenDF is the frequency of a lexeme that no snapshot has seen: rarer than all that it has seen.
const UnseenDF = .5

// Idf is the weight of a lexeme that df of n documents have, as BM25 has it; never negative.
func Idf(n int, df float64) float64 {
	documents := math.Max(float64(n), df)
	return math.Log1p((documents - df + .5) / (df + .5))
}

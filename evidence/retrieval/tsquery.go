package retrieval

// TSQuery is one lexeme as the text of a tsquery.
func TSQuery(lexeme string) string { return quote(lexeme) }

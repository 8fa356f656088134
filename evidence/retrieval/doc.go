// Package retrieval owns what search knows about text and order: how a document and a query become lexemes, which
// part of a query is looked up, how much each lexeme counts, which spelling is repaired, and how candidates are
// ranked by relevance, trust and context. It is pure: no SQL, no input or output, no clock, no randomness; what it
// needs of the corpus it is told through Statistics. It never reads a document and never decides who may see one.
//
// Start at Analyze for what is stored, at AnalyzeQuery and Query.Plan for what is asked, at Ranking.Order for what
// is answered.
package retrieval

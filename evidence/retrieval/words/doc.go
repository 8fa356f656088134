// Package words owns what the analyzer of search and the keys of claims both know about written language: the
// folding of forms that never change a meaning, the stems, and the function words of each language. It is pure: no
// input or output, no clock, no state. It never decides what is a token, nor what matters in one. Start at Stem.
package words

// Package auth owns the way from a credential to a caller: the format of API keys
// and the HTTP layer that reads exactly one of them from each request.
//
// It never stores a key and knows no table: who holds a key is answered by the
// function given to [NewBearer]. Start reading at [Key] and [Bearer].
package auth

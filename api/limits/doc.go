// Package limits owns the bounds of the HTTP surface: which Host and Origin may
// speak to it, how many bytes a body has, how many connections are open and how
// many calls run at once.
//
// It never authenticates and never counts writes per party: the first is api/auth,
// the second is a rule of the domain. Start reading at [Gate] and [Hosts].
package limits

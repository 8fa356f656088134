// Package limits owns the bounds of the service: which Host and Origin may speak to it, how many bytes a body has, how
// many connections are open, how many calls run at once, and how much each party writes and each actor reads.
//
// It never authenticates, and keeps no meter of writes itself: those are rows of store, so that they hold over all
// nodes. Start reading at [Gate], [Limiter] and [Hosts].
package limits

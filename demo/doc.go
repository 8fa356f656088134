// Package demo owns the demonstrations: known worlds, built in or read from files, whose items have a true success
// rate. It plays them through real MCP clients over HTTP against a running server, reads back what trust made of
// them, and compares that with the truth. Another one loads a small set of real knowledge and walks through it as an
// agent would. It also takes all of it away again.
//
// It never computes trust and never writes what an ordinary client could not write: the database is used only to
// make its actors and keys, to see whether trust has caught up, and to remove.
//
// Start reading at [Run] and [RunKnowledge]; [Remove] undoes both.
package demo

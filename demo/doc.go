// Package demo owns the demonstration: known worlds, built in or read from files, whose items have a true success
// rate. It plays them through real MCP clients over HTTP against a running server, reads back what trust made of
// them, and compares that with the truth. It also takes all of it away again.
//
// It never computes trust and never writes what an ordinary client could not write: the database is used only to
// make its actors and keys, to see whether trust has caught up, and to remove.
//
// Start reading at [Run]; [Remove] undoes it.
package demo

// Package bench measures report_usage of the real binary over real HTTP, and beside it, in the same run, the two
// floors that it stands on: a bare server of the protocol library that echoes, and bare pgx that inserts the same
// row with a River job in a transaction of its own. Absolute rates belong to a machine; the ratios are what is read.
//
// It is test code only, driven by BenchmarkReportUsage ("make bench"), and never imported. A run ends by proving
// that every acknowledged call is one evidence row and that trust includes all of them.
//
// All programs but the load client are processes of their own, so that each one's CPU time is known: the binary is
// built and run, the two floors are the test binary run again in another role. Start reading at BenchmarkReportUsage.
package bench

// Package pgembed runs the private PostgreSQL cluster of one interai data
// directory from the server binaries that the system already has.
//
// It owns the cluster's files below the data directory, the locks by which
// several interai processes share one server (the last one out stops it), the
// server's start, its supervision and its stop. It never downloads anything,
// never listens on TCP, never touches a cluster that it did not make, and knows
// nothing of the tables inside.
//
// Start reading at Cluster.
package pgembed

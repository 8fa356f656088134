// Package examples runs the programs in the folder examples against a real node. It is for tests only.
package examples

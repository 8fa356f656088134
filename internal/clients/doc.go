// Package clients runs programs of others against a real node: the official conformance suite, the inspector, and both
// lines of the TypeScript SDK. It is for tests only.
//
// The programs are npm packages, pinned by testdata/package-lock.json; scripts/clients.sh puts them into a folder
// outside the tree, which INTERAI_CLIENTS names. Without that variable the tests are skipped and say so.
package clients

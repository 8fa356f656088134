//go:build race

package evidence_test

// propertyChecks is how many histories a property test against a node makes unless -rapid.checks says otherwise: the race
// detector makes each of them ten times as long, and a run without it makes all.
const propertyChecks = "40"

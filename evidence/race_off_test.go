//go:build !race

package evidence_test

// propertyChecks is how many histories a property test against a node makes unless -rapid.checks says otherwise.
const propertyChecks = "100"

package trustmodel

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// invariants lists what holds whatever the evidence, and the tests that hold it:
// of this package, or of another one under its name. Those of this package run
// 100,000 cases each with
//
//	go test ./trustmodel -timeout 0 -rapid.checks=100000
var invariants = []struct {
	rule  string
	tests []string
}{
	{"the order of records, parties and batches never shows", []string{"TestOrderNeverShows", "TestBatchingNeverShows", "TestOrderAndMergeNeverShowInAnEpoch", "TestOrderNeverShowsInRatings", "TestGroupsEqualTheReference"}},
	{"lower <= value <= upper, all in [0, 1]", []string{"TestValueLiesInsideItsInterval"}},
	{"one more success never lowers value or lower bound, one more failure never raises value or upper bound", []string{
		"TestOneMoreSuccessNeverHurts", "TestOneMoreFailureNeverHelps", "TestOneMoreSuccessNeverHurtsInACrowd", "TestOneMoreFailureNeverHelpsInACrowd",
		"TestWhoUsesATargetLeavesItsRoomAmongUnseenJudges",
	}},
	{"agents and reports of one controller are one confirmation", []string{"TestNumbersOfOnePartyNeverAddUp", "jobs.TestFiftyAgentsOfOneControllerAreOneParty"}},
	{"one party moves the value by at most 1/(1+alpha+beta)", []string{"TestTheInfluenceOfOnePartyIsBounded", "TestNumbersOfOnePartyNeverAddUp"}},
	{"retraction restores everything", []string{"TestRetractionRestoresEverything", "TestRetractingIsTheInverseOfAdding", "TestAKeptTallyIsThatOfCountingAnew"}},
	{"confirmations never pass the parties", []string{"TestCountersStayBelowTheParties"}},
	{"newcomers together stay below half a party", []string{"TestNewcomersTogetherStayBelowHalfAParty", "TestNewcomersTakeNothingFromTheEstablished"}},
	{"no evidence is the prior", []string{"TestNoEvidenceIsThePrior"}},
	{"incremental equals batch equals replay", []string{
		"TestAKeptTallyIsThatOfCountingAnew", "FuzzTally", "FuzzReplay", "jobs.TestTrustIsWhatTheRawEvidenceSaysWhateverHappensToWorkers", "trustops.TestAnEarlierMomentIsReplayed",
	}},
	{"real-world confirmations never pass the confirmations", []string{"TestCountersStayBelowTheParties"}},
	{"own praise changes nothing", []string{"TestOwnSupportChangesNothing"}},
	{"ratings never change trust", []string{"TestRatingsAreNoEvidence", "jobs.TestTrustIsWhatTheRawEvidenceSaysWhateverHappensToWorkers"}},
	{"an idempotent repeat changes nothing", []string{
		"evidence.TestAReplayAnswersTheRevisionOfTheFirstTime", "evidence.TestAKeyMakesAnOpenOutcomeSafeToRepeat",
		"jobs.TestTrustIsWhatTheRawEvidenceSaysWhateverHappensToWorkers",
	}},
	{"unknown and cannot_verify change nothing", []string{"TestRecordsWithoutEvidenceChangeNothing", "TestWhatSaysNothingChangesNoTrack"}},
	{"an epoch depends on evidence and the epoch before it alone", []string{"TestAnEpochDependsOnTheOneBeforeAlone", "TestReputationIsNoWeight"}},
	{"carried mass is capped", []string{"TestCarriedMassIsCapped", "TestCarryIsScaledAsAWhole", "TestCountsAreCarriedAtMostOnce"}},
	{"the raw status is a function of published figures; hysteresis never skips an immediate downgrade", []string{
		"TestStatusIsAFunctionOfPublishedFigures", "TestHysteresisNeverSkipsAnImmediateDowngrade",
	}},
	{"more confidence in a confirmation never lowers the value", []string{"TestMoreConfidenceInAConfirmationNeverHurts", "TestMoreConfidenceInAConfirmationNeverHurtsInACrowd"}},
	{"time alone never adds mass", []string{"TestTimeAloneNeverAddsMass"}},
}

// TestEveryInvariantHasItsTest looks for each test by its name in the sources.
func TestEveryInvariantHasItsTest(t *testing.T) {
	if len(invariants) != 20 {
		t.Errorf("%d invariants", len(invariants))
	}
	known := map[string]map[string]bool{}
	for _, rule := range invariants {
		if len(rule.tests) == 0 {
			t.Errorf("%q has no test", rule.rule)
		}
		for _, test := range rule.tests {
			pkg, name, other := strings.Cut(test, ".")
			if !other {
				pkg, name = "trustmodel", test
			}
			if known[pkg] == nil {
				known[pkg] = testsIn(t, filepath.Join("..", pkg))
			}
			if !known[pkg][name] {
				t.Errorf("%q: package %s has no %s", rule.rule, pkg, name)
			}
		}
	}
}

// testsIn returns the names of the test and fuzz functions in the test files of a
// directory.
func testsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, entry.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if ok && f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				out[f.Name.Name] = true
			}
		}
	}
	return out
}

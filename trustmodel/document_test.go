package trustmodel

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// document returns the text that users of the server read about this model.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/TRUST_MODEL.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tableUnder returns the rows of the first table after a heading, without its
// two header lines.
func tableUnder(t *testing.T, text, heading string) []string {
	t.Helper()
	_, after, found := strings.Cut(text, "\n## "+heading+"\n")
	if !found {
		t.Fatalf("the document has no section %q", heading)
	}
	var rows []string
	for line := range strings.Lines(after) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "|") {
			rows = append(rows, line)
		} else if len(rows) > 0 {
			break
		}
	}
	if len(rows) < 3 {
		t.Fatalf("section %q has no table", heading)
	}
	return rows[2:]
}

// example is one row of the worked examples.
type example struct {
	label   string
	kind    TargetKind
	parties []Party
}

func examples(m *Model) []example {
	domain := m.IdentityWeights(Identity{Domain: true})
	email := m.IdentityWeights(Identity{Email: true})
	none := m.IdentityWeights(Identity{})
	confirmed, stale := judged(VerdictConfirmed), judged(VerdictOutdated)
	old := make([]Party, 8)
	for i := range old {
		old[i] = partyOf(m, domain, 12, realSuccess)
	}
	return []example{
		{"nothing reported", KindContent, nil},
		{"1 domain, real success", KindContent, crowd(m, 1, domain, realSuccess)},
		{"1 e-mail party, real success", KindContent, crowd(m, 1, email, realSuccess)},
		{"1 e-mail party, 1000 real successes", KindContent, []Party{partyOf(m, email, 0, repeat(realSuccess, 1000)...)}},
		{"1000 unverified parties, real success", KindContent, crowd(m, 1000, none, realSuccess)},
		{"1000 e-mail parties, real success", KindContent, crowd(m, 1000, email, realSuccess)},
		{"2 domains, real success", KindContent, crowd(m, 2, domain, realSuccess)},
		{"2 domains and 1000 e-mail parties, real success", KindContent, join(crowd(m, 2, domain, realSuccess), crowd(m, 1000, email, realSuccess))},
		{"3 domains, real success", KindContent, crowd(m, 3, domain, realSuccess)},
		{"4 domains, real success", KindContent, crowd(m, 4, domain, realSuccess)},
		{"the same, and 500 e-mail parties fail", KindContent, join(crowd(m, 4, domain, realSuccess), crowd(m, 500, email, realFailure))},
		{"8 domains, real success", KindContent, crowd(m, 8, domain, realSuccess)},
		{"the same, 360 days later", KindContent, old},
		{"20 domains, success in tests only", KindContent, crowd(m, 20, domain, testSuccess)},
		{"100 domains, ungrounded `confirmed`", KindContent, crowd(m, 100, domain, confirmed)},
		{"the same on a claim", KindClaim, crowd(m, 100, domain, confirmed)},
		{"8 domains succeed, 1 fails", KindContent, join(crowd(m, 8, domain, realSuccess), crowd(m, 1, domain, realFailure))},
		{"2 domains succeed, 2 fail", KindContent, join(crowd(m, 2, domain, realSuccess), crowd(m, 2, domain, realFailure))},
		{"28 domains succeed, 12 fail", KindContent, join(crowd(m, 28, domain, realSuccess), crowd(m, 12, domain, realFailure))},
		{"3 domains fail", KindContent, crowd(m, 3, domain, realFailure)},
		{"5 domains fail", KindContent, crowd(m, 5, domain, realFailure)},
		{"8 domains succeed, 9 others say `outdated`", KindContent, join(crowd(m, 8, domain, realSuccess), crowd(m, 9, domain, stale))},
	}
}

func TestDocumentedExamplesAreComputed(t *testing.T) {
	m := newModel(t)
	var want []string
	for _, e := range examples(m) {
		s := m.Compute(Input{Kind: e.kind, AsOfBin: asOf, Parties: e.parties})
		want = append(want, fmt.Sprintf("| %s | %.3f | %.3f to %.3f | %d | %d | %d | `%s` |", e.label,
			s.Value, s.Lower, s.Upper, s.Confirmations, s.Contradictions, s.RealWorldConfirmations, s.RawStatus))
	}
	if got := tableUnder(t, document(t), "Worked examples"); !slices.Equal(got, want) {
		t.Errorf("the table must read:\n%s", strings.Join(want, "\n"))
	}
}

func TestDocumentedConstantsAreTheConstants(t *testing.T) {
	var want []string
	eachConstant(reflect.ValueOf(V1()), "", func(path string, v reflect.Value) {
		number := v.Interface()
		if v.Kind() == reflect.Float64 {
			number = strconv.FormatFloat(v.Float(), 'g', 4, 64)
		}
		want = append(want, fmt.Sprintf("| `%s` | %v |", path, number))
	})
	rows := tableUnder(t, document(t), "Constants of trust-v1")
	if len(rows) != len(want) {
		t.Fatalf("%d constants are documented of %d", len(rows), len(want))
	}
	for i, row := range rows {
		if !strings.HasPrefix(row, want[i]) || len(strings.Fields(strings.TrimPrefix(row, want[i]))) < 2 {
			t.Errorf("row %q must begin with %q and say what it means", row, want[i])
		}
	}
}

func TestDocumentedWeightsAreComputed(t *testing.T) {
	m := newModel(t)
	var want []string
	for _, row := range []struct {
		label string
		id    Identity
	}{
		{"nothing verified", Identity{}},
		{"e-mail verified", Identity{Email: true}},
		{"domain verified, or vouched for by the operator", Identity{Domain: true}},
	} {
		w := m.IdentityWeights(row.id)
		established := "no"
		if w.V >= V1().Identity.Established {
			established = "yes"
		}
		want = append(want, fmt.Sprintf("| %s | %.1f | %.2f | %s |", row.label, w.V, w.Plus, established))
	}
	if got := tableUnder(t, document(t), "Who counts: parties"); !slices.Equal(got, want) {
		t.Errorf("the table must read:\n%s", strings.Join(want, "\n"))
	}
}

func TestDocumentNamesTheVersionAndItsHash(t *testing.T) {
	text := document(t)
	for _, want := range []string{"`" + V1Name + "`", "`" + V1().Hash() + "`"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for s := Unverified; s <= Superseded; s++ {
		if !regexp.MustCompile("(?m)^\\| `" + s.String() + "` \\|").MatchString(text) {
			t.Errorf("status %s has no row", s)
		}
	}
	for v := VerdictCannotVerify; v <= VerdictOutdated; v++ {
		if !strings.Contains(text, "`"+v.String()+"`") {
			t.Errorf("verdict %s is missing", v)
		}
	}
}

package trustmodel

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func explained(in *Input, shown int) Explained {
	out := Explained{
		Kind: in.Kind, AsOfBin: in.AsOfBin, Carry: in.Carry, Shown: shown,
		Flags: Flags{Superseded: in.Superseded, IncorrectClaim: in.IncorrectClaim},
	}
	for _, p := range in.Parties {
		out.Parties = append(out.Parties, ExplainedParty{Party: p, Controllers: 1, Agents: 1})
	}
	return out
}

// addsUpTo allows for the rounding of each party to 1e-9 and of figures to 1e-6.
func addsUpTo(a, b float64) bool { return math.Abs(a-b) <= 1e-6 }

func TestContributionsAddUpToTheValue(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		s := m.Compute(in)
		e := m.Explain(explained(&in, rapid.IntRange(0, 9).Draw(t, "shown")))
		if e.Snapshot != s {
			t.Fatalf("explained %+v, computed %+v", e.Snapshot, s)
		}
		support, against, effect := e.Prior.Alpha, e.Prior.Beta, e.Prior.Mean
		for _, sig := range e.Signals {
			support, against, effect = support+sig.Support, against+sig.Contradiction, effect+sig.Effect
		}
		if !addsUpTo(support, s.Alpha) || !addsUpTo(against, s.Beta) || !addsUpTo(effect, s.Value) {
			t.Fatalf("signals add up to %v, %v, %v of %+v", support, against, effect, s)
		}
		support, against = e.Prior.Alpha+s.Totals.CarryPlus, e.Prior.Beta+s.Totals.CarryMinus
		for _, p := range e.Parties {
			support, against = support+p.Support, against+p.Contradiction
		}
		support, against = support+e.Others.Support, against+e.Others.Contradiction
		if !addsUpTo(support, s.Alpha) || !addsUpTo(against, s.Beta) {
			t.Fatalf("parties add up to %v, %v of %+v", support, against, s)
		}
	})
}

// TestAnExplanationIsEnoughToCheckTheResult recomputes everything published from
// the JSON alone, as a reader would.
func TestAnExplanationIsEnoughToCheckTheResult(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t, m)
		raw, err := json.Marshal(m.Explain(explained(&in, 50)))
		if err != nil {
			t.Fatal(err)
		}
		var e Explanation
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		want := m.Compute(in)
		if _, _, value := m.Posterior(e.Snapshot.Totals); value != want.Value {
			t.Fatalf("value %v, want %v", value, want.Value)
		}
		confirm, contradict := 0, 0
		for _, p := range e.Parties {
			switch p.Stance {
			case "supports":
				confirm++
			case "contradicts":
				contradict++
			}
		}
		if confirm != want.Supporting || want.RealWorldConfirmations > confirm || contradict > want.Contradictions {
			t.Fatalf("counted %d and %d of %+v", confirm, contradict, want)
		}
		status := Unverified.String()
		for _, r := range e.Rules {
			if r.Holds {
				status = r.Status
				break
			}
		}
		if status != want.RawStatus.String() {
			t.Fatalf("rules say %s, the status is %v", status, want.RawStatus)
		}
	})
}

func TestAnExplanationNamesNobody(t *testing.T) {
	m := newModel(t)
	in := Input{AsOfBin: asOf, Parties: crowd(m, 9, proven, realSuccess)}
	raw, err := json.Marshal(m.Explain(explained(&in, 9)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(raw)), `"key"`) {
		t.Error("a key of a party is shown")
	}
}

func TestTheDistanceToTheNextStatusIsTold(t *testing.T) {
	m := newModel(t)
	domain := m.IdentityWeights(Identity{Domain: true})
	for name, c := range map[string]struct {
		parties []Party
		next    string
		missing map[string]float64
	}{
		"two domains lack a little lower bound": {crowd(m, 2, domain, realSuccess), "supported", map[string]float64{"lower bound": .0286}},
		"one domain lacks three figures": {crowd(m, 1, domain, realSuccess), "supported", map[string]float64{
			"lower bound": .2072, "identity of supporting parties": .4,
			"verified parties that confirm it, beyond those that contradict it": 1,
		}},
		"six domains without real use": {crowd(m, 6, domain, testSuccess), "high_confidence", map[string]float64{
			"lower bound": .0632, "real-world confirmations of its own": 1, "real-world confirmations": 2,
		}},
		"eight are there": {crowd(m, 8, domain, realSuccess), "", nil},
	} {
		in := Input{AsOfBin: asOf, Parties: c.parties}
		e := m.Explain(explained(&in, 9))
		if c.next == "" {
			if e.Next != nil {
				t.Errorf("%s: next is %+v", name, e.Next)
			}
			continue
		}
		got := map[string]float64{}
		for _, condition := range e.Next.Conditions {
			if !condition.Holds {
				got[condition.Figure] = condition.Missing()
			}
		}
		if e.Next.Status != c.next || len(got) != len(c.missing) {
			t.Errorf("%s: %s lacks %v", name, e.Next.Status, got)
		}
		for figure, missing := range c.missing {
			if math.Abs(got[figure]-missing) > .0005 {
				t.Errorf("%s: %s lacks %v, want about %v", name, figure, got[figure], missing)
			}
		}
	}
}

func TestAnExplanationReadsWell(t *testing.T) {
	m := newModel(t)
	domain, email := m.IdentityWeights(Identity{Domain: true}), m.IdentityWeights(Identity{Email: true})
	author := partyOf(m, domain, 0, realSuccess)
	author.Author = true
	in := Input{AsOfBin: asOf, Carry: Carry{Plus: 3}, Parties: join(
		crowd(m, 3, domain, realSuccess), crowd(m, 40, email, judged(VerdictFalse)), []Party{author},
		[]Party{partyOf(m, domain, 12, judged(VerdictConfirmed))})}
	e := m.Explain(explained(&in, 3))
	text := e.Markdown()
	for _, want := range []string{
		"**Value 0.", "40 of them newcomers", "| prior |", "| use | established | 3 |", "| other reviews | newcomer | 40 |",
		"| the revision before | carried |", "| | 42 others |", "newcomers: ", "of at most 0.500:", "For `high_confidence` it lacks: lower bound 0.080 more.",
		"- superseded does not hold: a relation in effect supersedes it: no.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

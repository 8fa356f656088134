package simulate

import "testing"

// met is a report in which every goal is met.
func met() Report {
	r := Report{
		Rankings: []Ranking{{Attack: noAttack, Trust: .95}, {Trust: .95}, {Trust: .94}, {Trust: .96}},
		Attacks: []Strike{
			{Attack: "operator", Honest: 3, Confirmations: 2, Excess: -.1},
			{Attack: "operator", Honest: 3, Confirmations: 2, Excess: -.2},
			{Attack: "sybil", Cost: Cost{Accounts: 1000}},
			{Attack: "laundering", Variant: "k = 10", Honest: 5, Recommended: .1},
			{Attack: "smear", Gain: .05, Cost: Cost{Accounts: 100}},
			{Attack: "smear", Gain: .5, Flipped: 1, Cost: Cost{Accounts: 10}},
		},
	}
	for _, x := range DefaultExposures() {
		r.Honest = append(r.Honest, Honest{
			Exposure: x, Coverage: .95, Width: .6, Precision: Precision{At50: 1}, Recall: .5,
			SupportedTruth: .97, HighTruth: .99, IncorrectTruth: .01, Supported: 1, High: 1,
		})
	}
	return r
}

func TestGoalsAreMetAtTheirTargetsAndMissedBeyond(t *testing.T) {
	fine := met()
	fine.Goals = fine.goals()
	if len(fine.Goals) != 8 || fine.Met() != 8 {
		t.Fatalf("%d of %d goals are met: %+v", fine.Met(), len(fine.Goals), fine.Goals)
	}
	for name, c := range map[string]struct {
		goal  string
		spoil func(r *Report)
	}{
		"intervals too narrow":            {"G1", func(r *Report) { r.Honest[0].Coverage = .89 }},
		"intervals too wide":              {"G1", func(r *Report) { r.Honest[0].Coverage = .98 }},
		"wide intervals at 15":            {"G1", func(r *Report) { r.Honest[2].Width = .61 }},
		"a bad ranking at one exposure":   {"G5", func(r *Report) { r.Honest[1].Precision.At50 = .96 }},
		"a ranking that an attack spoils": {"G6", func(r *Report) { r.Rankings[2].Trust = .93 }},
		"sybils that get a status":        {"G7", func(r *Report) { r.Attacks[2].Recommended = .01 }},
		"agents that count":               {"G8", func(r *Report) { r.Attacks[1].Confirmations = 3 }},
		"an influence beyond its bound":   {"G8", func(r *Report) { r.Attacks[1].Excess = .001 }},
		"laundering that works":           {"G9", func(r *Report) { r.Attacks[3].Recommended = .11 }},
		"a smear that moves":              {"G10", func(r *Report) { r.Attacks[4].Gain = .051 }},
		"a smear that flips":              {"G10", func(r *Report) { r.Attacks[4].Flipped = .01 }},
		"supported that is bad":           {"G11", func(r *Report) { r.Honest[0].SupportedTruth = .96 }},
		"high that is bad":                {"G11", func(r *Report) { r.Honest[0].HighTruth = .98 }},
		"incorrect that is good":          {"G11", func(r *Report) { r.Honest[2].IncorrectTruth = .02 }},
		"a status that is too rare":       {"G11", func(r *Report) { r.Honest[0].Recall = .14 }},
	} {
		t.Run(name, func(t *testing.T) {
			r := met()
			c.spoil(&r)
			for _, g := range r.goals() {
				if g.Met != (g.ID != c.goal) {
					t.Errorf("%s: met %v (%s)", g.ID, g.Met, g.Measured)
				}
			}
		})
	}
}

func TestGoalsOfWhatWasNotSimulatedAreLeftOut(t *testing.T) {
	r := Report{Honest: []Honest{{Exposure: 3, Coverage: .95}}}
	if goals := r.goals(); len(goals) != 1 || goals[0].ID != "G1" || !goals[0].Met {
		t.Errorf("got %+v", goals)
	}
}

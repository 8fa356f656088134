package simulate

import (
	"context"
	"strings"
	"testing"

	"interai/trustmodel"
)

// play runs every variant of an attack that keep accepts in one small world.
func play(t *testing.T, a attack, keep func(v *variant) bool) map[string]Strike {
	t.Helper()
	m := newModel(t)
	out := map[string]Strike{}
	for i := range a.variants {
		v := &a.variants[i]
		if keep != nil && !keep(v) {
			continue
		}
		var blows []blow
		for _, seed := range []int{41, 42} {
			b, err := strikeOnce(context.Background(), m, small(attackExposure), &a, v, seed)
			if err != nil {
				t.Fatal(err)
			}
			blows = append(blows, b)
		}
		out[v.label+"/"+string(rune('0'+v.honest))] = meanStrike(blows)
	}
	if len(out) == 0 {
		t.Fatal("no variant was played")
	}
	return out
}

func TestOneOperatorOfAThousandAgentsIsOneConfirmation(t *testing.T) {
	all := play(t, operators(), func(v *variant) bool { return v.honest == 0 })
	one, thousand := all["1 agents/0"], all["1000 agents/0"]
	if one.Confirmations != 1 || thousand.Confirmations != 1 {
		t.Errorf("confirmations %v and %v", one.Confirmations, thousand.Confirmations)
	}
	if thousand.Value-one.Value > .01 || thousand.Value < one.Value {
		t.Errorf("value %v of one agent, %v of a thousand", one.Value, thousand.Value)
	}
	if thousand.Excess >= 0 || thousand.Recommended != 0 {
		t.Errorf("influence beyond its bound by %v, recommended %v", thousand.Excess, thousand.Recommended)
	}
	if thousand.Others.Additive != 1 || thousand.Cost.Accounts != 1000 || thousand.Cost.Records != 5000 {
		t.Errorf("additive rule %v, cost %+v", thousand.Others.Additive, thousand.Cost)
	}
}

// TestUnverifiedSybilsAreNeverRecommended: no number of accounts without any
// identity and without honest work makes a target supported.
func TestUnverifiedSybilsAreNeverRecommended(t *testing.T) {
	for name, s := range play(t, sybils(), func(v *variant) bool {
		return strings.HasSuffix(v.label, "unverified") && v.label != "10000 unverified"
	}) {
		if s.Recommended != 0 || s.Value > .75 {
			t.Errorf("%s: recommended %v, value %v", name, s.Recommended, s.Value)
		}
		if s.Cost.Verified != 0 {
			t.Errorf("%s: cost %+v", name, s.Cost)
		}
	}
}

// TestNewcomersAloneAreOneConfirmation: without any honest word about its targets a crowd of
// newcomers of whatever identity but a domain amounts to one confirmation.
func TestNewcomersAloneAreOneConfirmation(t *testing.T) {
	for name, s := range play(t, sybils(), func(v *variant) bool { return v.honest == 0 && !strings.HasPrefix(v.label, "10000") }) {
		if s.Confirmations != 1 || s.Recommended != 0 {
			t.Errorf("%s: %v confirmations, recommended %v", name, s.Confirmations, s.Recommended)
		}
	}
}

func TestADenseRingIsOneParty(t *testing.T) {
	for name, s := range play(t, rings(), func(v *variant) bool { return strings.HasPrefix(v.label, "dense") && v.honest < 2 }) {
		if s.Merged < ringSize-2 || s.Recommended != 0 || s.Gain > .01 {
			t.Errorf("%s: merged %v, recommended %v, gain %v", name, s.Merged, s.Recommended, s.Gain)
		}
	}
}

// TestWhitewashingDoesNotPay: whoever comes back under a new identity is a
// newcomer among newcomers: no target is recommended that is not for any other.
func TestWhitewashingDoesNotPay(t *testing.T) {
	all := play(t, whitewashes(), nil)
	newcomer := play(t, operators(), func(v *variant) bool { return v.label == "1 agents" && v.honest < 5 })
	for _, honest := range []string{"/0", "/3"} {
		for _, identity := range []string{"new, unverified", "new, e-mail"} {
			s, other := all[identity+honest], newcomer["1 agents"+honest]
			if s.Recommended > other.Recommended || s.Gain > other.Gain+.01 {
				t.Errorf("%s%s: recommended %v, gain %v; any newcomer %v and %v", identity, honest, s.Recommended, s.Gain, other.Recommended, other.Gain)
			}
		}
		if itself := all["as itself"+honest]; itself.Gain > .03 {
			t.Errorf("a known liar gains %v", itself.Gain)
		}
	}
}

func TestChosenAttacks(t *testing.T) {
	for name, c := range map[string]struct {
		names []string
		want  int
		err   string
	}{
		"all":     {nil, len(Attacks()), ""},
		"two":     {[]string{"smear", "ring"}, 2, ""},
		"unknown": {[]string{"smear", "bribe"}, 0, `attack "bribe": not one of operator, sybil, ring, laundering, smear, whitewash`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := chosen(c.names)
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("error %v, want %s", err, c.err)
				}
				return
			}
			if err != nil || len(got) != c.want {
				t.Errorf("%d attacks, error %v", len(got), err)
			}
		})
	}
}

// TestHonestPartiesStayApart keeps honest parties apart.
func TestHonestPartiesStayApart(t *testing.T) {
	w := newWorld(newModel(t), standard(5), 43)
	r, err := w.settle(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.merged > 1 {
		t.Errorf("%d honest parties were taken for others", r.merged)
	}
}

// TestAMergedRingCountsItsMembersOnce follows one target through the merge.
func TestAMergedRingCountsItsMembersOnce(t *testing.T) {
	w := newWorld(newModel(t), small(5), 1)
	d := newDraw(1, subjectAttack)
	targets := junk(60)(d, w, 0)
	members := w.addAttackers(10, mailed)
	w.pushSlowly(d, members, targets, 1)
	r, err := w.settle(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	parties := w.tried(&w.targets[targets[0]], &r)
	if len(parties) != 1 || !parties[0].Author {
		t.Fatalf("%d parties; author %v", len(parties), parties[0].Author)
	}
	if s := w.trust(targets[0], &r); s.Value != .5 || s.RawStatus != trustmodel.Unverified {
		t.Errorf("value %v, %s", s.Value, s.RawStatus)
	}
}

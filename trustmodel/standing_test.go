package trustmodel

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const minute = int64(time.Minute / time.Microsecond)

// figures are snapshots that earn each raw status, by name.
func figures(m *Model) map[string]*Snapshot {
	out := map[string]*Snapshot{
		"unverified":     {Lower: .3, Upper: .9, Supporting: 2},
		"kept supported": {Lower: .38, Upper: .9, Supporting: 2, Anchors: 2},
		"supported":      {Lower: .5, Upper: .9, IdentityPlus: 3, Supporting: 3, Anchors: 3, Totals: Totals{X: 3}},
		"kept high":      {Lower: .61, Upper: .9, IdentityPlus: 9, Supporting: 9, Anchors: 9, RealWorldConfirmations: 9, Totals: Totals{X: 9}},
		"high":           {Lower: .7, Upper: .9, IdentityPlus: 9, Supporting: 9, Anchors: 9, RealWorldConfirmations: 9, Totals: Totals{X: 9}},
		"disputed":       {Lower: .3, Upper: .7, IdentityPlus: 2, IdentityMinus: 2, Totals: Totals{X: 2, Y: 2}},
		"kept disputed":  {Lower: .3, Upper: .7, IdentityPlus: 2, IdentityMinus: 2, Totals: Totals{X: 3.2, Y: .8}},
		"incorrect":      {Lower: .01, Upper: .4, IdentityMinus: 3, Contradictions: 3, Totals: Totals{Y: 3}},
		"kept incorrect": {Lower: .01, Upper: .5, IdentityMinus: 3, Contradictions: 3, Totals: Totals{Y: 3}},
		"superseded":     {Lower: .7, Upper: .9, Flags: Flags{Superseded: true}},
		"outdated":       {Lower: .3, Upper: .9, OutdatedParties: 3, WindowConfirmations: 1, Flags: Flags{Outdated: true}},
		"kept outdated":  {Lower: .3, Upper: .9, OutdatedParties: 1, WindowConfirmations: 1},
		"nothing":        {Upper: .994, Lower: .006},
		"carried alone":  {Lower: .45, Upper: .99, Totals: Totals{CarryIdentity: 2}},
	}
	for _, s := range out {
		s.RawStatus = m.RawStatus(KindContent, *s)
	}
	return out
}

func TestStandingFollowsTheRawStatusWithHysteresis(t *testing.T) {
	m := newModel(t)
	known := figures(m)
	for name, c := range map[string]struct {
		from  Status
		given []string // one record each, a minute apart
		want  Status
		wait  Status // Unverified: nothing waits
	}{
		"an upgrade waits for two further records":          {Unverified, []string{"supported", "supported"}, Unverified, Supported},
		"and comes with the second":                         {Unverified, []string{"supported", "supported", "supported"}, Supported, Unverified},
		"a fall back ends the wait":                         {Unverified, []string{"supported", "supported", "unverified"}, Unverified, Unverified},
		"and it begins anew":                                {Unverified, []string{"supported", "supported", "unverified", "supported", "supported"}, Unverified, Supported},
		"what is better still waits for the lesser":         {Unverified, []string{"supported", "high", "high"}, Supported, HighConfidence},
		"the lesser of two upgrades is what has held":       {Unverified, []string{"high", "supported", "high"}, Supported, HighConfidence},
		"high confidence at once waits as well":             {Unverified, []string{"high", "high", "high"}, HighConfidence, Unverified},
		"supported is kept a little below its threshold":    {Supported, []string{"kept supported"}, Supported, Unverified},
		"supported is lost below that":                      {Supported, []string{"unverified"}, Unverified, Unverified},
		"high confidence is kept a little below":            {HighConfidence, []string{"kept high"}, HighConfidence, Unverified},
		"high confidence is lost below that, at once":       {HighConfidence, []string{"supported"}, Supported, Unverified},
		"a dispute is immediate":                            {HighConfidence, []string{"disputed"}, Disputed, Unverified},
		"an incorrect target is so at once":                 {Supported, []string{"incorrect"}, Incorrect, Unverified},
		"a dispute is kept a little longer":                 {Disputed, []string{"kept disputed", "kept disputed", "kept disputed"}, Disputed, Unverified},
		"its end waits":                                     {Disputed, []string{"supported"}, Disputed, Supported},
		"incorrect is kept a little longer":                 {Incorrect, []string{"kept incorrect", "kept incorrect", "kept incorrect"}, Incorrect, Unverified},
		"a disputed target may turn incorrect":              {Disputed, []string{"incorrect"}, Incorrect, Unverified},
		"incorrect does not become disputed at once":        {Incorrect, []string{"disputed"}, Incorrect, Disputed},
		"superseded is immediate":                           {HighConfidence, []string{"superseded"}, Superseded, Unverified},
		"and so is its end":                                 {Superseded, []string{"high"}, HighConfidence, Unverified},
		"outdated is immediate":                             {HighConfidence, []string{"outdated"}, Outdated, Unverified},
		"outdated is kept until confirmations outnumber it": {Outdated, []string{"kept outdated", "kept outdated", "kept outdated"}, Outdated, Unverified},
		"then it waits to recover":                          {Outdated, []string{"supported"}, Outdated, Supported},
		"without evidence nothing is kept":                  {Supported, []string{"nothing"}, Unverified, Unverified},
		"a dispute without evidence waits to end":           {Disputed, []string{"nothing", "nothing", "nothing"}, Unverified, Unverified},
		"what is carried alone keeps no support":            {Supported, []string{"carried alone"}, Unverified, Unverified},
	} {
		t.Run(name, func(t *testing.T) {
			st := Standing{Status: c.from}
			for i, figure := range c.given {
				st, _ = m.Step(st, known[figure], int64(i)*minute, true)
			}
			if st.Status != c.want || st.Waiting != (c.wait != Unverified) || st.Waiting && st.Pending != c.wait {
				t.Errorf("got %+v, want %v waiting for %v", st, c.want, c.wait)
			}
		})
	}
}

// TestAStatusIsKeptDownToItsLeaveRule moves one figure at a time from the last
// value at which a published status is kept to the first at which it is lost.
func TestAStatusIsKeptDownToItsLeaveRule(t *testing.T) {
	m := newModel(t)
	supported := Snapshot{Lower: .36, Upper: .9, IdentityPlus: 1, Supporting: 1, Anchors: 2}
	high := Snapshot{Lower: .60, Upper: .9, IdentityPlus: 2, Supporting: 2, Anchors: 2}
	incorrect := Snapshot{Lower: .01, Upper: .55}
	disputed := Snapshot{Lower: .3, Upper: .7, Totals: Totals{X: 4, Y: 1}}
	outdated := Snapshot{Lower: .3, Upper: .9, OutdatedParties: 1, WindowConfirmations: 1}
	with := func(s Snapshot, change func(*Snapshot)) Snapshot {
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		published Status
		given     Snapshot
		kept      bool
	}{
		"supported, all met exactly":           {Supported, supported, true},
		"supported, lower too small":           {Supported, with(supported, func(s *Snapshot) { s.Lower = .359999 }), false},
		"supported, none of its own":           {Supported, with(supported, func(s *Snapshot) { s.Supporting = 0 }), false},
		"supported, one verified party":        {Supported, with(supported, func(s *Snapshot) { s.Anchors = 1 }), false},
		"supported, another one carried":       {Supported, with(supported, func(s *Snapshot) { s.Anchors, s.Totals.CarryAnchors = 1, 1 }), true},
		"high confidence, all met exactly":     {HighConfidence, high, true},
		"high confidence, lower too small":     {HighConfidence, with(high, func(s *Snapshot) { s.Lower = .599999 }), false},
		"high confidence, one of its own":      {HighConfidence, with(high, func(s *Snapshot) { s.Supporting = 1 }), false},
		"high confidence, one verified party":  {HighConfidence, with(high, func(s *Snapshot) { s.Anchors = 1 }), false},
		"incorrect, met exactly":               {Incorrect, incorrect, true},
		"incorrect, upper too great":           {Incorrect, with(incorrect, func(s *Snapshot) { s.Upper = .550001 }), false},
		"disputed, met exactly":                {Disputed, disputed, true},
		"disputed, too one-sided":              {Disputed, with(disputed, func(s *Snapshot) { s.Totals.X = 4.001 }), false},
		"disputed, too one-sided against":      {Disputed, with(disputed, func(s *Snapshot) { s.Totals.X, s.Totals.Y = 1, 4.001 }), false},
		"outdated, as many confirm":            {Outdated, outdated, true},
		"outdated, more confirm":               {Outdated, with(outdated, func(s *Snapshot) { s.WindowConfirmations = 2 }), false},
		"outdated, nobody says so any more":    {Outdated, with(outdated, func(s *Snapshot) { s.OutdatedParties, s.WindowConfirmations = 0, 0 }), false},
		"superseded, nothing supersedes it":    {Superseded, high, false},
		"high confidence, now it is disputed":  {HighConfidence, with(high, func(s *Snapshot) { s.Flags.IncorrectClaim = true }), false},
		"supported, now it is outdated":        {Supported, with(supported, func(s *Snapshot) { s.Flags.Outdated = true }), false},
		"disputed, now it is superseded":       {Disputed, with(disputed, func(s *Snapshot) { s.Flags.Superseded = true }), false},
		"incorrect, now it is only superseded": {Incorrect, with(incorrect, func(s *Snapshot) { s.Flags.Superseded = true }), false},
	} {
		t.Run(name, func(t *testing.T) {
			c.given.RawStatus = m.RawStatus(KindContent, c.given)
			if c.given.RawStatus == c.published {
				t.Fatalf("the raw status is %v by itself", c.published)
			}
			st, _ := m.Step(Standing{Status: c.published}, &c.given, 0, true)
			// What is not kept falls, or waits to rise.
			if kept := st == (Standing{Status: c.published}); kept != c.kept {
				t.Errorf("kept %v with raw status %v: %+v", kept, c.given.RawStatus, st)
			}
		})
	}
}

func TestAnUpgradeComesAfterAnHourWithoutFurtherRecords(t *testing.T) {
	m := newModel(t)
	supported := figures(m)["supported"]
	st, changes := m.Step(Standing{}, supported, 5*minute, true)
	if len(changes) > 0 {
		t.Fatalf("changed at once: %+v", changes)
	}
	if st, changes = m.Elapse(st, 65*minute-1); len(changes) > 0 {
		t.Fatalf("changed too early: %+v", changes)
	}
	// Looking again and again is no record.
	for range 5 {
		if st, changes = m.Step(st, supported, 60*minute, false); len(changes) > 0 {
			t.Fatalf("changed by being looked at: %+v", changes)
		}
	}
	want := Change{From: Unverified, To: Supported, At: 65 * minute, Held: true}
	for _, now := range []int64{65 * minute, 1000 * minute} {
		got, changes := m.Elapse(st, now)
		if len(changes) != 1 || changes[0] != want || got != (Standing{Status: Supported}) {
			t.Errorf("at %d: got %+v and %+v, want %+v", now, got, changes, want)
		}
	}
}

// TestAlternatingEvidenceDoesNotFlap adds and takes away the record that carries
// a target over a threshold, a thousand times, at every threshold.
func TestAlternatingEvidenceDoesNotFlap(t *testing.T) {
	m := newModel(t)
	domain := m.IdentityWeights(Identity{Domain: true})
	for name, c := range map[string]struct {
		base []Party
		last Party
	}{
		"supported": {crowd(m, 2, domain, realSuccess), partyOf(m, domain, 0, realSuccess)},
		"high":      {crowd(m, 5, domain, realSuccess), partyOf(m, domain, 0, realSuccess)},
		"disputed":  {join(crowd(m, 4, domain, realSuccess), crowd(m, 1, domain, realFailure)), partyOf(m, domain, 0, realFailure)},
		"incorrect": {crowd(m, 3, domain, realFailure), partyOf(m, domain, 0, realFailure)},
		"outdated":  {join(crowd(m, 1, domain, realSuccess), crowd(m, 1, domain, judged(VerdictOutdated))), partyOf(m, domain, 0, judged(VerdictOutdated))},
	} {
		for _, spacing := range []int64{1, 20 * minute, 61 * minute} {
			t.Run(fmt.Sprintf("%s every %d s", name, spacing/1e6), func(t *testing.T) {
				st, transitions, raws := Standing{}, 0, map[Status]bool{}
				for i := range 1000 {
					parties := c.base
					if i%2 == 0 {
						parties = join(c.base, []Party{c.last})
					}
					s := content(m, parties...)
					raws[s.RawStatus] = true
					var changes []Change
					st, changes = m.Step(st, &s, int64(i)*spacing, true)
					transitions += len(changes)
				}
				if len(raws) != 2 {
					t.Fatalf("the raw status does not alternate: %v", raws)
				}
				if transitions > 2 {
					t.Errorf("%d transitions", transitions)
				}
			})
		}
	}
}

func genSnapshot(t *rapid.T, m *Model) *Snapshot {
	s := m.Compute(genInput(t, m))
	return &s
}

// TestHysteresisNeverSkipsAnImmediateDowngrade holds invariant 18: whatever was
// published, a target that is disputed, incorrect, outdated or superseded by its
// figures shows no better status.
func TestHysteresisNeverSkipsAnImmediateDowngrade(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		st := Standing{Status: Status(rapid.IntRange(0, 6).Draw(t, "published"))}
		s := genSnapshot(t, m)
		got, changes := m.Step(st, s, 0, rapid.Bool().Draw(t, "record"))
		if goodness[s.RawStatus] <= goodness[Disputed] && goodness[got.Status] > goodness[s.RawStatus] && goodness[st.Status] > goodness[s.RawStatus] {
			t.Fatalf("published %v while the raw status is %v", got.Status, s.RawStatus)
		}
		if (got.Status != st.Status) != (len(changes) == 1) {
			t.Fatalf("%v to %v with %d changes", st.Status, got.Status, len(changes))
		}
	})
}

// TestHistoryDoesNotDependOnHowOftenItIsLookedAt replays one course of figures
// with and without looking at the target in between.
func TestHistoryDoesNotDependOnHowOftenItIsLookedAt(t *testing.T) {
	m := newModel(t)
	known := figures(m)
	var names []string
	for name := range known {
		names = append(names, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		var often, seldom Standing
		var first, second []Change
		at := int64(0)
		for range rapid.IntRange(1, 20).Draw(t, "records") {
			next := at + rapid.Int64Range(0, 3*60*minute).Draw(t, "pause")
			s := known[rapid.SampledFrom(names).Draw(t, "figures")]
			for look := at; look < next && look-at < 10*30*minute; look += 30 * minute {
				var c []Change
				often, c = m.Elapse(often, look)
				first = append(first, c...)
			}
			var c []Change
			often, c = m.Step(often, s, next, true)
			first = append(first, c...)
			seldom, c = m.Step(seldom, s, next, true)
			second = append(second, c...)
			at = next
		}
		if often != seldom || fmt.Sprint(first) != fmt.Sprint(second) {
			t.Fatalf("got %+v %v and %+v %v", often, first, seldom, second)
		}
	})
}

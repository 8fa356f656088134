package trustmodel

import "testing"

func TestOutdatedVerdicts(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	stale := judged(VerdictOutdated)
	at := func(age int32, n int, w Weights, records ...Record) []Party {
		parties := make([]Party, n)
		for i := range parties {
			parties[i] = partyOf(m, w, age, records...)
		}
		return parties
	}
	author := partyOf(m, proven, 0, stale)
	author.Author = true
	for name, c := range map[string]struct {
		parties []Party
		want    bool
	}{
		"two parties say so":                     {at(0, 2, proven, stale), true},
		"two of the least standing":              {join(at(0, 1, proven, stale), at(0, 1, Weights{Identity: .8, V: .8, Plus: .8, Minus: .8}, stale)), true},
		"one party is not enough":                {at(0, 1, proven, stale), false},
		"one party saying it often is not":       {at(0, 1, proven, stale, stale, stale), false},
		"newcomers are not enough":               {at(0, 50, id["email"], stale), false},
		"parties without weight are not":         {at(0, 5, Weights{Identity: 1, V: 1, Plus: .2, Minus: .2}, stale), false},
		"an author may admit it":                 {join([]Party{author}, at(0, 1, proven, stale)), true},
		"as many confirm in the window":          {join(at(0, 2, proven, stale), at(3, 2, proven, realSuccess)), false},
		"fewer confirm in the window":            {join(at(0, 3, proven, stale), at(3, 2, proven, realSuccess)), true},
		"confirmations of long ago do not count": {join(at(0, 2, proven, stale), at(13, 9, proven, realSuccess)), true},
		"the window's last bin counts":           {at(12, 2, proven, stale), true},
		"the bin before it does not":             {at(13, 2, proven, stale), false},
		"part inside, part outside":              {join(at(12, 1, proven, stale), at(13, 1, proven, stale)), false},
		"nothing was said":                       {at(0, 2, proven, realFailure), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := content(m, c.parties...)
			if got := s.RawStatus == Outdated; got != c.want {
				t.Errorf("status %v", s.RawStatus)
			}
		})
	}
}

// TestOutdatedVerdictsDoNotMoveTheValue checks that they change the status only.
func TestOutdatedVerdictsDoNotMoveTheValue(t *testing.T) {
	m := newModel(t)
	without := content(m, crowd(m, 8, proven, realSuccess)...)
	with := content(m, join(crowd(m, 8, proven, realSuccess), crowd(m, 9, proven, judged(VerdictOutdated)))...)
	if with.RawStatus != Outdated {
		t.Fatalf("status %v", with.RawStatus)
	}
	with.RawStatus, with.Flags, with.OutdatedParties = without.RawStatus, without.Flags, without.OutdatedParties
	if with != without {
		t.Errorf("got %+v, want %+v", with, without)
	}
}

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
	long := Weights{Identity: .7, V: .9, Plus: .9, Minus: .9}
	author := partyOf(m, proven, 0, stale)
	author.Author = true
	for name, c := range map[string]struct {
		parties []Party
		want    bool
	}{
		"two parties say so":                     {at(0, 2, proven, stale), true},
		"two of the least standing":              {join(at(0, 1, proven, stale), at(0, 1, Weights{Identity: .8, V: .8, Plus: .8, Minus: .8}, stale)), true},
		"two e-mail parties of a long record":    {at(0, 2, long, stale), true},
		"a little less identity than theirs":     {join(at(0, 1, long, stale), at(0, 1, Weights{Identity: .69, V: .9, Plus: .9, Minus: .9}, stale)), false},
		"one party is not enough":                {at(0, 1, proven, stale), false},
		"one party saying it often is not":       {at(0, 1, proven, stale, stale, stale), false},
		"newcomers are not enough":               {at(0, 50, id["email"], stale), false},
		"parties without weight are not":         {at(0, 5, Weights{Identity: 1, V: 1, Plus: .2, Minus: .2}, stale), false},
		"nobody judges their own work":           {join([]Party{author}, at(0, 1, proven, stale)), false},
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

// TestWhatHasWorkedAndFailsLately holds the second rule: older evidence alone had
// earned support, and what came in the last 90 days speaks against it.
func TestWhatHasWorkedAndFailsLately(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	domain := id["domain"]
	at := func(age int32, n int, w Weights, r Record) []Party {
		parties := make([]Party, n)
		for i := range parties {
			parties[i] = partyOf(m, w, age, r)
		}
		return parties
	}
	unverified := Weights{Identity: .3, V: 1, Plus: 1, Minus: 1}
	worked := at(4, 8, domain, realSuccess)
	fails := func(age int32) []Party { return at(age, 4, domain, realFailure) }
	for name, c := range map[string]struct {
		parties []Party
		want    bool
	}{
		"eight succeeded, four fail now":                 {join(worked, fails(0)), true},
		"90 days are three bins":                         {join(worked, fails(3)), true},
		"the fourth is no longer lately":                 {join(worked, fails(4)), false},
		"successes of the last three bins are not older": {join(at(3, 8, domain, realSuccess), fails(0)), false},
		"nor do those of the fourth count as late":       {join(at(4, 30, domain, realSuccess), fails(0)), true},
		"nothing has worked before":                      {fails(0), false},
		// Upper bounds of late evidence alone: .439 of four, .515 of three, .456 of three and a test.
		"three late failures leave doubt":           {join(worked, at(0, 3, domain, realFailure)), false},
		"nor does a failed test settle it":          {join(worked, at(0, 3, domain, realFailure), at(0, 1, domain, Record{Kind: RecordUsage, Result: ResultFailure})), false},
		"five do not":                               {join(worked, at(0, 5, domain, realFailure)), true},
		"four unverified ones of a long record":     {join(worked, at(0, 4, unverified, realFailure)), false},
		"five of them":                              {join(worked, at(0, 5, unverified, realFailure)), true},
		"newcomers who fail are not enough":         {join(worked, at(0, 1000, id["email"], realFailure)), false},
		"two established ones and unseen reviewers": {join(worked, at(0, 2, domain, realFailure), at(0, 2, domain, judged(VerdictFalse))), false},
		"late success beside it":                    {join(worked, fails(0), at(0, 2, domain, realSuccess)), false},
		// Lower bounds of older evidence alone: .344 of two, .454 of three.
		"two had succeeded: it was never supported":  {join(at(4, 2, domain, realSuccess), fails(0)), false},
		"three had: it was":                          {join(at(4, 3, domain, realSuccess), fails(0)), true},
		"four unverified ones of a long record had":  {join(at(4, 4, unverified, realSuccess), fails(0)), false},
		"five of them had":                           {join(at(4, 5, unverified, realSuccess), fails(0)), true},
		"only newcomers had":                         {join(at(4, 1000, id["email"], realSuccess), fails(0)), false},
		"older value .72":                            {join(at(4, 12, domain, realSuccess), at(4, 4, domain, realFailure), at(0, 5, domain, realFailure)), true},
		"older value .605 in spite of .40 to spare":  {join(at(4, 245, domain, realSuccess), at(4, 155, domain, realFailure), at(0, 5, domain, realFailure)), true},
		"older value .595: too little had it worked": {join(at(4, 240, domain, realSuccess), at(4, 160, domain, realFailure), at(0, 5, domain, realFailure)), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := content(m, c.parties...)
			if s.Flags.Outdated != c.want || (s.RawStatus == Outdated) != c.want {
				older, recent := m.evidenceOf(c.parties)
				t.Errorf("outdated %v; older %v from %v, late %v up to %v", s.Flags.Outdated, older.Value, older.Lower, recent.Value, recent.Upper)
			}
		})
	}
}

// evidenceOf evaluates what is older than 90 days, and what is not, each alone.
func (m *Model) evidenceOf(parties []Party) (older, recent Snapshot) {
	var old, late []Party
	for _, p := range parties {
		if asOf-p.Bins[0].Index > 3 {
			old = append(old, p)
		} else {
			late = append(late, p)
		}
	}
	return content(m, old...), content(m, late...)
}

package trustmodel

import "testing"

// TestWhatTheNextRevisionInherits works the carry out: .6 of what is beyond the
// prior, and of the identity; counts as they are.
func TestWhatTheNextRevisionInherits(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		from Snapshot
		want Carry
	}{
		"nothing of the prior": {Snapshot{Alpha: .5, Beta: .5}, Carry{}},
		"three fifths of the excess, on both sides": {
			Snapshot{Alpha: 3, Beta: 1.5, IdentityPlus: 2, RealWorldConfirmations: 2, Anchors: 2},
			Carry{Plus: 1.5, Minus: .6, Identity: 1.2, RealWorld: 2, Anchors: 2},
		},
		"what it had inherited itself fades again": {
			Snapshot{Alpha: 1.5, Beta: .5, IdentityPlus: 1, Totals: Totals{CarryIdentity: 1, CarryRealWorld: 1, CarryAnchors: 1}},
			Carry{Plus: .6, Identity: 1.2, RealWorld: 1, Anchors: 1},
		},
		"verified parties against it are no support": {Snapshot{Alpha: .5, Beta: 2.5, Anchors: -2}, Carry{Minus: 1.2, Anchors: -2}},
	} {
		t.Run(name, func(t *testing.T) {
			got := m.CarryFrom(&c.from)
			near(t, "plus", got.Plus, c.want.Plus, 1e-12)
			near(t, "minus", got.Minus, c.want.Minus, 1e-12)
			near(t, "identity", got.Identity, c.want.Identity, 1e-12)
			if got.RealWorld != c.want.RealWorld || got.Anchors != c.want.Anchors {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestCountsAreCarriedAtMostOnce: of the parties that confirmed an older revision
// one may stand for the new one, however many there were, and none against it.
func TestCountsAreCarriedAtMostOnce(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		given              Carry
		realWorld, anchors int
		identity           float64
	}{
		"none":           {Carry{}, 0, 0, 0},
		"one of each":    {Carry{Identity: .6, RealWorld: 1, Anchors: 1}, 1, 1, .6},
		"many of each":   {Carry{Identity: 60, RealWorld: 100, Anchors: 100}, 1, 1, 2},
		"less than none": {Carry{Identity: -3, RealWorld: -2, Anchors: -2}, 0, 0, 0},
	} {
		got := m.Compute(Input{Carry: c.given}).Totals
		if got.CarryRealWorld != c.realWorld || got.CarryAnchors != c.anchors || got.CarryIdentity != c.identity {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestTrustFadesAlongRevisions: without any evidence of its own, each revision of a
// chain is believed less than the one before it, and no longer than a few.
func TestTrustFadesAlongRevisions(t *testing.T) {
	m := newModel(t)
	s := content(m, crowd(m, 12, proven, realSuccess)...)
	for n := range 8 {
		next := m.Compute(Input{AsOfBin: asOf, Carry: m.CarryFrom(&s)})
		if next.Value >= s.Value || next.Lower >= s.Lower || next.RawStatus != Unverified {
			t.Errorf("revision %d: %+v after %+v", n, next, s)
		}
		s = next
	}
	if s.Value > .55 {
		t.Errorf("after eight untried revisions the value is still %v", s.Value)
	}
}

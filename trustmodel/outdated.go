package trustmodel

// isOutdated tells whether a target has held once and no longer does: because
// enough established parties say so inside the window, and more of them than
// confirm it there; or because what worked before fails lately.
func (m *Model) isOutdated(t *Tally) bool {
	w := &t.Window
	return fromNano(w.OutdatedIdentity) >= m.params.Status.OutdatedIdentity &&
		w.OutdatedParties > w.confirmations() || m.failsLately(t)
}

// failsLately tells whether the older evidence alone had earned a target its
// support, and the recent evidence alone speaks against it. Nothing but evidence
// is asked, so replaying it gives the same answer.
func (m *Model) failsLately(t *Tally) bool {
	p := &m.params.Status
	if fromNano(t.Recent.IdentityMinus) < p.OutdatedIdentity || fromNano(t.Older.IdentityPlus) < p.SupportedIdentity {
		return false
	}
	older, recent := m.posteriorOf(&t.Older), m.posteriorOf(&t.Recent)
	if older.value < p.OutdatedOlderValue || recent.value > p.OutdatedUpper {
		return false
	}
	lower, _ := m.interval(older.alpha, older.beta)
	_, upper := m.interval(recent.alpha, recent.beta)
	return lower >= p.SupportedLower && upper < p.OutdatedUpper
}

type posterior struct{ alpha, beta, value float64 }

// posteriorOf is the posterior of one part of the evidence alone.
func (m *Model) posteriorOf(t *Part) posterior {
	var out posterior
	out.alpha, out.beta, out.value = m.Posterior(t.totals(m.params.Caps.Family))
	return out
}

package trustmodel

// works hold how an actor's own works fare with others, in nano-credits.
type works struct {
	authors     keyIndex // actors
	plus, minus []int64  // by number of the author
}

func newWorks() works { return works{authors: newKeyIndex()} }

// add enters one target, about which all parties but its author's have opinions
// of mass altogether. A work counts as far as others have judged it:
// q = mass/(1+mass) of a credit, shared by its value.
func (w *works) add(t *EpochTarget, mass float64) {
	if (t.AuthorActor == PartyKey{}) || t.Kind == KindEntity || !(mass > 0) {
		return
	}
	all := toNano(mass / (1 + mass))
	plus := toNano(float64(fromNano(all) * unit(t.Value)))
	w.credit(t.AuthorActor, plus, all-plus)
}

func (w *works) credit(author PartyKey, plus, minus int64) {
	n := w.authors.number(author)
	if int(n) == len(w.plus) {
		w.plus, w.minus = append(w.plus, 0), append(w.minus, 0)
	}
	w.plus[n] += plus
	w.minus[n] += minus
}

func (w *works) merge(o *works) {
	for n, key := range o.authors.keys {
		w.credit(key, o.plus[n], o.minus[n])
	}
}

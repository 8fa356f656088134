package trustmodel

// noAuthor stands for the author of a target that nobody wrote.
const noAuthor int32 = -1

// pair is a holder of credits with the author, a party, of what it judged.
type pair struct{ holder, author int32 }

// ledger holds the credits of parties, or of actors. Credits for the works of
// one author are kept apart until the end, when they are capped together.
type ledger struct {
	holders keyIndex
	free    []credits // by holder: for targets without an author
	pairs   map[pair]int32
	paired  []credits // by number of the pair
}

func newLedger() ledger { return ledger{holders: newKeyIndex(), pairs: map[pair]int32{}} }

// add gives credits to a holder. No credit leaves no trace, so that memory goes
// with what could be checked.
func (l *ledger) add(key PartyKey, author int32, c credits) {
	if c == (credits{}) {
		return
	}
	holder := l.holders.number(key)
	if int(holder) == len(l.free) {
		l.free = append(l.free, credits{})
	}
	if author == noAuthor {
		l.free[holder] = l.free[holder].plus(c)
		return
	}
	p := pair{holder, author}
	n, known := l.pairs[p]
	if !known {
		n = int32(len(l.paired))
		l.pairs[p] = n
		l.paired = append(l.paired, credits{})
	}
	l.paired[n] = l.paired[n].plus(c)
}

// merge adds the credits of o; author translates its numbers of authors.
func (l *ledger) merge(o *ledger, author func(int32) int32) {
	for holder, c := range o.free {
		l.add(o.holders.keys[holder], noAuthor, c)
	}
	for p, n := range o.pairs {
		l.add(o.holders.keys[p.holder], author(p.author), o.paired[n])
	}
}

// totals returns the credits of each holder, by its number, where the works of
// one author give it at most limit nano-credits.
func (l *ledger) totals(limit int64) []credits {
	out := make([]credits, len(l.free))
	copy(out, l.free)
	for p, n := range l.pairs {
		out[p.holder] = out[p.holder].plus(l.paired[n].cappedTo(limit))
	}
	return out
}

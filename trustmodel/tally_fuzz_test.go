package trustmodel

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kept is a target that FuzzTally changes step by step: the records of each
// party, its weights, and a tally that is kept instead of counted anew.
type kept struct {
	model   *Model
	kind    TargetKind
	asOf    int32
	parties map[uint8]*Party
	tally   Tally
}

// change takes a party out of the tally, changes it, and puts it back: what a
// fold does with every record that comes.
func (k *kept) change(party uint8, how func(p *Party)) {
	p := k.parties[party]
	if p == nil {
		p = &Party{Key: PartyKey{party + 1}, Weights: fuzzWeights(party), Author: party == 6}
		k.parties[party] = p
	} else {
		k.model.Remove(&k.tally, k.kind, k.asOf, p)
	}
	how(p)
	if len(p.Bins) == 0 {
		delete(k.parties, party)
		return
	}
	k.model.Add(&k.tally, k.kind, k.asOf, p)
}

// input is the same target from scratch, its parties and bins in another order on
// each run.
func (k *kept) input() Input {
	in := Input{Kind: k.kind, AsOfBin: k.asOf}
	for _, p := range k.parties {
		in.Parties = append(in.Parties, Party{Key: p.Key, Weights: p.Weights, Author: p.Author, Bins: slices.Clone(p.Bins)})
		slices.Reverse(in.Parties[len(in.Parties)-1].Bins)
	}
	return in
}

// FuzzTally changes the parties of a target one by one in a tally that is kept:
// records and whole batches come, are retracted, arrive in another order, sealed
// weights change, time goes on. Whatever the course, the tally and its snapshot are those
// of counting everybody anew, byte for byte; and they are the empty ones when all
// is taken back.
func FuzzTally(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2, 67, 3, 1, 9, 4, 200, 255, 2, 0, 0, 0, 1, 3, 30, 72, 129, 7})
	f.Add([]byte{4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 250, 4, 0, 0, 16, 17, 18, 19, 5, 5, 5, 5, 0, 1, 1, 1})
	m := newModel(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) <= stepBytes*300 {
			follow(t, m, script)
		}
	})
}

// TestAKeptTallyIsThatOfCountingAnew holds the same for scripts of sensible steps.
func TestAKeptTallyIsThatOfCountingAnew(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		n := stepBytes * rapid.IntRange(0, 20).Draw(t, "steps")
		follow(t, m, rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "script"))
	})
}

// stepBytes is how many bytes make one step: the operation, and what it is about.
const stepBytes = 5

// follow makes every change of a script and compares after each of them, then
// takes all back.
func follow(t rapid.TB, m *Model, script []byte) {
	k := &kept{model: m, kind: KindContent, asOf: asOf, parties: map[uint8]*Party{}}
	for ; len(script) >= stepBytes; script = script[stepBytes:] {
		k.step(script[0]%8, script[1:stepBytes])
		k.compare(t)
	}
	for party := range uint8(7) {
		if k.parties[party] != nil {
			k.change(party, func(p *Party) { p.Bins = nil })
		}
	}
	if raw, err := json.Marshal(k.tally); err != nil || string(raw) != emptyTally {
		t.Fatalf("all is taken back, but %s is left, %v", raw, err)
	}
	if got := m.Evaluate(k.kind, &k.tally, Carry{}, Flags{}); got != m.Prior() {
		t.Fatalf("all is taken back, but %+v", got)
	}
}

const emptyTally = `{"all":{},"window":{},"recent":{},"older":{}}`

// step makes the change that one operation and four bytes stand for.
func (k *kept) step(operation uint8, b []byte) {
	e := decodeEvent(b)
	bin := Bin{Index: e.bin, Sums: k.model.Sums(e.record)}
	if e.record.Kind == RecordReview && !e.record.Grounded {
		bin.Family = [...]string{"", "a.example", "b.example"}[b[3]%3]
	}
	switch operation {
	case 0, 1, 2: // one record more
		k.change(e.party, func(p *Party) { p.Bins = append(p.Bins, bin) })
	case 3: // one less
		k.change(e.party, func(p *Party) {
			if n := len(p.Bins); n > 0 {
				at := int(b[1]) % n
				p.Bins = slices.Delete(p.Bins, at, at+1)
			}
		})
	case 4: // a batch, and what it retracts beside it
		k.change(e.party, func(p *Party) {
			p.Bins = append(p.Bins, bin, bin, Bin{Index: bin.Index, Family: bin.Family, Sums: Sums{}.Minus(bin.Sums)}, bin)
		})
	case 5: // another order
		k.change(e.party, func(p *Party) { slices.Reverse(p.Bins) })
	case 6: // a new epoch
		k.change(e.party, func(p *Party) { p.Weights = fuzzWeights(b[1] % 7) })
	case 7: // time goes on: every party is of another age
		all := k.input()
		k.asOf += int32(b[0] % 4)
		k.tally = Tally{}
		for i := range all.Parties {
			k.model.Add(&k.tally, k.kind, k.asOf, &all.Parties[i])
		}
	}
}

func (k *kept) compare(t rapid.TB) {
	t.Helper()
	in := k.input()
	want := tallyOf(k.model, &in)
	got, err := json.Marshal(k.tally)
	if err != nil {
		t.Fatal(err)
	}
	anew, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, anew) {
		t.Fatalf("kept %s, anew %s", got, anew)
	}
	if got, want := k.model.Evaluate(k.kind, &k.tally, Carry{}, Flags{}), k.model.Compute(in); got != want {
		t.Fatalf("kept %+v, anew %+v", got, want)
	}
}

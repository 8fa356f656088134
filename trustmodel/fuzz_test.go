package trustmodel

import (
	"slices"
	"testing"
)

// event is one record of the log that FuzzReplay builds.
type event struct {
	party, actor uint8
	bin          int32
	record       Record
}

// decodeEvent reads an event from four bytes.
func decodeEvent(b []byte) event {
	return event{
		party: b[0] % 7,
		actor: b[0] / 7 % 3,
		bin:   asOf - int32(b[1]%40),
		record: Record{
			Kind:            RecordKind(b[2] % 3),
			Result:          Result(b[2] / 3 % 4),
			RealWorld:       b[2]&64 != 0,
			Grounded:        b[2]&128 != 0,
			Verdict:         Verdict(b[3] % 8),
			ConfidenceMilli: int32(b[3])*4 - 1,
		},
	}
}

// binKey is the key of stored statistics: one actor of one party in one bin.
type binKey struct {
	party, actor uint8
	bin          int32
}

// FuzzReplay drives a target through adds, retractions and repeats, keeping
// statistics record by record, and holds that they give the very same snapshot
// as one batch of what is still active, replayed in reverse order with no two
// records in one bin entry, and as a fold of those in two batches.
func FuzzReplay(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 67, 3, 2, 9, 4, 200, 255, 0, 0, 0, 1, 30, 72, 129})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 250, 4, 0, 0, 16, 17, 18, 19})
	m := newModel(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 4*400 {
			return
		}
		stats := map[binKey]Sums{}
		var active []event
		for ; len(script) >= 4; script = script[4:] {
			if script[0] >= 230 && len(active) > 0 { // retract
				i := int(script[1]) % len(active)
				e := active[i]
				active = slices.Delete(active, i, i+1)
				k := binKey{e.party, e.actor, e.bin}
				stats[k] = stats[k].Minus(m.Sums(e.record))
				continue
			}
			e := decodeEvent(script)
			active = append(active, e)
			k := binKey{e.party, e.actor, e.bin}
			stats[k] = stats[k].Plus(m.Sums(e.record))
		}
		for _, kind := range []TargetKind{KindContent, KindClaim} {
			want := m.Compute(incrementalInput(kind, stats))
			slices.Reverse(active)
			if got := m.Compute(batchInput(m, kind, active)); got != want {
				t.Fatalf("batch %+v, incremental %+v", got, want)
			}
			half := len(active) / 2
			folded := fold(m, fold(m, nil, active[half:]), active[:half])
			if got := m.Compute(incrementalInput(kind, folded)); got != want {
				t.Fatalf("replay %+v, incremental %+v", got, want)
			}
			if len(active) == 0 && want != m.Prior() {
				t.Fatalf("all is retracted, but %+v", want)
			}
		}
	})
}

func fold(m *Model, stats map[binKey]Sums, events []event) map[binKey]Sums {
	if stats == nil {
		stats = map[binKey]Sums{}
	}
	for _, e := range events {
		k := binKey{e.party, e.actor, e.bin}
		stats[k] = stats[k].Plus(m.Sums(e.record))
	}
	return stats
}

// fuzzWeights are the weights of party i: every kind of standing comes up.
func fuzzWeights(i uint8) Weights {
	return [...]Weights{
		proven,
		{Identity: .9, V: .9, Plus: .3, Minus: .7},
		{Identity: .8, V: .8, Plus: .016, Minus: .8},
		{Identity: .3, V: .3, Plus: .23, Minus: .23},
		{Identity: .7, V: .7, Plus: .54, Minus: .54},
		{Identity: 1, V: 1, Plus: .77, Minus: .77},
		proven,
	}[i]
}

// incrementalInput has the parties and bins in the order of map iteration, so
// in another one on each run.
func incrementalInput(kind TargetKind, stats map[binKey]Sums) Input {
	bins := map[uint8][]Bin{}
	for k, s := range stats {
		bins[k.party] = append(bins[k.party], Bin{Index: k.bin, Sums: s})
	}
	return inputOf(kind, bins)
}

func batchInput(m *Model, kind TargetKind, events []event) Input {
	bins := map[uint8][]Bin{}
	for _, e := range events {
		bins[e.party] = append(bins[e.party], Bin{Index: e.bin, Sums: m.Sums(e.record)})
	}
	return inputOf(kind, bins)
}

func inputOf(kind TargetKind, bins map[uint8][]Bin) Input {
	in := Input{Kind: kind, AsOfBin: asOf}
	for i, b := range bins {
		in.Parties = append(in.Parties, Party{
			Key: PartyKey{i + 1}, Weights: fuzzWeights(i), Author: i == 6, Bins: b,
		})
	}
	return in
}

package trustmodel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// goldenSnapshots is the SHA-256 of what TestSnapshotsKeepEveryBit computes. It
// must be the same on every machine, with and without fused multiply-add, and
// changes only with the model, whose name must change then.
const goldenSnapshots = "c4511f6a8a92f77131663dd1cbfe54cf3d08d37afc09f0db655fa1f1b98755e8"

func TestSnapshotsKeepEveryBit(t *testing.T) {
	m := newModel(t)
	r := rand.New(rand.NewPCG(1, 2))
	h := sha256.New()
	statuses, capped := map[Status]bool{}, false
	for range 500 {
		s := m.Compute(goldenInput(r, m))
		statuses[s.RawStatus] = true
		capped = capped || s.Totals.CappedFamilies > 0
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(raw)
	}
	if len(statuses) < 7 || !capped {
		t.Errorf("a poor choice of targets: %v, families capped %v", statuses, capped)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != goldenSnapshots {
		t.Errorf("hash %s, want %s", got, goldenSnapshots)
	}
}

// goldenInput is a target of up to 50 parties of any standing, of which nearly
// all say the same, or each says what it likes.
func goldenInput(r *rand.Rand, m *Model) Input {
	in := Input{
		Kind: TargetKind(r.IntN(3)), AsOfBin: asOf, Superseded: r.IntN(20) == 0,
		Carry: Carry{
			Plus: float64(r.IntN(3)), Minus: float64(r.IntN(2)), Identity: float64(r.IntN(9)) / 4, RealWorld: r.IntN(2), Anchors: r.IntN(3),
		},
	}
	milli := func(n, least int) float64 { return float64(r.IntN(n)+least) / 1000 }
	mood := r.IntN(4)
	for range r.IntN(50) {
		identity := [...]Identity{{}, {Email: true}, {Domain: true}, {Vouched: true}}[r.IntN(4)]
		track := Track{Credits: milli(20_000, 0), LogPlus: milli(4000, -1000), LogMinus: milli(4000, -1000)}
		p := Party{Weights: m.Weights(m.Distinctness(identity), track), Author: r.IntN(20) == 0}
		for range 1 + r.IntN(4) {
			p.Bins = append(p.Bins, goldenBin(r, m, mood))
		}
		in.Parties = append(in.Parties, p)
	}
	withKeys(in.Parties)
	return in
}

func goldenBin(r *rand.Rand, m *Model, mood int) Bin {
	record := Record{
		Kind: RecordKind(r.IntN(3)), Result: Result(r.IntN(4)), RealWorld: r.IntN(2) == 0,
		Verdict: Verdict(r.IntN(8)), ConfidenceMilli: r.Int32N(1002) - 1, Grounded: r.IntN(2) == 0,
	}
	switch {
	case mood == 0 || r.IntN(10) == 0: // of all sorts
	case mood == 3:
		record.Kind, record.Verdict, record.Grounded = RecordReview, VerdictConfirmed, false
	default:
		record.Kind, record.Result = RecordUsage, [...]Result{1: ResultSuccess, 2: ResultFailure}[mood]
	}
	bin := Bin{Index: asOf - r.Int32N(60), Sums: m.Sums(record)}
	if record.Kind == RecordReview && !record.Grounded {
		bin.Family = [...]string{"", "a.example"}[r.IntN(2)]
	}
	return bin
}

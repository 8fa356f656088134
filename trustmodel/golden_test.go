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
const goldenSnapshots = "b8cea8acd3c9a189bff8f7af4fea7658a4d2d2ee98eb1544c1f8ed2204757fec"

func TestSnapshotsKeepEveryBit(t *testing.T) {
	m := newModel(t)
	r := rand.New(rand.NewPCG(1, 2))
	identities := []Identity{{}, {Email: true}, {Domain: true}, {Vouched: true}}
	h := sha256.New()
	for range 500 {
		in := Input{
			Kind: TargetKind(r.IntN(3)), AsOfBin: asOf, Superseded: r.IntN(20) == 0,
			Carry: Carry{Plus: float64(r.IntN(3)), Minus: float64(r.IntN(2))},
		}
		for range r.IntN(30) {
			p := Party{Weights: m.IdentityWeights(identities[r.IntN(4)]), Author: r.IntN(20) == 0, Stater: r.IntN(20) == 0}
			for range 1 + r.IntN(4) {
				p.Bins = append(p.Bins, Bin{Index: asOf - r.Int32N(60), Sums: m.Sums(Record{
					Kind: RecordKind(r.IntN(3)), Result: Result(r.IntN(4)), RealWorld: r.IntN(2) == 0,
					Verdict: Verdict(r.IntN(8)), ConfidenceMilli: r.Int32N(1002) - 1, Grounded: r.IntN(2) == 0,
				})})
			}
			in.Parties = append(in.Parties, p)
		}
		withKeys(in.Parties)
		raw, err := json.Marshal(m.Compute(in))
		if err != nil {
			t.Fatal(err)
		}
		h.Write(raw)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != goldenSnapshots {
		t.Errorf("hash %s, want %s", got, goldenSnapshots)
	}
}

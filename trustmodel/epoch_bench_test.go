package trustmodel

import "testing"

// BenchmarkEpoch reads 100,000 targets with ten parties each, a million pairs in
// all, of 20,000 parties of which every second one has two actors. One run is
// one epoch, with its tracks and reputations.
func BenchmarkEpoch(b *testing.B) {
	const targets, parties, perTarget = 100_000, 20_000, 10
	m := newModel(b)
	records := []Record{realSuccess, realFailure, judged(VerdictConfirmed), judged(VerdictMisleading), testSuccess}
	for b.Loop() {
		e := m.NewEpoch(asOf)
		x := EpochTarget{Parties: make([]EpochParty, perTarget)}
		bins := make([][2]Bin, len(records))
		for i, r := range records {
			bins[i] = [2]Bin{{Index: asOf - int32(i), Sums: m.Sums(r)}, {Index: asOf - 14, Sums: m.Sums(r)}}
		}
		actors := make([][2]EpochActor, perTarget)
		weights := []Weights{m.IdentityWeights(Identity{Domain: true}), m.IdentityWeights(Identity{Email: true}), m.IdentityWeights(Identity{})}
		state := uint64(1)
		for n := range targets {
			x.Author, x.AuthorActor, x.Value = numbered(n%parties), numbered(100_000+n%parties), .7
			for i := range x.Parties {
				state = state*6364136223846793005 + 1442695040888963407
				who := int(state>>33) % parties
				actors[i] = [2]EpochActor{
					{Key: numbered(100_000 + who), Bins: bins[(n+i)%len(bins)][:]},
					{Key: numbered(200_000 + who), Bins: bins[i%len(bins)][:]},
				}
				x.Parties[i] = EpochParty{
					Key: numbered(who), Weights: weights[who%len(weights)], Track: m.PriorTrack(), Actors: actors[i][:1+who%2],
				}
			}
			e.Add(&x)
		}
		if len(e.Tracks()) == 0 || len(e.Reputations(nil)) == 0 {
			b.Fatal("nothing was earned")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Seconds())/float64(b.N), "s/epoch")
}

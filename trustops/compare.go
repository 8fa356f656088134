package trustops

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// pairPage is how many targets one look at the database compares.
const pairPage = 4096

// Comparison is how two versions differ over all targets that both have computed.
type Comparison struct {
	A  string    `json:"a"`
	B  string    `json:"b"`
	At time.Time `json:"at"`
	// EpochA and EpochB are the sealed epochs of reputations that the versions read. Where one has none, part of what
	// differs is that all parties are newcomers to it.
	EpochA int32 `json:"epoch_a"`
	EpochB int32 `json:"epoch_b"`
	// Parameters are those that differ.
	Parameters []Change `json:"parameters"`
	// Shared is how many targets were compared; OnlyA and OnlyB were computed by one version only.
	Shared int64 `json:"shared"`
	OnlyA  int64 `json:"only_a"`
	OnlyB  int64 `json:"only_b"`
	// Matrix counts targets by their status under A (rows) and under B (columns), both in the order of Statuses.
	Statuses []string  `json:"statuses"`
	Matrix   [][]int64 `json:"matrix"`
	// Changed is how many targets have another status, Moved how many another value.
	Changed int64 `json:"changed"`
	Moved   int64 `json:"moved"`
	// Shift is the value under B less the value under A; Widths are of the 90 % intervals.
	Shift  Spread    `json:"shift"`
	WidthA Spread    `json:"width_a"`
	WidthB Spread    `json:"width_b"`
	Kinds  []KindSum `json:"kinds"`
	Movers []Mover   `json:"movers"`
	// Agreement is of both versions with labelled outcomes, empty without labels.
	Agreement []Agreement `json:"agreement,omitempty"`
}

// KindSum sums up the targets of one kind.
type KindSum struct {
	// Kind is rev, clm, ent or cnt.
	Kind    store.Kind `json:"kind"`
	Targets int64      `json:"targets"`
	Changed int64      `json:"changed"`
	// Values and widths are means over the targets; Shift is the mean of |Δvalue|.
	ValueA float64 `json:"value_a"`
	ValueB float64 `json:"value_b"`
	WidthA float64 `json:"width_a"`
	WidthB float64 `json:"width_b"`
	Shift  float64 `json:"shift"`
	// Confirmations are sums over the targets.
	ConfirmationsA int64 `json:"confirmations_a"`
	ConfirmationsB int64 `json:"confirmations_b"`
}

// CompareOptions say what a comparison shows beside the sums.
type CompareOptions struct {
	// Limit is how many movers are listed.
	Limit  int
	Labels Labels
	// Progress, when set, is told how many targets of about how many are compared.
	Progress func(done, total int)
}

// Compare compares two versions in one pass over their snapshots. Its memory does not grow with the number of targets.
// While evidence comes in, targets are compared at slightly different moments; both snapshots of one target never are.
func (v *Versions) Compare(ctx context.Context, a, b string, options CompareOptions) (Comparison, error) {
	progress, err := v.db.ModelsProgress(ctx)
	if err != nil {
		return Comparison{}, err
	}
	models := versions(progress.Models)
	first, err := models.find(a)
	if err != nil {
		return Comparison{}, err
	}
	second, err := models.find(b)
	if err != nil {
		return Comparison{}, err
	}
	t, err := v.newTally(ctx, options)
	if err != nil {
		return Comparison{}, err
	}
	computed := progress.Progress[first.ID].Computed
	if err := v.eachPair(ctx, first.ID, second.ID, func(pairs []store.Pair) {
		for i := range pairs {
			t.add(&pairs[i])
		}
		if options.Progress != nil {
			options.Progress(int(t.shift.n), int(max(computed, t.shift.n)))
		}
	}); err != nil {
		return Comparison{}, err
	}
	out := t.sum(a, b)
	out.EpochA, out.EpochB = first.Epoch, second.Epoch
	out.OnlyA = max(computed-out.Shared, 0)
	out.OnlyB = max(progress.Progress[second.ID].Computed-out.Shared, 0)
	if out.Parameters, err = parameterChanges(first, second); err != nil {
		return Comparison{}, err
	}
	if out.At, err = v.db.Now(ctx); err != nil {
		return Comparison{}, err
	}
	out.Movers, err = v.explainMovers(ctx, first.ID, second.ID, t.movers.sorted())
	return out, err
}

func parameterChanges(a, b *store.TrustModel) ([]Change, error) {
	from, err := a.Params()
	if err != nil {
		return nil, err
	}
	to, err := b.Params()
	if err != nil {
		return nil, err
	}
	return changes(from, to), nil
}

func (v *Versions) eachPair(ctx context.Context, a, b int16, each func([]store.Pair)) error {
	for after := uuid.Nil; ; {
		pairs, err := v.db.Pairs(ctx, a, b, after, pairPage)
		if err != nil {
			return err
		}
		each(pairs)
		if len(pairs) < pairPage {
			return nil
		}
		after = pairs[len(pairs)-1].Target.UUID
	}
}

func (v *Versions) explainMovers(ctx context.Context, a, b int16, pairs []store.Pair) ([]Mover, error) {
	targets := make([]store.ID, len(pairs))
	for i := range pairs {
		targets[i] = pairs[i].Target
	}
	inputs, err := v.db.PairInputs(ctx, a, b, targets)
	if err != nil {
		return nil, err
	}
	out := make([]Mover, len(pairs))
	for i, p := range pairs {
		behind := inputs[p.Target.UUID]
		out[i] = Mover{
			Target: p.Target, Title: behind.Title, Delta: float64(shift(&p)) / micro, A: figureOf(p.A), B: figureOf(p.B),
		}
		if behind.A == nil {
			continue // taken away since, with the demonstration it belonged to
		}
		if out[i].Reason, err = reason(behind.A, behind.B); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tally adds up pairs.
type tally struct {
	labels         Labels
	labelled       int
	statuses       []string
	matrix         map[[2]string]int64
	changed, moved int64
	shift          *figures
	widthA, widthB *figures
	kinds          map[store.Kind]*kindTally
	movers         movers
	agreeA, agreeB agreement
}

type kindTally struct {
	targets, changed               int64
	valueA, valueB, widthA, widthB int64 // millionths
	shift                          int64 // of |Δ|, millionths
	confirmationsA, confirmationsB int64
}

func (v *Versions) newTally(ctx context.Context, options CompareOptions) (*tally, error) {
	t := &tally{
		matrix: map[[2]string]int64{}, kinds: map[store.Kind]*kindTally{}, movers: movers{limit: options.Limit},
		shift: newFigures(-1), widthA: newFigures(0), widthB: newFigures(0),
	}
	for status := trustmodel.Unverified; status <= trustmodel.Superseded; status++ {
		t.statuses = append(t.statuses, status.String())
	}
	if options.Labels == nil {
		return t, nil
	}
	t.labels, t.labelled = maps.Clone(options.Labels), len(options.Labels)
	items := options.Labels.items()
	for page := range slices.Chunk(items, pairPage) {
		current, err := v.db.CurrentRevisions(ctx, page)
		if err != nil {
			return nil, err
		}
		for item, revision := range current {
			if _, itself := t.labels[revision]; !itself {
				t.labels[revision] = options.Labels[item]
			}
		}
	}
	return t, nil
}

func (t *tally) add(p *store.Pair) {
	delta := shift(p)
	widthA, widthB := width(p.A), width(p.B)
	t.shift.add(delta)
	t.widthA.add(widthA)
	t.widthB.add(widthB)
	t.matrix[[2]string{p.A.Status, p.B.Status}]++
	k := t.kinds[p.Target.Kind]
	if k == nil {
		k = &kindTally{}
		t.kinds[p.Target.Kind] = k
	}
	if p.A.Status != p.B.Status {
		t.changed++
		k.changed++
	}
	if delta != 0 {
		t.moved++
	}
	k.targets++
	k.valueA += int64(millionths(p.A.Value))
	k.valueB += int64(millionths(p.B.Value))
	k.widthA += int64(widthA)
	k.widthB += int64(widthB)
	k.shift += int64(max(delta, -delta))
	k.confirmationsA += int64(p.A.Confirmations)
	k.confirmationsB += int64(p.B.Confirmations)
	t.movers.add(*p)
	if holds, labelled := t.labels[p.Target]; labelled {
		t.agreeA.add(p.A, holds)
		t.agreeB.add(p.B, holds)
	}
}

func width(f store.Figures) int { return millionths(f.Upper) - millionths(f.Lower) }

func (t *tally) sum(a, b string) Comparison {
	out := Comparison{
		A: a, B: b, Shared: t.shift.n, Changed: t.changed, Moved: t.moved, Statuses: t.statuses,
		Shift: t.shift.shiftSpread(), WidthA: t.widthA.widthSpread(), WidthB: t.widthB.widthSpread(), Kinds: []KindSum{},
	}
	for _, from := range t.statuses {
		row := make([]int64, len(t.statuses))
		for i, to := range t.statuses {
			row[i] = t.matrix[[2]string{from, to}]
		}
		out.Matrix = append(out.Matrix, row)
	}
	for _, kind := range slices.Sorted(maps.Keys(t.kinds)) {
		out.Kinds = append(out.Kinds, t.kinds[kind].sum(kind))
	}
	if t.labels != nil {
		out.Agreement = []Agreement{t.agreeA.sum(a, t.labelled), t.agreeB.sum(b, t.labelled)}
	}
	return out
}

func (k *kindTally) sum(kind store.Kind) KindSum {
	mean := func(sum int64) float64 { return float64(sum) / float64(k.targets) / micro }
	return KindSum{
		Kind: kind, Targets: k.targets, Changed: k.changed,
		ValueA: mean(k.valueA), ValueB: mean(k.valueB), WidthA: mean(k.widthA), WidthB: mean(k.widthB), Shift: mean(k.shift),
		ConfirmationsA: k.confirmationsA, ConfirmationsB: k.confirmationsB,
	}
}

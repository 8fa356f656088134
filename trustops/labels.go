package trustops

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"interai/store"
)

// maxLabels bounds how many outcomes a comparison holds in memory.
const maxLabels = 5_000_000

// Labels say of targets what was found out by other means: whether they work or hold.
type Labels map[store.ID]bool

// ReadLabels reads lines "target,truth", the truth 0 or 1, with or without that header. A target is the ID of a
// revision, a claim, an entity, or an item, which means its current revision. A target twice must say the same.
func ReadLabels(r io.Reader) (Labels, error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord = 2
	lines.ReuseRecord = true
	lines.TrimLeadingSpace = true
	labels := Labels{}
	for no := 1; ; no++ {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return labels, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read labels: %w", err)
		}
		target, truth := strings.TrimSpace(strings.TrimPrefix(fields[0], "\ufeff")), strings.TrimSpace(fields[1])
		if no == 1 && strings.EqualFold(target, "target") {
			continue
		}
		line, _ := lines.FieldPos(0)
		if err := labels.add(target, truth); err != nil {
			return nil, fmt.Errorf("read labels: line %d: %w", line, err)
		}
		if len(labels) > maxLabels {
			return nil, fmt.Errorf("read labels: more than %d", maxLabels)
		}
	}
}

func (l Labels) add(target, truth string) error {
	id, err := store.ParseID(target)
	if err != nil {
		return fmt.Errorf("%q is not an ID", target)
	}
	switch id.Kind {
	case store.KindRevision, store.KindContent, store.KindClaim, store.KindEntity:
	default:
		return fmt.Errorf("%s is not a revision, an item, a claim or an entity", id)
	}
	if truth != "0" && truth != "1" {
		return fmt.Errorf("%q is not 0 or 1", truth)
	}
	holds := truth == "1"
	if before, twice := l[id]; twice && before != holds {
		return fmt.Errorf("%s has both truths", id)
	}
	l[id] = holds
	return nil
}

// items lists the labelled items, whose current revisions are what is computed.
func (l Labels) items() []store.ID {
	var out []store.ID
	for id := range l {
		if id.Kind == store.KindContent {
			out = append(out, id)
		}
	}
	return out
}

// Agreement is how well one version agrees with labelled outcomes.
type Agreement struct {
	Version string `json:"version"`
	// Labels is how many there are, Found how many of their targets both versions have computed.
	Labels int64 `json:"labels"`
	Found  int64 `json:"found"`
	// Accuracy is the share of found labels on whose side of .5 the value is; .5 itself says that it holds.
	Accuracy float64 `json:"accuracy"`
	// Brier is the mean of (value - truth)²; .25 is what a value of .5 for everything gets, 0 is best.
	Brier float64 `json:"brier"`
	// Coverage is the share of found labels that the 90 % interval admits: its end on the label's side is beyond .5.
	Coverage float64 `json:"coverage"`
}

// agreement adds up in whole numbers, so that the order of targets never shows.
type agreement struct {
	found, right, covered int64
	squares               float64 // of millionths, whole and below 2^53 for 9,000 targets; beyond that the last bit is noise
}

func (a *agreement) add(f store.Figures, holds bool) {
	const half = micro / 2
	value, truth := millionths(f.Value), 0
	if holds {
		truth = micro
	}
	a.found++
	if (value >= half) == holds {
		a.right++
	}
	if holds && millionths(f.Upper) > half || !holds && millionths(f.Lower) < half {
		a.covered++
	}
	a.squares += float64(value-truth) * float64(value-truth)
}

func (a *agreement) sum(version string, labels int) Agreement {
	out := Agreement{Version: version, Labels: int64(labels), Found: a.found}
	if a.found > 0 {
		n := float64(a.found)
		out.Accuracy, out.Coverage = float64(a.right)/n, float64(a.covered)/n
		out.Brier = a.squares / n / micro / micro
	}
	return out
}

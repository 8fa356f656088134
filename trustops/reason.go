package trustops

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxReasons is how many differing inputs a reason names.
const maxReasons = 4

// derived are figures that follow from the sums and the parameters; everything else in a snapshot but its outcome is an
// input, or a sum of inputs.
var derived = []string{"alpha", "beta", "totals.x", "totals.y", "totals.cap_g", "totals.cap_r", "totals.cap_u"}

// outcome is what a reason explains, and no part of it.
var outcome = []string{"value", "lower", "upper", "raw_status"}

// nanoSuffixes end the names of sums that are kept in billionths of a party.
var nanoSuffixes = []string{"_plus", "_minus"}

// difference is one number of a snapshot that differs between two versions.
type difference struct {
	path string
	a, b float64
}

// reason says in one line which inputs of two snapshots differ, the greatest difference first.
func reason(a, b json.RawMessage) (string, error) {
	before, err := numbers(a)
	if err != nil {
		return "", err
	}
	after, err := numbers(b)
	if err != nil {
		return "", err
	}
	inputs, results := differences(before, after)
	switch {
	case len(inputs) > 0:
		return line(inputs), nil
	case len(results) > 0:
		return "the same sums, weighed differently: " + line(results), nil
	}
	return "no difference: the two were read at different moments", nil
}

// numbers lists the numbers of a snapshot by their path.
func numbers(raw json.RawMessage) (map[string]float64, error) {
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("decode the inputs of a snapshot: %w", err)
	}
	out := map[string]float64{}
	flatten(tree, "", out)
	return out, nil
}

func differences(before, after map[string]float64) (inputs, results []difference) {
	for path := range merged(before, after) {
		d := difference{path: path, a: before[path], b: after[path]}
		switch {
		case d.a == d.b:
		case slices.Contains(outcome, path):
		case slices.Contains(derived, path):
			results = append(results, d)
		default:
			inputs = append(inputs, d)
		}
	}
	return inputs, results
}

func merged(before, after map[string]float64) map[string]bool {
	out := map[string]bool{}
	for path := range before {
		out[path] = true
	}
	for path := range after {
		out[path] = true
	}
	return out
}

func flatten(tree any, path string, into map[string]float64) {
	switch v := tree.(type) {
	case map[string]any:
		for name, below := range v {
			flatten(below, strings.TrimPrefix(path+"."+name, "."), into)
		}
	case []any:
		for i, below := range v {
			flatten(below, path+"."+strconv.Itoa(i), into)
		}
	case float64:
		into[path] = v
	case bool:
		into[path] = 0
		if v {
			into[path] = 1
		}
	}
}

// size is how different the two numbers are, between 0 and 2.
func (d difference) size() float64 { return math.Abs(d.a-d.b) / max(math.Abs(d.a), math.Abs(d.b)) }

func (d difference) String() string {
	scale := 1.0
	if name, sum := strings.CutPrefix(d.path, "totals."); sum && !strings.HasPrefix(name, "carry") {
		for _, suffix := range nanoSuffixes {
			if strings.HasSuffix(name, suffix) {
				scale = 1e-9
			}
		}
	}
	name := strings.ReplaceAll(strings.TrimPrefix(d.path, "totals."), "_", " ")
	return fmt.Sprintf("%s %.4g → %.4g", name, d.a*scale, d.b*scale)
}

func line(differing []difference) string {
	slices.SortFunc(differing, func(x, y difference) int {
		return cmp.Or(cmp.Compare(y.size(), x.size()), cmp.Compare(x.path, y.path))
	})
	parts := make([]string, 0, maxReasons)
	for _, d := range differing[:min(len(differing), maxReasons)] {
		parts = append(parts, d.String())
	}
	if more := len(differing) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

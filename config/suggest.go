package config

import (
	"maps"
	"slices"
)

func (o Option) flag() string { return "--" + o.Name }

// hint is "; did you mean …?" when an option's spelling is close to name.
func (l *loader) hint(prefix, name string, spell func(Option) string) string {
	name = prefix + name
	best, bestDistance := "", len(name)/3+1 // a third of the letters may be wrong
	for _, o := range l.options {
		if d := distance(name, spell(o)); d < bestDistance {
			best, bestDistance = spell(o), d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

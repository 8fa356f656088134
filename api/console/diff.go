package console

import (
	"slices"
	"strings"

	"interai/store"
)

const (
	// maxEdits bounds the work and the memory of a comparison: texts that differ in more lines are shown whole.
	maxEdits = 600
	// maxDiffLines bounds the lines of each side of a comparison.
	maxDiffLines = 20_000
	// around is how many lines are shown on both sides of a change.
	around = 3
)

// op is what became of a line.
type op byte

// What becomes of lines.
const (
	kept    op = ' '
	removed op = '-'
	added   op = '+'
)

// change is how one text has changed.
type change struct {
	Path  string
	Lines []diffLine
	// Added and Removed count lines; Whole says that the texts have too little in common to compare them.
	Added, Removed int
	Whole          bool
}

// diffLine is one line of a comparison. Skipped stands for so many lines without a change.
type diffLine struct {
	Op      op
	Text    string
	Skipped int
}

// Folded says how many lines are left out.
func (l diffLine) Folded() string { return plural(l.Skipped, "line", "lines") }

// Sign is what stands before the line.
func (l diffLine) Sign() string { return string(l.Op) }

// Word says the same for those who do not see the sign.
func (l diffLine) Word() string {
	switch l.Op {
	case added:
		return "added"
	case removed:
		return "removed"
	case kept:
	}
	return ""
}

// Class is the sign's name in the stylesheet.
func (l diffLine) Class() string {
	if word := l.Word(); word != "" {
		return word
	}
	return "kept"
}

// changes are the differences between two sets of texts, path by path. Equal ones are left out.
func changes(before, after []store.MaskedText) []change {
	old, paths := map[string]string{}, []string{}
	fresh := map[string]string{}
	for _, text := range before {
		old[text.Path] = text.Text
		paths = append(paths, text.Path)
	}
	for _, text := range after {
		fresh[text.Path] = text.Text
		if _, had := old[text.Path]; !had {
			paths = append(paths, text.Path)
		}
	}
	var out []change
	for _, path := range paths {
		now, stands := fresh[path]
		if old[path] == now || !stands {
			continue
		}
		c := compare(lines(old[path]), lines(now))
		c.Path = visible(path)
		out = append(out, c)
	}
	return out
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(visible(pretty(text)), "\n"), "\n")
}

// compare is the shortest way from one list of lines to another, with a few lines around each change.
func compare(a, b []string) change {
	all, ok := shortest(a, b)
	if !ok {
		all = whole(a, b)
	}
	c := change{Whole: !ok}
	for _, line := range all {
		switch line.Op {
		case added:
			c.Added++
		case removed:
			c.Removed++
		case kept:
		}
	}
	c.Lines = folded(all)
	return c
}

func whole(a, b []string) []diffLine {
	out := make([]diffLine, 0, len(a)+len(b))
	for _, text := range a {
		out = append(out, diffLine{Op: removed, Text: text})
	}
	for _, text := range b {
		out = append(out, diffLine{Op: added, Text: text})
	}
	return out
}

// shortest finds the shortest script of edits (E. Myers, An O(ND) Difference Algorithm, 1986), unless it has more than
// maxEdits. furthest[k] is how far in a the diagonal k has come; a copy of each round leads the way back.
func shortest(a, b []string) ([]diffLine, bool) {
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		return nil, false
	}
	most := min(len(a)+len(b), maxEdits)
	furthest := make([]int, 2*most+3)
	zero := most + 1
	var rounds [][]int
	for d := 0; d <= most; d++ {
		rounds = append(rounds, slices.Clone(furthest[zero-d-1:zero+d+2]))
		for k := -d; k <= d; k += 2 {
			x := furthest[zero+k-1] + 1
			if k == -d || k != d && furthest[zero+k-1] < furthest[zero+k+1] {
				x = furthest[zero+k+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			furthest[zero+k] = x
			if x >= len(a) && x-k >= len(b) {
				return script(a, b, rounds), true
			}
		}
	}
	return nil, false
}

// script walks back through the rounds. Round d has diagonals -d-1 to d+1.
func script(a, b []string, rounds [][]int) []diffLine {
	var out []diffLine
	x, y := len(a), len(b)
	for d, round := range slices.Backward(rounds) {
		at := func(k int) int { return round[k+d+1] }
		k := x - y
		from := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			from = k + 1
		}
		fromX, fromY := 0, 0
		if d > 0 {
			fromX = at(from)
			fromY = fromX - from
		}
		for x > fromX && y > fromY {
			x, y = x-1, y-1
			out = append(out, diffLine{Op: kept, Text: a[x]})
		}
		switch {
		case d == 0:
		case x == fromX:
			y--
			out = append(out, diffLine{Op: added, Text: b[y]})
		default:
			x--
			out = append(out, diffLine{Op: removed, Text: a[x]})
		}
	}
	slices.Reverse(out)
	return out
}

// folded leaves out lines that are far from any change.
func folded(all []diffLine) []diffLine {
	near := make([]bool, len(all))
	for i, line := range all {
		if line.Op != kept {
			for j := max(0, i-around); j <= min(len(all)-1, i+around); j++ {
				near[j] = true
			}
		}
	}
	var out []diffLine
	for i, line := range all {
		switch {
		case near[i]:
			out = append(out, line)
		case len(out) > 0 && out[len(out)-1].Skipped > 0:
			out[len(out)-1].Skipped++
		default:
			out = append(out, diffLine{Op: kept, Skipped: 1})
		}
	}
	return out
}

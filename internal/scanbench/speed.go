package scanbench

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"interai/internal/cputime"
)

// Documents are texts of about size bytes, made of the cases that must pass: what a server gets to see most.
func Documents(cases []Case, size, n int) []string {
	var texts []string
	for _, c := range cases {
		if c.Expect == "allow" {
			texts = append(texts, c.Text)
		}
	}
	// Sentences between the cases, since notes are prose for the most part.
	const between = 6
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for k := i * 7; b.Len() < size; k++ {
			b.WriteString(texts[k%len(texts)])
			for j := range between {
				b.WriteString(fillers[(k+j)%len(fillers)] + "\n\n")
			}
		}
		out[i] = b.String()[:size]
	}
	return out
}

// Cost is the CPU time that a scanner takes for one of the texts, measured over at least atLeast of it.
func Cost(s Scanner, texts []string, atLeast time.Duration) (time.Duration, error) {
	pid, n := os.Getpid(), 0
	start, err := cputime.Process(pid)
	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", s.Name(), err)
	}
	for {
		for _, text := range texts {
			s.Scan(text)
			n++
		}
		now, err := cputime.Process(pid)
		if err != nil {
			return 0, fmt.Errorf("measure %s: %w", s.Name(), err)
		}
		if used := now - start; used >= atLeast {
			return used / time.Duration(n), nil
		}
	}
}

// sizes of documents whose cost is measured: a note, a long one, the largest.
var sizes = []int{2 << 10, 20 << 10, worstSize}

// PrintSpeed writes what documents of three sizes cost, and how many times as much every other scanner takes as the
// first one.
func PrintSpeed(w io.Writer, scanners []Scanner, cases []Case) error {
	if _, err := fmt.Fprint(w,
		"| size | scanner | CPU per text | MB/s | times |\n|---:|---|---:|---:|---:|\n"); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	for _, size := range sizes {
		const documents, atLeast = 8, 600 * time.Millisecond
		texts := Documents(cases, size, documents)
		first := time.Duration(0)
		for i, s := range scanners {
			cost, err := Cost(s, texts, atLeast)
			if err != nil {
				return err
			}
			if i == 0 {
				first = cost
			}
			speed := float64(size) / (1 << 20) / cost.Seconds()
			if _, err := fmt.Fprintf(w, "| %d KB | %s | %.2f ms | %.1f | %.1f |\n", size>>10, s.Name(),
				cost.Seconds()*1000, speed, float64(cost)/float64(first)); err != nil {
				return fmt.Errorf("write table: %w", err)
			}
		}
	}
	return nil
}

// PrintWorst writes the hostile texts that cost the scanner most.
func PrintWorst(w io.Writer, s Scanner, texts []Worst, shown int) error {
	type row struct {
		name string
		cost time.Duration
	}
	var rows []row
	for _, c := range texts {
		cost, err := Cost(s, []string{c.Text}, 100*time.Millisecond)
		if err != nil {
			return err
		}
		rows = append(rows, row{c.Name, cost})
	}
	slices.SortFunc(rows, func(a, b row) int { return int(b.cost - a.cost) })
	if _, err := fmt.Fprintf(w, "| %d KB of | CPU of %s |\n|---|---:|\n", worstSize>>10, s.Name()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	for _, r := range rows[:min(shown, len(rows))] {
		if _, err := fmt.Fprintf(w, "| %s | %.0f ms |\n", r.name, r.cost.Seconds()*1000); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
	}
	return nil
}

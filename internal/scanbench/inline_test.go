package scanbench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"interai/antiabuse"
	"interai/antiabuse/finding"
	"interai/antiabuse/markdown"
	"interai/antiabuse/text"
)

// Whole is the whole scan of a text, as a call has it: secrets, personal data, what hides, and labels.
type Whole struct{ Engine *antiabuse.Scanner }

// Name implements Scanner.
func (Whole) Name() string { return "scan" }

// Scan implements Scanner.
func (s Whole) Scan(in string) []Hit {
	v := s.verdict(in)
	hits := make([]Hit, 0, len(v.Found)+1)
	for _, f := range v.Found {
		hits = append(hits, Hit{Start: f.Start, End: f.End, Blocks: f.Action.Blocks(), Rule: f.Rule})
	}
	if v.Exceeded {
		hits = append(hits, Hit{Start: 0, End: len(in), Blocks: true, Rule: "scan_budget"})
	}
	return hits
}

func (s Whole) verdict(in string) antiabuse.Verdict {
	return s.Engine.Scan([]antiabuse.Field{{Path: "/body_markdown", Name: "body_markdown", Text: in}}, antiabuse.Options{Labels: true})
}

// Inert is what makes the Markdown of others harmless: normal form, bounds, defusing.
type Inert struct{}

// Name implements Scanner.
func (Inert) Name() string { return "normalise, check, defuse" }

// Scan implements Scanner: one hit for a text that is refused.
func (Inert) Scan(in string) []Hit {
	if _, refused := inert(in); refused {
		return []Hit{{Start: 0, End: len(in), Blocks: true, Rule: "markdown"}}
	}
	return nil
}

func inert(in string) (out string, refused bool) {
	normal, report := text.Normalise(in)
	if markdown.Check(normal) != nil {
		return normal, true
	}
	made, err := markdown.Defuse(normal)
	return made.Text, err != nil || len(report.Findings) > 0
}

// Inline is everything that a write does with a text before anything is stored.
type Inline struct{ Whole Whole }

// Name implements Scanner.
func (Inline) Name() string { return "everything inline" }

// Scan implements Scanner.
func (s Inline) Scan(in string) []Hit { return append(s.Whole.Scan(in), Inert{}.Scan(in)...) }

// Right reports whether a case comes out as the corpus says it must.
func (s Inline) Right(c *Case) bool {
	v := s.Whole.verdict(c.Text)
	out, refused := inert(c.Text)
	within := reached(&v, c)
	switch c.Expect {
	case "reject":
		return within == finding.Reject || c.Group == "inject" && (refused || v.Blocks())
	case "redact":
		return within == finding.Redact || within == finding.Reject
	case "flag", "label":
		return len(v.Found) > 0 && within != 0 && !v.Blocks() && !refused
	case "clean":
		again, _ := inert(out)
		return !v.Blocks() && !refused && out != c.Text && again == out
	case "allow":
		return !v.Blocks() && !refused && (c.Group != "inject" || out == c.Text)
	default: // either
		return true
	}
}

// reached is the strongest finding at the places of a case, or anywhere when it names none.
func reached(v *antiabuse.Verdict, c *Case) finding.Action {
	var most finding.Action
	for _, f := range v.Found {
		if len(c.Spans) == 0 || overlaps(Hit{Start: f.Start, End: f.End}, c.Spans) {
			most = max(most, f.Action)
		}
	}
	return most
}

// PrintRight writes, for each family and carrier, how many cases of each expectation come out right, and answers the
// cases that do not.
func (s Inline) PrintRight(w io.Writer, cases []Case) (wrong []string, err error) {
	type count struct{ right, all int }
	tallies := map[string]map[string]*count{}
	expectations := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		right := s.Right(c)
		if !right {
			wrong = append(wrong, c.ID)
		}
		expectations[c.Expect] = true
		for _, row := range []string{" all", "carrier " + c.Carrier, c.Family} {
			if tallies[row] == nil {
				tallies[row] = map[string]*count{}
			}
			t := cmp.Or(tallies[row][c.Expect], &count{})
			tallies[row][c.Expect] = t
			t.all++
			t.right += one(right)
		}
	}
	columns := slices.Sorted(maps.Keys(expectations))
	var b strings.Builder
	fmt.Fprintf(&b, "| right of all | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	for _, row := range slices.Sorted(maps.Keys(tallies)) {
		fmt.Fprintf(&b, "| %s |", strings.TrimSpace(row))
		for _, column := range columns {
			if t := tallies[row][column]; t != nil {
				fmt.Fprintf(&b, " %d/%d |", t.right, t.all)
			} else {
				b.WriteString(" |")
			}
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(w, b.String())
	return wrong, err
}

// Expense is what a scanner takes for texts of one size.
type Expense struct {
	Median, Worst time.Duration
	// Allocated is how many bytes are allocated for one byte of input.
	Allocated float64
}

// Expenses measures each text for itself, at least atLeast of CPU time.
func Expenses(s Scanner, texts []string, atLeast time.Duration) (Expense, error) {
	costs := make([]time.Duration, len(texts))
	size, before, after := 0, runtime.MemStats{}, runtime.MemStats{}
	for i, in := range texts {
		var err error
		if costs[i], err = Cost(s, []string{in}, atLeast); err != nil {
			return Expense{}, err
		}
		size += len(in)
	}
	runtime.ReadMemStats(&before)
	for _, in := range texts {
		s.Scan(in)
	}
	runtime.ReadMemStats(&after)
	slices.Sort(costs)
	return Expense{
		Median: costs[len(costs)/2], Worst: costs[len(costs)-1],
		Allocated: float64(after.TotalAlloc-before.TotalAlloc) / float64(size),
	}, nil
}

// goals are the most CPU time that everything inline may take for a text of each size, by the median (ANTIABUSE 7).
var goals = map[int]time.Duration{2 << 10: 1500 * time.Microsecond, 20 << 10: 12 * time.Millisecond, worstSize: 80 * time.Millisecond}

// PrintExpenses writes what each part takes for documents of three sizes, beside the goal for all of it.
func PrintExpenses(w io.Writer, parts []Scanner, cases []Case) error {
	if _, err := fmt.Fprint(w, "| size | what | CPU p50 | CPU worst | goal | allocated ÷ size |\n|---:|---|---:|---:|---:|---:|\n"); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	for _, size := range sizes {
		const documents, atLeast = 9, 150 * time.Millisecond
		texts := Documents(cases, size, documents)
		for _, s := range parts {
			e, err := Expenses(s, texts, atLeast)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "| %d KB | %s | %.2f ms | %.2f ms | %.1f ms | %.2f |\n", size>>10, s.Name(),
				milliseconds(e.Median), milliseconds(e.Worst), milliseconds(goals[size]), e.Allocated); err != nil {
				return fmt.Errorf("write table: %w", err)
			}
		}
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

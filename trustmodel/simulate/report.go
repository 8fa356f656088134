package simulate

import (
	"fmt"
	"strconv"
	"strings"

	"interai/trustmodel"
)

// Report is what a run has found.
//
//nolint:recvcheck // printed by value, judged in place
type Report struct {
	ParamsHash string                `json:"params_hash"`
	Changed    []trustmodel.Constant `json:"changed,omitempty"` // parameters that are not those of trust-v1
	Seeds      []int                 `json:"seeds"`
	Parties    int                   `json:"parties"` // honest ones of a world
	Targets    int                   `json:"targets"` // of a world

	Goals    []Goal    `json:"goals"`
	Honest   []Honest  `json:"honest"`
	Rankings []Ranking `json:"rankings,omitempty"` // the first is without an attack
	Attacks  []Strike  `json:"attacks,omitempty"`
}

// Section is one table of a report.
type Section struct {
	Title string
	Head  []string
	Rows  [][]string
}

// Sections returns the report as tables of text.
func (r *Report) Sections() []Section {
	var out []Section
	for _, s := range []Section{r.goalSection(), r.honestSection(), r.rankingSection(), r.attackSection(), r.otherSection()} {
		if len(s.Rows) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Heading says in one line what was simulated.
func (r *Report) Heading() string {
	seeds := make([]string, len(r.Seeds))
	for i, seed := range r.Seeds {
		seeds[i] = strconv.Itoa(seed)
	}
	text := fmt.Sprintf("Parameters %.12s, %d parties, %d targets, seeds %s", r.ParamsHash, r.Parties, r.Targets, strings.Join(seeds, " "))
	if len(r.Changed) == 0 {
		return text
	}
	changed := make([]string, len(r.Changed))
	for i, c := range r.Changed {
		changed[i] = fmt.Sprintf("%s=%g", c.Path, c.Value)
	}
	return text + "; changed: " + strings.Join(changed, " ")
}

// Markdown returns the whole report as Markdown.
func (r Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Heading())
	for _, s := range r.Sections() {
		fmt.Fprintf(&b, "\n### %s\n\n", s.Title)
		row(&b, s.Head)
		b.WriteString(strings.Repeat("|---", len(s.Head)) + "|\n")
		for _, cells := range s.Rows {
			row(&b, cells)
		}
	}
	return b.String()
}

func row(b *strings.Builder, cells []string) {
	b.WriteString("|")
	for _, cell := range cells {
		b.WriteString(" " + strings.ReplaceAll(cell, "|", `\|`) + " |")
	}
	b.WriteString("\n")
}

func (r *Report) goalSection() Section {
	s := Section{Title: "Goals", Head: []string{"goal", "check", "target", "measured", "met"}}
	for _, g := range r.Goals {
		met := "no"
		if g.Met {
			met = "yes"
		}
		s.Rows = append(s.Rows, []string{g.ID, g.Check, g.Target, g.Measured, met})
	}
	return s
}

func (r *Report) honestSection() Section {
	s := Section{
		Title: "Without attackers",
		Head: []string{
			"exposure", "coverage (width)", "Jeffreys on records", "error", "majority", "P@20 P@50 P@100", "Wilson", "majority",
			"recall", "supported / high / incorrect", "merged",
		},
	}
	for i := range r.Honest {
		h := &r.Honest[i]
		s.Rows = append(s.Rows, []string{
			fmt.Sprintf("%g", h.Exposure),
			fmt.Sprintf("%.3f (%.2f)", h.Coverage, h.Width), fmt.Sprintf("%.3f (%.2f)", h.JeffreysCoverage, h.JeffreysWidth),
			three(h.Error), three(h.MajorityError),
			h.Precision.text(), h.WilsonPrecision.text(), h.MajorityPrecision.text(),
			three(h.Recall), fmt.Sprintf("%d / %d / %d", h.Supported, h.High, h.Incorrect), fmt.Sprintf("%.1f", h.Merged),
		})
	}
	return s
}

func (r *Report) rankingSection() Section {
	s := Section{
		Title: "P@50 while 50 bad targets are promoted, exposure 5",
		Head:  []string{"attack", "trust", "majority", "Wilson", "Bayes", "party mean", "additive"},
	}
	for i := range r.Rankings {
		a := &r.Rankings[i]
		s.Rows = append(s.Rows, append([]string{a.Attack, three(a.Trust)}, a.Others.cells()...))
	}
	return s
}

func (r *Report) attackSection() Section {
	s := Section{
		Title: "Attacks: what they gain and cost",
		Head: []string{
			"attack", "honest", "truth", "before", "value [lower, upper]", "recommended", "disputed", "incorrect", "flipped", "confirmations", "merged",
			"gain", "accounts", "verified", "jobs", "records", "gain/account", "gain/job", "gain/record",
		},
	}
	for i := range r.Attacks {
		a := &r.Attacks[i]
		s.Rows = append(s.Rows, []string{
			a.Attack + ", " + a.Variant, strconv.Itoa(a.Honest), three(a.Truth), three(a.Before),
			fmt.Sprintf("%.3f [%.3f, %.3f]", a.Value, a.Lower, a.Upper),
			percent(a.Recommended), percent(a.Disputed), percent(a.Incorrect), percent(a.Flipped),
			fmt.Sprintf("%.1f", a.Confirmations), fmt.Sprintf("%.1f", a.Merged), three(a.Gain),
			strconv.Itoa(a.Cost.Accounts), strconv.Itoa(a.Cost.Verified), strconv.Itoa(a.Cost.Jobs), strconv.Itoa(a.Cost.Records),
			short(a.GainPerAccount), short(a.GainPerJob), short(a.GainPerRecord),
		})
	}
	return s
}

func (r *Report) otherSection() Section {
	s := Section{
		Title: "Attacks: what simpler rules say",
		Head:  []string{"attack", "honest", "truth", "trust", "majority", "Wilson", "Bayes", "party mean", "additive", "additive before"},
	}
	for i := range r.Attacks {
		a := &r.Attacks[i]
		cells := []string{a.Attack + ", " + a.Variant, strconv.Itoa(a.Honest), three(a.Truth), three(a.Value)}
		s.Rows = append(s.Rows, append(append(cells, a.Others.cells()...), three(a.OthersBefore.Additive)))
	}
	return s
}

func (s *Simple) cells() []string {
	return []string{three(s.Majority), three(s.Wilson), three(s.Bayes), three(s.Parties), three(s.Additive)}
}

func (p *Precision) text() string { return fmt.Sprintf("%.3f %.3f %.3f", p.At20, p.At50, p.At100) }

func three(v float64) string { return fmt.Sprintf("%.3f", v) }

func short(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2g", v)
}

package public

import (
	"fmt"
	"strconv"
	"strings"

	"interai/evidence"
)

// figures are the drawings of a page. All places are percentages of their drawing's width, so that a drawing follows
// the width of the page and its texts keep their size.
type figures struct {
	Interval interval
	Counters []counter
	Balance  *balance
	Timeline []segment
	// TimelineSays is the history as one sentence.
	TimelineSays string
	// Records counts the evidence in sentences, without what there is none of.
	Records string
}

// interval is the trust interval on a line from 0 to 1.
type interval struct {
	Value, Lower, Upper, Prior string // percent
	Width                      string // percent
	Anchor                     string // where the label of the value begins
	ValueText                  string
	Says                       string
}

// counter is one bar.
type counter struct {
	Name, Class string
	Count       int
	Width       string // percent of the longest bar
}

// balance is what speaks for and against, as one bar of two parts.
type balance struct {
	For, Against int
	Width        string // percent of the part that speaks for it
	Rest         string // percent of the other part
	Says         string
}

// segment is a time in which the status was the same.
type segment struct {
	No            int
	X, Width, Mid string // percent
	Status        string
	// Label stands below it: the number in the list, and the status where there is room for it.
	Label string
}

// roomForStatus is the share of a timeline from which on a segment has its status below it.
const roomForStatus = .2

// minSegment keeps short times visible; the others give way.
const minSegment = 4.0 // percent

func newFigures(d *evidence.DocumentOutput, history []change) *figures {
	t := d.Trust
	if t == nil {
		return nil
	}
	f := &figures{Interval: newInterval(t, d.Prior)}
	most := max(t.Confirmations, t.Contradictions, t.RealWorld, 1)
	for _, c := range []counter{
		{Name: "Independent confirmations", Class: "for", Count: t.Confirmations},
		{Name: "Real-world confirmations", Class: "real", Count: t.RealWorld},
		{Name: "Contradictions", Class: "against", Count: t.Contradictions},
	} {
		c.Width = percent(float64(c.Count) / float64(most))
		f.Counters = append(f.Counters, c)
	}
	if all := t.Confirmations + t.Contradictions; all > 0 {
		share := float64(t.Confirmations) / float64(all)
		f.Balance = &balance{
			For: t.Confirmations, Against: t.Contradictions, Width: percent(share), Rest: percent(1 - share),
			Says: fmt.Sprintf("Independent parties: %d for, %d against", t.Confirmations, t.Contradictions),
		}
		// Parties whose records say both, or neither, are on no side.
		if s := d.EvidenceSummary; s != nil && s.Parties > all {
			f.Balance.Says += fmt.Sprintf(", %d mixed", s.Parties-all)
		}
		f.Balance.Says += "."
	}
	if d.EvidenceSummary != nil {
		f.Records = counts(d.EvidenceSummary, f.Balance != nil)
	}
	f.timeline(d, history)
	return f
}

func newInterval(t, prior *evidence.TrustRef) interval {
	i := interval{
		Value: percent(t.Value), Lower: percent(t.LowerBound), Upper: percent(t.UpperBound), Width: percent(t.UpperBound - t.LowerBound),
		ValueText: fmt.Sprintf("%.3f", t.Value), Anchor: "middle",
		Says: fmt.Sprintf("Trust %.3f on a line from 0 to 1, interval from %.3f to %.3f", t.Value, t.LowerBound, t.UpperBound),
	}
	switch {
	case t.Value < .08:
		i.Anchor = "start"
	case t.Value > .92:
		i.Anchor = "end"
	}
	if prior != nil {
		i.Prior = percent(prior.Value)
		i.Says += fmt.Sprintf("; without evidence it would be %.3f", prior.Value)
	}
	i.Says += "."
	return i
}

// timeline draws the times between the transitions, from the making of the object to its last known figures.
func (f *figures) timeline(d *evidence.DocumentOutput, history []change) {
	if len(history) == 0 || d.Provenance == nil {
		return
	}
	begin, end := d.Provenance.CreatedAt, history[len(history)-1].At
	if d.Trust.AsOf != nil && d.Trust.AsOf.Time.After(end) {
		end = d.Trust.AsOf.Time
	}
	lengths := make([]float64, 0, len(history)+1)
	statuses := []string{history[0].From}
	last := begin
	for _, c := range history {
		lengths = append(lengths, c.At.Sub(last).Seconds())
		statuses = append(statuses, c.To)
		last = c.At
	}
	lengths = append(lengths, end.Sub(last).Seconds())
	x := 0.0
	for i, width := range shares(lengths) {
		one := segment{No: i, X: percent(x), Width: percent(width), Mid: percent(x + width/2), Status: statuses[i], Label: strconv.Itoa(i)}
		if width >= roomForStatus {
			one.Label += " " + statuses[i]
		}
		f.Timeline = append(f.Timeline, one)
		x += width
	}
	f.TimelineSays = fmt.Sprintf("Status over time: %s at first", statuses[0])
	for i, c := range history {
		f.TimelineSays += fmt.Sprintf(", then %s from %s", statuses[i+1], c.When)
	}
	f.TimelineSays += "."
}

// shares are lengths as shares of their sum, none so small that it cannot be seen while there is room for all.
func shares(lengths []float64) []float64 {
	out, sum := make([]float64, len(lengths)), 0.0
	for i, length := range lengths {
		out[i] = max(length, 0)
		sum += out[i]
	}
	least := min(minSegment/100, 1/float64(len(lengths)))
	free := 1 - least*float64(len(lengths))
	for i := range out {
		if sum > 0 {
			out[i] = least + free*out[i]/sum
		} else {
			out[i] = 1 / float64(len(lengths))
		}
	}
	return out
}

// counts says how much evidence of which kind there is. Parties are counted by the balance, if there is one.
func counts(s *evidence.RecordCounts, balanced bool) string {
	type count struct {
		name   string
		number int64
	}
	var sentences []string
	say := func(what string, parts ...count) {
		var said []string
		for _, part := range parts {
			if part.number > 0 {
				said = append(said, strings.TrimSpace(fmt.Sprintf("%d %s", part.number, part.name)))
			}
		}
		if len(said) > 0 {
			sentences = append(sentences, what+": "+strings.Join(said, ", ")+".")
		}
	}
	say("Uses", count{"success", s.Usage.Success}, count{"partial", s.Usage.Partial}, count{"failure", s.Usage.Failure}, count{"unknown", s.Usage.Unknown})
	r := s.Reviews
	say("Reviews", count{"confirmed", r.Confirmed}, count{"mostly correct", r.MostlyCorrect}, count{"questionable", r.Questionable},
		count{"misleading", r.Misleading}, count{"contradicted", r.Contradicted}, count{"false", r.False}, count{"outdated", r.Outdated},
		count{"cannot verify", r.CannotVerify})
	say("Ratings", count{"", s.Ratings})
	say("Retracted", count{"", s.Retracted})
	if !balanced {
		say("Independent parties", count{"", int64(s.Parties)})
	}
	return strings.Join(sentences, " ")
}

// percent is a share as an attribute of a drawing.
func percent(share float64) string {
	return strconv.FormatFloat(100*min(max(share, 0), 1), 'f', 2, 64) + "%"
}

// number is a figure without needless digits.
func number(value float64) string { return strconv.FormatFloat(value, 'g', 4, 64) }

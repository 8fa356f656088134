package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"interai/trustops"
)

//go:embed report.html
var page string

// document is what the template shows.
type document struct {
	*trustops.Comparison

	ShiftChart, WidthChart template.HTML
}

// HTML writes a comparison as one file that needs nothing else: no script, no font, no network. Whatever came from
// users is escaped.
func HTML(w io.Writer, c *trustops.Comparison) error {
	doc := document{Comparison: c}
	shifts, err := chart(fmt.Sprintf("Histogram of the value under %s less the value under %s", c.B, c.A), "shift of the value",
		series{bars: c.Shift.Bars})
	if err != nil {
		return err
	}
	widths, err := chart(fmt.Sprintf("Histograms of the width of the interval under %s and %s", c.A, c.B), "width of the 90 % interval",
		series{bars: c.WidthA.Bars}, series{bars: c.WidthB.Bars, outline: true})
	if err != nil {
		return err
	}
	// The pictures hold our own words and numbers, and the names of versions, escaped by the canvas.
	doc.ShiftChart, doc.WidthChart = template.HTML(shifts), template.HTML(widths) //nolint:gosec // see above
	parsed, err := template.New("report").Funcs(template.FuncMap{
		"figure": figure, "signed": signed, "percent": percent, "kind": kindName, "share": share, "when": when,
		"status":  func(name string) string { return strings.ReplaceAll(name, "_", " ") },
		"unequal": func(a, b int32) bool { return (a == 0) != (b == 0) },
		"number":  func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("prepare the report: %w", err)
	}
	if err := parsed.Execute(w, doc); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func when(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 MST") }

// figure writes a published figure to three places.
func figure(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// signed writes a shift with its sign; what rounds to nothing has none.
func signed(v float64) string {
	if math.Abs(v) < .0005 {
		return "0.000"
	}
	return fmt.Sprintf("%+.3f", v)
}

// percent writes a share.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }

// share writes what part of all some are.
func share(some, all int64) string {
	if all == 0 {
		return "–"
	}
	return percent(float64(some) / float64(all))
}

func kindName(kind any) string {
	switch name := fmt.Sprint(kind); name {
	case "rev":
		return "revisions"
	case "clm":
		return "claims"
	case "ent":
		return "entities"
	case "cnt":
		return "items"
	default:
		return name
	}
}

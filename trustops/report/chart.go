package report

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"interai/trustops"
)

// Colours are placeholders: each becomes a variable of the style sheet, which knows light and dark. Black is none of
// them, since the canvas leaves it out as the default.
var (
	ink    = color.RGBA{R: 1, G: 2, B: 3, A: 255}
	first  = color.RGBA{R: 4, G: 5, B: 6, A: 255}
	second = color.RGBA{R: 7, G: 8, B: 9, A: 255}

	variables = strings.NewReplacer("#010203", "var(--ink)", "#040506", "var(--first)", "#070809", "var(--second)")
)

const (
	chartWidth  = 480 * vg.Length(1) // points
	chartHeight = 200 * vg.Length(1)
	// margin is room for labels that the reader's font makes wider than ours; four of them for the last one of an axis.
	margin = 4 * vg.Length(1)
)

// series are the bars of one version, filled or as an outline: colour alone tells nothing.
type series struct {
	bars    []trustops.Bar
	outline bool
}

// rootScale shows few beside many: the height of a bar is the square root of its count.
type rootScale struct{}

// Normalize is part of plot.Normalizer.
func (rootScale) Normalize(lowest, highest, x float64) float64 {
	if highest <= lowest {
		return 0
	}
	return math.Sqrt(max(x-lowest, 0)) / math.Sqrt(highest-lowest)
}

// chart draws histograms over each other as an inline SVG with a title for those who do not see it.
func chart(title, axis string, all ...series) (string, error) {
	p := plot.New()
	style(p)
	p.X.Label.Text, p.Y.Label.Text = axis, "targets, root scale"
	p.Y.Scale, p.Y.Min = rootScale{}, 0
	p.Y.Max = 1
	for _, s := range all {
		h := histogram(s)
		p.Add(h)
		for _, bin := range h.Bins {
			p.Y.Max = max(p.Y.Max, bin.Weight)
		}
	}
	canvas := vgsvg.New(chartWidth, chartHeight)
	p.Draw(draw.Crop(draw.New(canvas), margin, -4*margin, margin, -margin))
	var raw bytes.Buffer
	if _, err := canvas.WriteTo(&raw); err != nil {
		return "", fmt.Errorf("draw the plot: %w", err)
	}
	_, svg, found := strings.Cut(raw.String(), "<svg ")
	if !found {
		return "", errors.New("draw the plot: no picture came out")
	}
	head, body, found := strings.Cut(svg, ">")
	if !found {
		return "", errors.New("draw the plot: the picture is cut off")
	}
	return `<svg role="img" ` + head + "><title>" + html.EscapeString(title) + "</title>" + variables.Replace(body), nil
}

func histogram(s series) *plotter.Histogram {
	h := &plotter.Histogram{LineStyle: draw.LineStyle{Color: first, Width: vg.Points(.5)}, FillColor: first}
	if s.outline {
		h.FillColor = nil
		h.LineStyle = draw.LineStyle{Color: second, Width: vg.Points(1.5)}
	}
	for _, bar := range s.bars {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: bar.From, Max: bar.To, Weight: float64(bar.Count)})
		h.Width = bar.To - bar.From
	}
	return h
}

// style puts every part into the ink of the page, on no background of its own.
func style(p *plot.Plot) {
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = ink, ink
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = ink, ink
		axis.Label.TextStyle.Font.Variant, axis.Tick.Label.Font.Variant = sans, sans
	}
}

const sans = font.Variant("Sans")

package public

import (
	"bytes"
	"encoding/json"
	"html/template"
	"slices"
	"strings"
	"time"

	"interai/evidence"
)

// view is what a page shows of an object.
type view struct {
	*evidence.DocumentOutput

	Site, Path, Canonical, URI string
	Style, Icon                string
	Heading, KindName          string
	StatusSays                 string
	Body                       template.HTML
	BodyCut                    bool
	Data                       []object
	Figures                    *figures
	History                    []change
	For, Against, Other        []report
	Facts                      []fact
	Links                      []relation
}

// relation is one relation on a page.
type relation struct {
	evidence.RelationRef

	// Effect says whether content that supersedes other content replaces it now.
	Effect string
}

// object is a JSON object on a page.
type object struct{ Title, JSON string }

// object adds a JSON object to the page, unless it is empty.
func (v *view) object(title string, data json.RawMessage) {
	var indented bytes.Buffer
	if len(data) > 0 && string(data) != "{}" && json.Indent(&indented, data, "", "  ") == nil {
		v.Data = append(v.Data, object{Title: title, JSON: indented.String()})
	}
}

// fact is one line of a page's list of facts; ID makes it a link.
type fact struct{ Name, Text, ID string }

// report is one evidence record on a page.
type report struct {
	evidence.RecordRef

	Says string
	When string
	// Rendered is the rationale of a review or a rating.
	Rendered template.HTML
	// Cut says that not all of it is shown as its author set it.
	Cut bool
}

// change is one transition of the status, oldest first on a page.
type change struct {
	evidence.StatusChange

	No   int
	When string
}

func newView(document *evidence.DocumentOutput, site string, texts *markdown) (*view, error) {
	v := &view{
		DocumentOutput: document, Site: site, Path: "/" + document.ID, Canonical: site + "/" + document.ID, URI: "interai://" + document.ID,
		Style: assetPath("page.css"), Icon: assetPath("icon.svg"),
		Heading: headingOf(document), KindName: kindName(document), StatusSays: statusSays(document.Status),
	}
	if document.BodyMarkdown != nil {
		var err error
		if v.Body, v.BodyCut, err = rendered(texts, *document.BodyMarkdown); err != nil {
			return nil, err
		}
	}
	v.object("Structured data", document.StructuredData)
	if e := document.Experience; e != nil {
		v.object("Context", e.Context)
		v.object("Configuration", e.Configuration)
		v.object("Observations", e.Observations)
		v.object("Metrics", e.Metrics)
	}
	for i, c := range slices.Backward(document.StatusHistory) {
		v.History = append(v.History, change{StatusChange: c, No: len(document.StatusHistory) - i, When: moment(c.At)})
	}
	v.Figures = newFigures(document, v.History)
	for _, r := range document.Relations {
		one := relation{RelationRef: r}
		switch {
		case r.InEffect == nil:
		case *r.InEffect:
			one.Effect = "in effect"
		default:
			one.Effect = "without effect so far"
		}
		v.Links = append(v.Links, one)
	}
	if err := v.reports(texts); err != nil {
		return nil, err
	}
	v.facts()
	return v, nil
}

// rendered is a text of others as HTML, and whether not all of it is shown as its author set it. It has passed a policy
// that lets only harmless elements through, which is what makes it safe to include.
func rendered(texts *markdown, text string) (template.HTML, bool, error) {
	out, cut, err := texts.render(text)
	return template.HTML(out), cut, err //nolint:gosec // see above
}

// headingOf is what a page is called: the title, the text of a claim, or what sort of object it is.
func headingOf(d *evidence.DocumentOutput) string {
	switch {
	case d.Title != "":
		return d.Title
	case d.ClaimText != "":
		return d.ClaimText
	case d.Asset != nil:
		return d.Asset.Filename
	case d.Kind == "thread" && len(d.Items) > 0:
		return "Thread: " + d.Items[0].Title
	case d.Record != nil:
		// A record has one of these.
		said := d.Record.Result + d.Record.Verdict + d.Record.Dimension
		return map[string]string{"usage": "Use", "review": "Review", "rating": "Rating"}[d.Record.Kind] + ": " + strings.ReplaceAll(said, "_", " ")
	}
	return kindName(d)
}

// kindName says what sort of object it is.
func kindName(d *evidence.DocumentOutput) string {
	switch d.Kind {
	case "content", "revision":
		return strings.ReplaceAll(d.Type, "_", " ")
	case "entity":
		return "entity: " + strings.ReplaceAll(d.Type, "_", " ")
	case "actor":
		return map[string]string{"usr": "human", "org": "organization", "ai": "AI agent"}[d.Type]
	case "usage":
		return "report of a use"
	case "asset":
		return "file"
	}
	return d.Kind
}

// statusSays explains a status in a few words.
func statusSays(status string) string {
	return map[string]string{
		"unverified": "not enough evidence for anything else", "supported": "works for independent parties",
		"high_confidence": "works for several verified parties, in real use", "disputed": "considerable evidence on both sides",
		"outdated": "held once, no longer", "incorrect": "does not hold", "superseded": "replaced by something else",
		"active": "counts, as far as the trust model lets it", "retracted": "taken back by its author; it counts no more",
	}[status]
}

// moment is a time as pages show it.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

// reports sorts the newest evidence into what speaks for an object, what speaks against it, and the rest. Ratings are
// counted elsewhere.
func (v *view) reports(texts *markdown) error {
	records := v.Evidence
	if v.Record != nil {
		records = []evidence.RecordRef{*v.Record}
	}
	for _, r := range records {
		if r.Kind == "rating" && v.Record == nil {
			continue // it is on no side, and what single ones say is no figure of a dimension: compare has those
		}
		one := report{RecordRef: r, Says: says(&r), When: moment(r.RecordedAt)}
		var err error
		if one.Rendered, one.Cut, err = rendered(texts, r.Rationale); err != nil {
			return err
		}
		switch side := sideOf(&r); {
		case side > 0:
			v.For = append(v.For, one)
		case side < 0:
			v.Against = append(v.Against, one)
		default:
			v.Other = append(v.Other, one)
		}
	}
	return nil
}

// sideOf is 1 for a record that speaks for its target, -1 for one against it, 0 for neither.
func sideOf(r *evidence.RecordRef) int {
	if r.Status == "retracted" {
		return 0
	}
	switch r.Result + r.Verdict {
	case "success", "confirmed", "mostly_correct":
		return 1
	case "failure", "contradicted", "false", "misleading", "questionable", "outdated":
		return -1
	}
	return 0
}

// says is a record in a few words.
func says(r *evidence.RecordRef) string {
	var parts []string
	for _, part := range []string{r.Result, r.Verdict, r.Dimension, r.UsageType} {
		if part != "" {
			parts = append(parts, strings.ReplaceAll(part, "_", " "))
		}
	}
	if r.Score != nil {
		parts = append(parts, "score "+number(*r.Score)+" of 100")
	}
	if r.Confidence != nil {
		parts = append(parts, "confidence "+number(*r.Confidence))
	}
	if r.RealWorldUse != nil && *r.RealWorldUse {
		parts = append(parts, "real-world use")
	}
	if r.Status == "retracted" {
		parts = append(parts, "retracted")
	}
	return strings.Join(parts, ", ")
}

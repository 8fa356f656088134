package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// link is an object's ID, with the address of its page where the site is known.
func (w *markdown) link(id string) string {
	if w.form.Site == "" {
		return "`" + id + "`"
	}
	return fmt.Sprintf("[%s](%s/%s)", id, w.form.Site, id)
}

// section writes a heading and lines, or nothing without lines.
func (w *markdown) section(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(&w.b, "## %s\n\n%s\n\n", title, strings.Join(lines, "\n"))
}

func each[T any](items []T, say func(T) string) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		out = append(out, "- "+say(item))
	}
	return out
}

// lists writes what an object names and what names it.
func (w *markdown) lists(out *DocumentOutput) {
	w.section("Claims", each(out.Claims, func(c ClaimRef) string {
		if w.form.Immutable {
			return fmt.Sprintf("%s: %s", w.link(c.ID), escaped(c.Text))
		}
		return fmt.Sprintf("%s (%s, %s): %s", w.link(c.ID), c.Status, figure(c.Value), escaped(c.Text))
	}))
	w.section("Subjects", each(out.Subjects, func(r Ref) string {
		return fmt.Sprintf("%s (%s): %s", w.link(r.ID), escaped(r.Type), escaped(r.Title))
	}))
	var relations []string
	for _, r := range out.Relations {
		effect := ""
		if r.InEffect != nil && !w.form.Immutable {
			effect = fmt.Sprintf(" (in effect: %t)", *r.InEffect)
		}
		switch {
		case r.Target != "":
			title := ": " + escaped(r.Title)
			if w.form.Immutable { // the other item may be called something else by then
				title = ""
			}
			relations = append(relations, fmt.Sprintf("- this `%s` %s%s%s", r.Type, w.link(r.Target), effect, title))
		case !w.form.Immutable:
			relations = append(relations, fmt.Sprintf("- %s `%s` this%s: %s", w.link(r.Source), r.Type, effect, escaped(r.Title)))
		}
	}
	if out.RelationsCut && !w.form.Immutable {
		relations = append(relations, "- and older ones")
	}
	w.section("Relations", relations)
	w.section("Sources", each(out.Sources, func(s SourceRef) string {
		title := ""
		if s.Title != "" && s.Title != s.URL {
			title = " " + escaped(s.Title)
		}
		return fmt.Sprintf("%s: %s%s (family %s)", w.link(s.ID), escaped(s.URL), title, escaped(s.Family))
	}))
	w.section("Files", each(out.Assets, func(a AssetRef) string {
		return fmt.Sprintf("%s: %s, %s, %d bytes, SHA-256 %s", w.link(a.ID), escaped(a.Filename), escaped(a.MediaType), a.Bytes, a.SHA256)
	}))
	if !w.form.Immutable {
		w.section("Content", each(out.Items, func(r Ref) string {
			return fmt.Sprintf("%s (%s): %s", w.link(r.ID), escaped(r.Type), escaped(r.Title))
		}))
		w.section("Revisions", each(out.Revisions, func(r RevisionEntry) string {
			return fmt.Sprintf("%d, %s (%s, %s): %s %s", r.No, w.link(r.ID), r.Status, figure(r.Value), escaped(r.Title), escaped(r.ChangeNote))
		}))
	}
	if out.ChangeNote != "" {
		w.section("Change", []string{escaped(out.ChangeNote)})
	}
}

// evidence writes what is known about an object's trust.
func (w *markdown) evidence(out *DocumentOutput) {
	w.section("Status history", each(out.StatusHistory, func(c StatusChange) string {
		return fmt.Sprintf("%s: %s → %s, %s", c.At.UTC().Format(time.RFC3339), c.From, c.To, escaped(c.Reason))
	}))
	if s := out.EvidenceSummary; s != nil {
		r := s.Reviews
		w.section("Evidence", []string{
			fmt.Sprintf("- uses: %d success, %d partial, %d failure, %d unknown", s.Usage.Success, s.Usage.Partial, s.Usage.Failure, s.Usage.Unknown),
			fmt.Sprintf("- reviews: %d confirmed, %d mostly_correct, %d questionable, %d misleading, %d contradicted, %d false, %d outdated, %d cannot_verify",
				r.Confirmed, r.MostlyCorrect, r.Questionable, r.Misleading, r.Contradicted, r.False, r.Outdated, r.CannotVerify),
			fmt.Sprintf("- ratings: %d; retracted records: %d; independent parties: %d", s.Ratings, s.Retracted, s.Parties),
		})
	}
	records := out.Evidence
	if out.Record != nil {
		records = []RecordRef{*out.Record}
	}
	w.section("Newest records", each(records, func(e RecordRef) string { return w.record(&e) }))
}

func (w *markdown) record(e *RecordRef) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: %s of %s by %s", w.link(e.ID), e.RecordedAt.UTC().Format(time.RFC3339), e.Kind, w.link(e.Target), w.link(e.Actor))
	for _, part := range []string{e.UsageType, e.Result, e.Verdict, e.Dimension} {
		if part != "" {
			fmt.Fprintf(&b, ", %s", escaped(part))
		}
	}
	if e.Score != nil {
		fmt.Fprintf(&b, ", score %v", *e.Score)
	}
	if e.Confidence != nil {
		fmt.Fprintf(&b, ", confidence %v", *e.Confidence)
	}
	if e.RealWorldUse != nil && *e.RealWorldUse {
		b.WriteString(", real-world use")
	}
	if e.Status != statusActive {
		fmt.Fprintf(&b, ", %s", e.Status)
	}
	if len(e.Context) > 0 && string(e.Context) != "{}" {
		fmt.Fprintf(&b, ", context %s", escaped(string(e.Context)))
	}
	for _, source := range e.Sources {
		fmt.Fprintf(&b, ", source %s", escaped(source.URL))
	}
	for _, words := range []string{e.Note, e.Rationale} {
		if words != "" {
			fmt.Fprintf(&b, ": %s", escaped(words))
		}
	}
	return b.String()
}

// experience writes what an experience is of; the used objects are those of the revision.
func (w *markdown) experience(e *ExperienceRef) {
	w.section("Experience", []string{fmt.Sprintf("Result `%s`, real-world use: %t.", e.Result, e.RealWorldUse)})
	for _, part := range []struct {
		name string
		data json.RawMessage
	}{{"Context", e.Context}, {"Configuration", e.Configuration}, {"Observations", e.Observations}, {"Metrics", e.Metrics}} {
		w.object(part.name, part.data)
	}
	w.section("Used", each(e.Used, func(u UsedRef) string {
		said := fmt.Sprintf("%s: %s, recorded as %s", w.link(u.Target), u.Result, w.link(u.Usage))
		if u.Note != "" {
			said += ": " + escaped(u.Note)
		}
		return said
	}))
}

// object writes a JSON object as a block, unless it is empty.
func (w *markdown) object(title string, data json.RawMessage) {
	var indented bytes.Buffer
	if len(data) > 0 && string(data) != "{}" && json.Indent(&indented, data, "", "  ") == nil {
		w.section(title, []string{"```json", indented.String(), "```"})
	}
}

// data writes structured data and files as blocks that nothing inside of them can end: JSON is on lines that begin
// with a brace, a blank or a quotation mark, base64 has no grave accent.
func (w *markdown) data(out *DocumentOutput) {
	if e := out.Experience; e != nil {
		w.experience(e)
	}
	if out.Kind != kindSchema {
		w.object("Structured data", out.StructuredData)
	}
	if a := out.Asset; a != nil {
		w.section("File", []string{fmt.Sprintf("%s, %d bytes, SHA-256 %s", escaped(a.MediaType), a.Bytes, a.SHA256), "", "```base64", a.Base64, "```"})
	}
}

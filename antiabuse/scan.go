package antiabuse

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"interai/antiabuse/finding"
	"interai/antiabuse/label"
	"interai/antiabuse/personal"
	"interai/antiabuse/secret"
	"interai/antiabuse/text"
)

// RulesVersion rises whenever the rules of a pass change, and with them its own version: what was scanned by older rules
// is scanned again.
const RulesVersion = 2

// FormatBase64 is the format of a field whose text is a file in base64; FormatObject that of a whole free object, which
// stands behind its parts.
const (
	FormatBase64 = "base64"
	FormatObject = "object"
)

// Field is one string that somebody sent or stored.
type Field struct {
	// Path is where it stands: a JSON pointer.
	Path string
	// Name is the name of the member that holds it.
	Name string
	Text string
	// Free says that the member's name is the sender's own, and so part of what is judged.
	Free bool
	// Format is FormatBase64, FormatObject, or anything else for plain text.
	Format string
}

// meaning is the name by which a value is judged: of a member that only says that it is the value, its parent's.
func (f *Field) meaning() string {
	switch f.Name {
	case "value", "val", "data", "content", "text", "default", "string":
		parts := strings.Split(f.Path, "/")
		if len(parts) > 2 && parts[len(parts)-1] == f.Name {
			return parts[len(parts)-2]
		}
	}
	return f.Name
}

// Found is a finding in one of the fields.
type Found struct {
	finding.Finding

	// Field is the index of the field.
	Field int
	// Value is what was found, as it stands in the text. It must be marked or masked, and never kept.
	Value string
}

// Verdict is what a scan says about all fields together.
type Verdict struct {
	Found []Found
	// Exceeded says that the text asks for more work than a scan may do: it must be refused.
	Exceeded bool
	// Work counts what was done, for tests.
	Work int
}

// Blocks reports whether the fields must not be stored.
func (v *Verdict) Blocks() bool {
	return v.Exceeded || slices.ContainsFunc(v.Found, func(f Found) bool { return f.Action.Blocks() })
}

// Scanner judges texts. It is immutable and safe for concurrent use.
type Scanner struct {
	secrets  *secret.Engine
	personal *personal.Engine
}

// NewScanner makes the scanner; its tables are built here, once.
func NewScanner() (*Scanner, error) {
	secrets, err := secret.New()
	if err != nil {
		return nil, fmt.Errorf("build the rules of secrets: %w", err)
	}
	people, err := personal.New()
	if err != nil {
		return nil, fmt.Errorf("build the rules of personal data: %w", err)
	}
	return &Scanner{secrets: secrets, personal: people}, nil
}

// Options of one scan.
type Options struct {
	// Own are verified addresses and domains of the sender, which may appear.
	Own []string
	// Labels asks for labels and flags of hostile content too.
	Labels bool
}

// Scan looks at all fields within one budget.
func (s *Scanner) Scan(fields []Field, o Options) Verdict {
	b := finding.NewBudget()
	v := Verdict{}
	for i := range fields {
		if b.Full() {
			break
		}
		switch f := &fields[i]; f.Format {
		case FormatBase64:
			s.file(&v, i, f, o)
		case FormatObject:
			// Pairs that are split over members; what stands in one member has been found there.
			if !v.blocksBelow(fields, f.Path) {
				v.add(i, f.Text, s.secrets.Scan(b, f.Text))
			}
		default:
			s.plain(&v, b, i, f, o)
		}
	}
	v.Exceeded = v.Exceeded || b.Exceeded()
	v.Work += b.Work
	slices.SortStableFunc(v.Found, func(x, y Found) int {
		if x.Field != y.Field {
			return x.Field - y.Field
		}
		return finding.Order(x.Finding, y.Finding)
	})
	return v
}

func (s *Scanner) plain(v *Verdict, b *finding.Budget, i int, f *Field, o Options) {
	_, report := text.Normalise(f.Text)
	v.add(i, f.Text, report.Findings)
	v.add(i, f.Text, s.secrets.Scan(b, f.Text))
	if f.Free && f.Name != "" {
		v.add(i, f.Text, s.secrets.ScanPair(b, f.meaning(), f.Text))
	}
	v.add(i, f.Text, s.personal.Scan(b, f.Text, personal.Options{Own: o.Own}))
	if o.Labels {
		v.add(i, f.Text, label.Labels(f.Text))
	}
}

// file scans what a file says. A file has budgets of its own, since it may be large.
func (s *Scanner) file(v *Verdict, i int, f *Field, o Options) {
	data, err := base64.StdEncoding.DecodeString(f.Text)
	if err != nil {
		return // it is refused for that elsewhere
	}
	texts, err := fileTexts(data)
	v.Exceeded = v.Exceeded || err != nil
	for _, content := range texts {
		s.fileText(v, i, f, content, o)
	}
}

// fileText scans one text of a file, with a budget of its own.
func (s *Scanner) fileText(v *Verdict, i int, f *Field, content string, o Options) {
	b, inside := finding.NewBudget(), Verdict{}
	s.plain(&inside, b, i, &Field{Text: content}, o)
	for _, found := range inside.Found {
		if found.Kind == finding.Disallowed {
			continue // invisible characters in files are data
		}
		// Places in the file mean nothing to a reader of the base64: the whole of it is meant.
		found.Start, found.End, found.Replacement = 0, len(f.Text), ""
		if found.Action == finding.Redact {
			found.Action = finding.Reject
		}
		v.Found = append(v.Found, found)
	}
	v.Exceeded = v.Exceeded || b.Exceeded()
	v.Work += b.Work
}

// printable lists the runs of printable ASCII in bytes that are no text, one a line.
func printable(data []byte) string {
	const shortest = 8 // bytes; shorter runs are chance
	var out strings.Builder
	start := -1
	for i := 0; i <= len(data); i++ {
		if i < len(data) && data[i] >= ' ' && data[i] <= '~' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start >= shortest {
			out.Write(data[start:i])
			out.WriteByte('\n')
		}
		start = -1
	}
	return out.String()
}

// add takes findings in a text over. One place is found once by each rule.
func (v *Verdict) add(field int, in string, found []finding.Finding) {
	for _, f := range found {
		same := func(o Found) bool {
			return o.Field == field && o.Rule == f.Rule && o.Start < f.End && f.Start < o.End
		}
		if slices.ContainsFunc(v.Found, same) || isPublicID(in, f.Start, f.End) {
			continue
		}
		v.Found = append(v.Found, Found{Finding: f, Field: field, Value: in[f.Start:f.End]})
	}
}

// idSuffix is the length of a UUID in the base32 of public IDs (TypeID specification 0.3).
const idSuffix = 26

// isPublicID reports whether a place in a text is one of our own public IDs, or lies in one: they are no secrets, and
// stand in everything that agents write.
func isPublicID(in string, start, end int) bool {
	for start > 0 && isWordByte(in[start-1]) {
		start--
	}
	for end < len(in) && isWordByte(in[end]) {
		end++
	}
	kind, suffix, found := strings.Cut(in[start:end], "_")
	if !found || len(suffix) != idSuffix || suffix[0] > '7' || len(kind) < 2 || len(kind) > 3 {
		return false
	}
	return strings.IndexFunc(kind, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 &&
		strings.IndexFunc(suffix, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefghjkmnpqrstvwxyz", r) }) < 0
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// blocksBelow reports whether something that blocks was found in a field at or below a path.
func (v *Verdict) blocksBelow(fields []Field, path string) bool {
	return slices.ContainsFunc(v.Found, func(f Found) bool {
		return f.Action.Blocks() && strings.HasPrefix(fields[f.Field].Path, path)
	})
}

package evidence

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"interai/store"
	"interai/trustmodel"
)

// Words that get and resources take beside IDs (specification v2, section 11). What this server is and how it wants to
// be used is known further up, where the operations are; the other words are answered here.
const (
	WordAbout        = "about"
	WordInstructions = "instructions"
	WordTrustModel   = "trust-model"
	WordSchemas      = "schemas"

	schemaPrefix = WordSchemas + "/"
)

// Kinds of what words name.
const (
	kindDocument = "document"
	kindSchema   = "schema"
)

// Word reads a word, alone or as a URI: about, instructions, trust-model, schemas, or schemas/ with a content type.
func Word(text string) (word string, ok bool) {
	rest, isURI := strings.CutPrefix(text, uriScheme)
	switch word = rest; {
	case word == WordAbout, word == WordInstructions, word == WordTrustModel, word == WordSchemas:
		return word, true
	case strings.HasPrefix(word, schemaPrefix):
		return word, isURI
	}
	return "", false
}

// Written is the answer for a word whose text the server itself has.
func Written(word, title, text string) *GetOutput {
	return &GetOutput{ID: uriScheme + word, Kind: kindDocument, Title: title, BodyMarkdown: &text}
}

// word answers what a word names. The texts are the server's own, so nothing of them is marked as untrusted.
func (s *Service) word(ctx context.Context, word string) (*GetOutput, error) {
	switch {
	case word == WordTrustModel:
		var row store.TrustModel
		err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
			row, err = v.ActiveModel(ctx)
			return err
		})
		if err != nil {
			return nil, readable(err)
		}
		text, err := trustModelText(&row)
		if err != nil {
			return nil, err
		}
		return Written(word, "The trust model "+row.Name, text), nil
	case word == WordSchemas:
		return Written(word, "Schemas of structured_data", s.schemasText()), nil
	case strings.HasPrefix(word, schemaPrefix):
		document, ok := s.schemas.Document(strings.TrimPrefix(word, schemaPrefix))
		if !ok {
			return nil, notFound("id")
		}
		out := Written(word, document.Title+", version "+document.Version, "```json\n"+string(document.JSON)+"```\n")
		out.Kind, out.Type, out.Summary, out.StructuredData = kindSchema, document.Type, document.Description, document.JSON
		return out, nil
	}
	return nil, notFound("id")
}

func (s *Service) schemasText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The structured_data of these content types is checked against a JSON Schema (2020-12) when it is published. "+
		"All fields are optional, unknown ones are allowed, a known one of the wrong type is refused with validation_failed. "+
		"Other content types are open. At most %d bytes, nested at most %d deep; schemas that are themselves published as data "+
		"may refer to themselves only.\n\n", maxObjectBytes, maxObjectDepth)
	for _, name := range s.schemas.Types() {
		document, _ := s.schemas.Document(name)
		fmt.Fprintf(&b, "- `%s` (version %s): %s\n", document.URI, document.Version, document.Description)
	}
	return b.String()
}

//go:embed trust_model.md
var trustModelWords string

// trustModelText says what trust values mean, with the constants of the version in force.
func trustModelText(row *store.TrustModel) (string, error) {
	params, err := row.Params()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(trustModelWords)
	fmt.Fprintf(&b, "\n## In force\n\nVersion `%s`, parameters `%s`, sealed epoch %d.\n\n", row.Name, row.ParamsHash, row.Epoch)
	for _, line := range constants(&params) {
		fmt.Fprintf(&b, "- %s: %v\n", line.name, line.value)
	}
	return b.String(), nil
}

// constant is a parameter that a reader of trust values may want to know.
type constant struct {
	name  string
	value any
}

func constants(p *trustmodel.Params) []constant {
	return []constant{
		{"probability inside the interval", p.Level},
		{"value without evidence", p.Prior.Mean},
		{"weight of that prior, in parties", p.Prior.Strength},
		{"mass of one use in production", mass(p.Strength.UsageReal)},
		{"mass of one use in a test", mass(p.Strength.UsageTest)},
		{"mass of one review that rests on a use", mass(p.Strength.ReviewGrounded)},
		{"mass of one review that rests on nothing", mass(p.Strength.ReviewUngrounded)},
		{"half-life of uses, in days", p.Recency.UsageHalfLifeDays},
		{"half-life of reviews, in days", p.Recency.ReviewHalfLifeDays},
		{"half-life of evidence about claims, in days", p.Recency.ClaimHalfLifeDays},
		{"least lower bound of high_confidence", p.Status.HighLower},
		{"least real-world confirmations of high_confidence", p.Status.HighRealWorld},
		{"greatest upper bound of incorrect", p.Status.IncorrectUpper},
		{"least contradictions of incorrect", p.Status.IncorrectContradictions},
	}
}

// mass is what a single record of a strength is worth, in parties.
func mass(strength float64) string { return fmt.Sprintf("%.2f", strength/(1+strength)) }

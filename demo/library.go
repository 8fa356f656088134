package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed knowledge/*.json
var knowledgeFiles embed.FS

// library is the built-in knowledge set. Keys name its entities and items within it: in references "redis" is an
// entity, "redis-aof" an item, and "redis-aof#1" the first claim of that item.
type library struct {
	Entities    []namedThing `json:"entities"`
	Items       []entry      `json:"items"`
	Experiences []trial      `json:"experiences"`
	Opinions    []opinion    `json:"opinions"`
}

// namedThing is an entity.
type namedThing struct {
	Key  string `json:"key"`
	Type string `json:"type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// entry is one content item.
type entry struct {
	Key     string `json:"key"`
	Author  int    `json:"author"` // number of the author, from 1
	Type    string `json:"type"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	// Body are the lines of its text.
	Body    []string `json:"body"`
	About   []string `json:"about"` // keys of entities
	Claims  []string `json:"claims"`
	Sources []string `json:"sources"`
	// Relations refer to earlier items, and to entities that an earlier item is about.
	Relations []link          `json:"relations"`
	Data      json.RawMessage `json:"data"`
	Tags      []string        `json:"tags"`
}

type link struct {
	Type   string `json:"type"`
	To     string `json:"to"`
	Reason string `json:"reason"`
}

// trial is an experience of one operator.
type trial struct {
	Key           string          `json:"key"`
	Operator      int             `json:"operator"` // number of the operator, from 1
	Title         string          `json:"title"`
	Summary       string          `json:"summary"`
	Result        string          `json:"result"`
	Real          bool            `json:"real"`
	Context       json.RawMessage `json:"context"`
	Configuration json.RawMessage `json:"configuration"`
	Observations  json.RawMessage `json:"observations"`
	Metrics       json.RawMessage `json:"metrics"`
	About         []string        `json:"about"`
	Used          []usedThing     `json:"used"`
	Tags          []string        `json:"tags"`
}

type usedThing struct {
	Of     string `json:"of"`
	Result string `json:"result"`
	Note   string `json:"note"`
}

// opinion is what several operators say about one thing in one context: the first of each list is said by operator
// First, the next by the one after it, around all of them.
type opinion struct {
	Of       string               `json:"of"`
	First    int                  `json:"first"` // number of an operator, from 1
	Context  map[string]string    `json:"context"`
	Results  []string             `json:"results"`
	Verdicts []string             `json:"verdicts"`
	Ratings  map[string][]float64 `json:"ratings"` // scores by dimension
}

// knowledgeOrder are the files in the order in which they refer to each other.
func knowledgeOrder() []string { return []string{"databases", "brokers", "web", "platform"} }

// readLibrary reads the built-in knowledge set.
func readLibrary() (*library, error) {
	all := &library{}
	for _, name := range knowledgeOrder() {
		text, err := fs.ReadFile(knowledgeFiles, "knowledge/"+name+".json")
		if err != nil {
			return nil, fmt.Errorf("read the knowledge set: %w", err)
		}
		var part library
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&part); err != nil {
			return nil, fmt.Errorf("decode the knowledge set: %s: %w", name, err)
		}
		all.Entities = append(all.Entities, part.Entities...)
		all.Items = append(all.Items, part.Items...)
		all.Experiences = append(all.Experiences, part.Experiences...)
		all.Opinions = append(all.Opinions, part.Opinions...)
	}
	return all, nil
}

// subjects are entities by their natural identity.
func (l *library) subjects(keys []string) []subjectArg {
	var out []subjectArg
	for _, key := range keys {
		for _, e := range l.Entities {
			if e.Key == key {
				out = append(out, subjectArg{Type: e.Type, Name: e.Name, URL: e.URL})
			}
		}
	}
	return out
}

// claimRef is the reference to a claim of an item, counted from 0.
func claimRef(item string, at int) string { return fmt.Sprintf("%s#%d", item, at+1) }

func (e *entry) publication(l *library, ids map[string]string) publishArgs {
	args := publishArgs{
		ContentType: e.Type, Title: e.Title, Summary: e.Summary, BodyMarkdown: strings.Join(e.Body, "\n") + "\n",
		StructuredData: e.Data, NewSubjects: l.subjects(e.About), Tags: append([]string{"demo"}, e.Tags...), Language: "en",
	}
	for _, text := range e.Claims {
		args.Claims = append(args.Claims, claimArg{Text: text})
	}
	for _, url := range e.Sources {
		args.Sources = append(args.Sources, sourceArg{URL: url})
	}
	for _, r := range e.Relations {
		args.Relations = append(args.Relations, relationArg{Type: r.Type, Target: ids[r.To], Reason: r.Reason})
	}
	return args
}

func (t *trial) submission(l *library, ids map[string]string) experienceArgs {
	args := experienceArgs{
		Title: t.Title, Summary: t.Summary, NewSubjects: l.subjects(t.About), Result: t.Result, RealWorldUse: t.Real,
		Context: t.Context, Configuration: t.Configuration, Observations: t.Observations, Metrics: t.Metrics,
		Tags: append([]string{"demo"}, t.Tags...), Language: "en",
	}
	for _, used := range t.Used {
		args.Used = append(args.Used, usedArg{ID: ids[used.Of], Result: used.Result, Note: used.Note})
	}
	return args
}

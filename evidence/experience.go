package evidence

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"interai/store"
)

const (
	// typeExperience is the content type that submit_experience makes.
	typeExperience = "experience"
	// usageOfExperience is the sort of its uses.
	usageOfExperience = "experience"
)

// experience is what a draft has beside a publication. Its exported fields are what the request's digest covers.
type experience struct {
	Told ExperienceRef
	// ContextKey is the key under which equal contexts aggregate.
	ContextKey string
	Used       []draftUsed

	// given are the indexes in Used of what has an ID; named those in the draft's entities of what has a name.
	given []int
	named map[int]int
	uses  []store.Evidence
}

type draftUsed struct {
	ID           store.ID
	Type, Name   string
	URL          string
	Result, Note string
}

// ExperienceRef is what an experience tells beside its text.
type ExperienceRef struct {
	Result        string          `json:"result" doc:"The outcome."`
	RealWorldUse  bool            `json:"real_world_use" doc:"Whether the use was real."`
	Context       json.RawMessage `json:"context" schema:"object" doc:"Facets of the situation."`
	Configuration json.RawMessage `json:"configuration" schema:"object" doc:"How it was set up."`
	Observations  json.RawMessage `json:"observations" schema:"object" doc:"What was seen."`
	Metrics       json.RawMessage `json:"metrics" schema:"object" doc:"What was measured."`
	Used          []UsedRef       `json:"used" doc:"What was used."`
}

// UsedRef is one thing that was used.
type UsedRef struct {
	Target string `json:"target" doc:"The exact object."`
	Usage  string `json:"usage" doc:"The usage record."`
	Result string `json:"result" doc:"How it worked."`
	Note   string `json:"note,omitempty" doc:"In a few words."`
}

// storedExperience is how a revision keeps an experience.
type storedExperience struct {
	ExperienceRef

	ContextKey string `json:"context_key"`
}

// newExperience normalises the input and lists every rule that it breaks.
func (s *Service) newExperience(in *SubmitExperienceInput) (*draft, error) {
	var p problems
	d := p.draft(&PublishInput{
		ContentType: typeExperience, Title: in.Title, Summary: in.Summary, BodyMarkdown: in.BodyMarkdown,
		Subjects: in.Subjects, NewSubjects: in.NewSubjects, Tags: in.Tags, Space: in.Space, Language: in.Language,
	}, s.schemas)
	facets, key := p.facets(in.Context)
	d.Experience = &experience{
		Told: ExperienceRef{
			Result: in.Result, RealWorldUse: in.RealWorldUse, Context: facets,
			Configuration: p.canonical("/configuration", in.Configuration),
			Observations:  p.canonical("/observations", in.Observations),
			Metrics:       p.canonical("/metrics", in.Metrics),
			Used:          []UsedRef{},
		},
		ContextKey: key, named: map[int]int{},
	}
	for i, used := range in.Used {
		d.addUsed(&p, i, used)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	for i, used := range d.Experience.Used {
		if id := used.ID; !id.IsZero() && !slices.Contains(usable(), id.Kind) || id.IsZero() && used.Name == "" {
			return nil, invalidTarget(fmt.Sprintf("used/%d/id", i), "one of these kinds: "+kindNames(usable()))
		}
	}
	return d, nil
}

// addUsed adds one entry. An ID that is none is left without one, and refused when everything else is right: it is not
// the form of the input that is wrong.
func (d *draft) addUsed(p *problems, i int, in UsedInput) {
	path := fmt.Sprintf("/used/%d", i)
	x := d.Experience
	used := draftUsed{Result: in.Result, Note: p.prose(path+"/note", in.Note, maxUsageNote)}
	switch named := in.Type != "" || in.Name != "" || in.URL != ""; {
	case (in.ID != "") == named, named && (in.Type == "" || in.Name == ""):
		p.addf(path, "one_of", "must give either id, or type and name")
	case in.ID != "":
		used.ID, _ = store.ParseID(in.ID)
		x.given = append(x.given, i)
	default:
		used.Type, used.Name, used.URL = in.Type, p.line(path+"/name", in.Name, maxName), in.URL
		if !visible(used.Name) {
			p.addf(path+"/name", "required", "must have at least one visible character")
		}
		p.homePage(path+"/url", in.URL)
		x.named[i] = d.entity(store.NewEntity{Type: used.Type, Name: used.Name, URL: used.URL})
	}
	x.Used = append(x.Used, used)
}

// homePage accepts an absolute http or https URL that names nobody, or none.
func (p *problems) homePage(path, text string) {
	address, err := url.Parse(text)
	if text == "" || err == nil && address.User == nil && address.Host != "" && (address.Scheme == "http" || address.Scheme == "https") &&
		!strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' }) {
		return
	}
	p.addf(path, "home_page", "must be an absolute http or https URL without a user name or a password")
}

// entity is the place of an entity among those to find or make, where each natural identity stands once.
func (d *draft) entity(wanted store.NewEntity) int {
	at := slices.IndexFunc(d.entities, func(e store.NewEntity) bool {
		return e.Type == wanted.Type && store.NameKey(e.Name) == store.NameKey(wanted.Name)
	})
	if at >= 0 {
		return at
	}
	d.entities = append(d.entities, wanted)
	return len(d.entities) - 1
}

// targets are the IDs to look up, in the order of given.
func (x *experience) targets() []store.ID {
	if x == nil {
		return nil
	}
	var ids []store.ID
	for _, i := range x.given {
		ids = append(ids, x.Used[i].ID)
	}
	return ids
}

// complete finds the target of each use, makes the usage records, and puts what the experience tells into the
// publication.
//
// What may be used is what a relation may refer to: something public, or of the experience's own space. A use is evidence
// about its target, and is shown to everybody who sees that. So the use of something public, told in a private space,
// counts there with its result and nothing else: the note and the context stay in the experience, which only members
// read, and only they are shown the experience that the record belongs to.
func (x *experience) complete(pub *store.Publication, facts *store.PublishFacts, entities []store.Named) error {
	if x == nil {
		return nil
	}
	var p problems
	seen := map[store.ID]bool{}
	next := 0
	for i, used := range x.Used {
		target := store.UsedTarget{Space: pub.Space}
		if at, named := x.named[i]; named {
			target.ID = entities[at].ID
		} else {
			target = facts.Used[next]
			next++
		}
		path := fmt.Sprintf("used/%d/id", i)
		switch {
		case target.ID.IsZero():
			return notFound(path)
		case target.Private && target.Space != pub.Space:
			return privateElsewhere(path)
		case seen[target.ID]:
			p.addf(fmt.Sprintf("/used/%d", i), "duplicate", "is given twice: a use counts once")
		}
		seen[target.ID] = true
		if err := x.add(pub, target, used, facts.SpacePrivate && target.Space != pub.Space); err != nil {
			return err
		}
	}
	if err := p.err(); err != nil {
		return err
	}
	encoded, err := json.Marshal(storedExperience{ExperienceRef: x.Told, ContextKey: x.ContextKey})
	if err != nil {
		return fmt.Errorf("encode the experience: %w", err)
	}
	pub.Experience = encoded
	return nil
}

// add makes the record of one use; a bare one says nothing but how it went.
func (x *experience) add(pub *store.Publication, target store.UsedTarget, used draftUsed, bare bool) error {
	id, err := store.NewID(store.KindUsage)
	if err != nil {
		return err
	}
	row := store.Evidence{
		ID: id.UUID, Target: target.ID, Kind: store.EvidenceUsage, Actor: pub.Author, UsageType: usageOfExperience,
		Result: used.Result, RealWorld: x.Told.RealWorldUse, Experience: pub.Content,
	}
	if !bare {
		row.Context, row.ContextKey, row.Note = x.Told.Context, x.ContextKey, used.Note
	}
	x.uses = append(x.uses, row)
	x.Told.Used = append(x.Told.Used, UsedRef{Target: target.ID.String(), Usage: id.String(), Result: used.Result, Note: used.Note})
	return nil
}

// appends are the records of all uses.
func (x *experience) appends() []store.Append {
	if x == nil {
		return nil
	}
	out := make([]store.Append, len(x.uses))
	for i := range x.uses {
		out[i].Evidence = x.uses[i]
	}
	return out
}

func (x *experience) output(made *PublishOutput) *SubmitExperienceOutput {
	out := &SubmitExperienceOutput{
		ID: made.ID, RevisionID: made.RevisionID, UsageIDs: []string{}, Targets: []string{}, Subjects: made.Subjects,
	}
	for _, used := range x.Told.Used {
		out.UsageIDs, out.Targets = append(out.UsageIDs, used.Usage), append(out.Targets, used.Target)
	}
	return out
}

func (x *ExperienceRef) write(b *strings.Builder) {
	where := "in a test"
	if x.RealWorldUse {
		where = "in real use"
	}
	fmt.Fprintf(b, "Experience: %s, %s\n", x.Result, where)
	for _, told := range []struct {
		name string
		json json.RawMessage
	}{{"Context", x.Context}, {"Configuration", x.Configuration}, {"Observations", x.Observations}, {"Metrics", x.Metrics}} {
		if text := string(told.json); text != "{}" && text != "" {
			fmt.Fprintf(b, "%s: %s\n", told.name, shorten(text, maxToldRunes))
		}
	}
	for _, used := range x.Used {
		fmt.Fprintf(b, "Used %s: %s (%s) %s\n", used.Target, used.Result, used.Usage, shorten(line(used.Note), maxSaidRunes))
	}
}

// maxToldRunes bounds what the text shows of each free object of an experience; the structured answer has all.
const maxToldRunes = 2000

// experienceRef reads a stored experience, nil for other content.
func experienceRef(raw json.RawMessage) (*ExperienceRef, error) {
	if raw == nil {
		return nil, nil //nolint:nilnil // most content is no experience
	}
	var stored storedExperience
	if err := json.Unmarshal(raw, &stored); err != nil {
		return nil, fmt.Errorf("decode an experience: %w", err)
	}
	return &stored.ExperienceRef, nil
}

package demo

import (
	"errors"
	"fmt"
	"slices"

	"interai/evidence/claimkey"
)

func labelColumns() columns { return columns{{"item", maxID}, {"worker", maxID}, {"label", maxID}} }
func truthColumns() columns { return columns{{"item", maxID}, {"truth", maxID}} }

const (
	// perPublication is how many claims one content item states, as many as publish takes.
	perPublication = 50
	// perAuthor bounds what one author publishes, below the default limit of 200 writes in an hour.
	perAuthor = 100
)

// labelSet is what the two files of a label set say.
type labelSet struct {
	items   []string          // in the order of the truth file
	truth   map[string]string // item to gold label
	classes []string          // all labels, sorted
	votes   []vote
}

type vote struct{ item, worker, label string }

// loadLabels reads NAME.label and NAME.truth.
func loadLabels(name, labels, truth string) (*dataset, error) {
	set := labelSet{truth: map[string]string{}}
	if err := truthColumns().rows(truth, func(_ int, row []string) error { return set.addTruth(row) }); err != nil {
		return nil, err
	}
	if err := labelColumns().rows(labels, func(_ int, row []string) error { return set.addVote(row) }); err != nil {
		return nil, err
	}
	return set.dataset(name)
}

func (s *labelSet) addTruth(row []string) error {
	name, label := row[0], row[1]
	if name == "" || label == "" {
		return errors.New("item and truth must not be empty")
	}
	if known, ok := s.truth[name]; ok && known != label {
		return fmt.Errorf("item %q has two truths", name)
	} else if !ok {
		s.truth[name], s.items = label, append(s.items, name)
		s.addClass(label)
	}
	return nil
}

func (s *labelSet) addVote(row []string) error {
	v := vote{item: row[0], worker: row[1], label: row[2]}
	if v.item == "" || v.worker == "" || v.label == "" {
		return errors.New("item, worker and label must not be empty")
	}
	s.votes = append(s.votes, v)
	s.addClass(v.label)
	return nil
}

func (s *labelSet) addClass(label string) {
	if at, found := slices.BinarySearch(s.classes, label); !found {
		s.classes = slices.Insert(s.classes, at, label)
	}
}

// asserted is the label that an item's claim names. Of two classes it is always the last, as published figures for
// binary sets have it. Of more, a hash of the item decides whether the claim is true, and which wrong label a
// false one names: so about half are true, in every run alike.
func (s *labelSet) asserted(name string) string {
	gold := s.truth[name]
	if len(s.classes) <= 2 {
		return s.classes[len(s.classes)-1]
	}
	sum := hash(name)
	if sum&1 == 0 {
		return gold
	}
	others := slices.DeleteFunc(slices.Clone(s.classes), func(c string) bool { return c == gold })
	return others[(sum>>1)%uint64(len(others))]
}

// dataset makes a claim of each item, a party of each worker, and a review of the claim of each vote. Votes about
// items without a truth are left out.
func (s *labelSet) dataset(name string) (*dataset, error) {
	d := &dataset{kind: kindLabels, name: name}
	people := &roster{}
	index := map[string]int{}
	wordings := map[string]string{}
	for i, it := range s.items {
		text := fmt.Sprintf("In the label set %s, the label of item %s is %s.", name, it, s.asserted(it))
		if other, taken := wordings[claimkey.Normalise(text)]; taken {
			return nil, fmt.Errorf("label set %s: items %q and %q make the same claim", name, other, it)
		}
		wordings[claimkey.Normalise(text)] = it
		if i%perPublication == 0 {
			d.publications = append(d.publications, labelPublication(name, people, i/perPublication))
		}
		pub := len(d.publications) - 1
		args := &d.publications[pub].args
		truth := 0.0
		if s.asserted(it) == s.truth[it] {
			truth = 1
		}
		index[it] = len(d.items)
		d.items = append(d.items, item{
			title: fmt.Sprintf("%s %s = %s", name, it, s.asserted(it)), pub: pub, claim: len(args.Claims), truth: truth, known: true,
		})
		args.Claims = append(args.Claims, claimArg{Text: text})
	}
	d.addVotes(s, people, index)
	d.actors = people.list
	// The key covers the claims: a file that has grown makes new publications of the last of them only.
	for i := range d.publications {
		p := &d.publications[i]
		var texts []string
		for _, claim := range p.args.Claims {
			texts = append(texts, claim.Text)
		}
		p.key = idempotencyKey(name, "claims", 0, texts...)
	}
	return d, nil
}

func (d *dataset) addVotes(s *labelSet, people *roster, index map[string]int) {
	same := counter{}
	for _, v := range s.votes {
		at, known := index[v.item]
		if !known {
			continue
		}
		verdict := wrong
		if v.label == s.asserted(v.item) {
			verdict = confirmed
		}
		d.reports = append(d.reports, report{
			actor: people.party(fmt.Sprintf("Demo %s judge %s", d.name, v.worker)), item: at,
			key:  idempotencyKey(d.name, "label", same.next(v.item, v.worker, v.label), v.item, v.worker, v.label),
			args: reviewArgs{Verdict: verdict, Confidence: 1},
		})
	}
	d.limitTo(len(d.reports)) // in the order of the items, as every form has them
}

func labelPublication(name string, people *roster, no int) publication {
	return publication{
		author: people.party(fmt.Sprintf("Demo %s author %d", name, no/perAuthor)),
		args: publishArgs{
			ContentType:  "dataset",
			Title:        fmt.Sprintf("Labels of the set %s, part %d", name, no+1),
			Summary:      fmt.Sprintf("One claim about the label of each item, part %d of the label set %s.", no+1, name),
			BodyMarkdown: "Each claim names one label for one item. Judges who give the item that label confirm the claim, others say that it is false.\n",
			NewSubjects:  []subjectArg{{Type: "dataset", Name: "label set " + name}},
			Tags:         []string{"demo", "labels"}, Language: "en",
		},
	}
}

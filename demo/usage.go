package demo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// usageColumns are those of the usage form: which game, the day of the report (counted from any day), the rating,
// the version of the software that ran it, the graphics card, and a fingerprint of the reporter's computer.
func usageColumns() columns {
	return columns{
		{"target", maxID}, {"day", maxID}, {"rating0to4", maxID}, {"version", maxText}, {"gpu", maxText}, {"system_fp", maxID},
	}
}

// usageRow is one report of the usage form.
type usageRow struct {
	target, version, gpu, system string
	day, rating                  int
}

// unnamedVersion stands for a version that a reporter left out.
const unnamedVersion = "unknown"

// ratings are the results that ratings 0 to 4 (borked, bronze, silver, gold, platinum) become.
var ratings = [...]string{failure, failure, partial, success, success}

func parseUsage(row []string) (usageRow, error) {
	day, err := strconv.Atoi(row[1])
	if err != nil {
		return usageRow{}, errors.New("day is not a whole number")
	}
	rating, err := strconv.Atoi(row[2])
	if err != nil || rating < 0 || rating >= len(ratings) {
		return usageRow{}, fmt.Errorf("rating0to4 is not a whole number from 0 to %d", len(ratings)-1)
	}
	out := usageRow{target: row[0], day: day, rating: rating, version: row[3], gpu: row[4], system: row[5]}
	if out.target == "" || out.system == "" {
		return usageRow{}, errors.New("target and system_fp must not be empty")
	}
	if out.version == "" {
		out.version = unnamedVersion
	}
	return out, nil
}

const (
	// heldOut is the share of an item's reports, the latest, that is not sent: they are the truth. A truth of
	// fewer than minHeldOut reports says too little to be judged by.
	heldOut    = .3
	minHeldOut = 3
	// usageAuthors share the items of a file. With the 21,349 items of the documented one, each stays below the
	// default limit of 200 writes in an hour.
	usageAuthors = 256
)

// usageAuthor follows from the item alone, not from its place in the file, which may grow.
func usageAuthor(it *usageItem) uint64 { return hash(it.target, it.version) % usageAuthors }

// usageItem is one game under one version, with its reports in the order of the file.
type usageItem struct {
	target, version string
	rows            []usageRow
}

// loadUsage reads a file of the usage form.
func loadUsage(name, path string) (*dataset, error) {
	var items []*usageItem
	index := map[[2]string]*usageItem{}
	err := usageColumns().rows(path, func(_ int, fields []string) error {
		row, err := parseUsage(fields)
		if err != nil {
			return err
		}
		id := [2]string{row.target, row.version}
		it, ok := index[id]
		if !ok {
			it = &usageItem{target: row.target, version: row.version}
			index[id], items = it, append(items, it)
		}
		it.rows = append(it.rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return usageDataset(name, items), nil
}

// usageDataset orders the items by how much is known about them, so that a limit keeps those that can be judged.
func usageDataset(name string, items []*usageItem) *dataset {
	slices.SortStableFunc(items, func(a, b *usageItem) int { return len(b.rows) - len(a.rows) })
	d := &dataset{kind: kindUsage, name: name}
	people, same := &roster{}, counter{}
	for i, it := range items {
		slices.SortStableFunc(it.rows, func(a, b usageRow) int { return a.day - b.day })
		later := int(heldOut * float64(len(it.rows)))
		sent, held := it.rows[:len(it.rows)-later], it.rows[len(it.rows)-later:]
		title := fmt.Sprintf("game %s under Proton %s", it.target, it.version)
		d.items = append(d.items, item{title: title, pub: i, claim: -1, truth: meanRating(held), known: later >= minHeldOut})
		author := people.party(fmt.Sprintf("Demo %s author %d", name, usageAuthor(it)))
		d.publications = append(d.publications, usagePublication(name, author, it))
		for _, row := range sent {
			fields := []string{row.target, row.version, row.system, row.gpu, strconv.Itoa(row.day), strconv.Itoa(row.rating)}
			d.reports = append(d.reports, report{
				actor: people.party(fmt.Sprintf("Demo %s system %s", name, row.system)), item: i,
				key:  idempotencyKey(name, "use", same.next(fields...), fields...),
				args: usageOf(row),
			})
		}
	}
	d.actors = people.list
	return d
}

func usageOf(row usageRow) usageArgs {
	return usageArgs{
		UsageType: "execution", Result: ratings[row.rating], RealWorldUse: true,
		Context: map[string]string{"gpu": row.gpu, "version": row.version},
	}
}

func usagePublication(name string, author int, it *usageItem) publication {
	return publication{
		author: author, key: idempotencyKey(name, "item", 0, it.target, it.version),
		args: publishArgs{
			ContentType: "configuration",
			Title:       fmt.Sprintf("Run game %s under Proton %s", it.target, it.version),
			Summary:     fmt.Sprintf("Game %s of the data set %s runs on Linux with Proton %s.", it.target, name, it.version),
			BodyMarkdown: fmt.Sprintf("1. Install Steam for Linux.\n2. Choose Proton %s as the compatibility tool of game %s.\n3. Start the game.\n",
				it.version, it.target),
			NewSubjects: []subjectArg{{Type: "game_version", Name: fmt.Sprintf("%s game %s, Proton %s", name, it.target, it.version)}},
			Tags:        []string{"demo", "proton"}, Language: "en",
		},
	}
}

// meanRating is the share of successes among rows, 0 for none.
func meanRating(rows []usageRow) float64 {
	if len(rows) == 0 {
		return 0
	}
	sum := 0.0
	for _, row := range rows {
		sum += outcome(ratings[row.rating])
	}
	return sum / float64(len(rows))
}

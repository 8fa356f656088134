package demo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// errNoData says that a directory holds neither form.
var errNoData = errors.New("no data in a documented form: want NAME.label with NAME.truth, or NAME.csv, each plain or .gz, " +
	"in the directory itself or in its folders labels and usage")

// Folders of a directory that holds both forms.
const (
	labelsFolder = "labels"
	usageFolder  = "usage"
)

// load reads all data sets that a directory holds, in the order of their names.
func load(dir string) ([]*dataset, error) {
	var sets []*dataset
	for _, folder := range []string{dir, filepath.Join(dir, labelsFolder), filepath.Join(dir, usageFolder)} {
		found, err := loadFolder(folder)
		if err != nil {
			if folder != dir && errors.Is(err, os.ErrNotExist) {
				continue
			}
			return nil, err
		}
		sets = append(sets, found...)
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, errNoData)
	}
	return sets, distinct(sets)
}

// distinct refuses two sets of one name, whose actors and keys would be the same, and names that are too long.
func distinct(sets []*dataset) error {
	seen := map[string]bool{}
	for _, d := range sets {
		if utf8.RuneCountInString(d.name) > maxSetName {
			return fmt.Errorf("the name of the data set %s has more than %d characters", d.name, maxSetName)
		}
		if seen[d.name] {
			return fmt.Errorf("two data sets have the name %s", d.name)
		}
		seen[d.name] = true
	}
	return nil
}

func loadFolder(dir string) ([]*dataset, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for data: %w", err)
	}
	truths := map[string]string{}
	for _, e := range entries {
		if name, form := formOf(e.Name()); form == "truth" && !e.IsDir() {
			truths[name] = filepath.Join(dir, e.Name())
		}
	}
	var sets []*dataset
	for _, e := range entries {
		name, form := formOf(e.Name())
		path := filepath.Join(dir, e.Name())
		var d *dataset
		switch {
		case e.IsDir(), form == "truth", form == "":
			continue
		case form == "label" && truths[name] == "":
			return nil, fmt.Errorf("%s has no %s.truth beside it", path, name)
		case form == "label":
			d, err = loadLabels(name, path, truths[name])
		default:
			d, err = loadUsage(name, path)
		}
		if err != nil {
			return nil, err
		}
		sets = append(sets, d)
	}
	return sets, nil
}

// formOf tells a file's form by its name: label, truth, csv (the usage form), or "" for what is none of ours. The
// endings .csv and .gz may follow label and truth.
func formOf(file string) (name, form string) {
	file = strings.TrimSuffix(file, ".gz")
	plain := strings.TrimSuffix(file, ".csv")
	for _, form := range []string{"label", "truth"} {
		if name, ok := strings.CutSuffix(plain, "."+form); ok && name != "" {
			return name, form
		}
	}
	if plain != file && plain != "" {
		return plain, "csv"
	}
	return "", ""
}

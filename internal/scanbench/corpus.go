package scanbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Case is one expanded record of the corpus.
type Case struct {
	ID      string `json:"id"`
	Group   string `json:"group"`
	Family  string `json:"family"`
	Carrier string `json:"carrier"`
	// Expect is what must happen to the text: reject, redact, flag, either, allow, clean or label.
	Expect string `json:"expect"`
	Text   string `json:"text"`
	// Spans are the sensitive parts; none when the whole text counts.
	Spans []Span `json:"-"`
}

// Load reads and expands one part of the corpus, such as "secrets.jsonl".
func Load(dir, part string) ([]Case, error) {
	file, err := os.Open(filepath.Join(dir, part))
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	defer func() { _ = file.Close() }() // read only
	var cases []Case
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("read %s: %w", part, err)
		}
		if c.Text, c.Spans, err = Expand(c.ID, c.Text); err != nil {
			return nil, fmt.Errorf("expand %s: %w", c.ID, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", part, err)
	}
	return cases, nil
}

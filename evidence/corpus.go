package evidence

import (
	"context"
	"log/slog"
	"sync"
	"time"
	"unicode"

	"interai/evidence/retrieval"
	"interai/store"
)

// corpus is what this process knows of all documents: a snapshot that a job takes, and that is read again when there is
// a newer one.
type corpus struct {
	*store.SearchStatistics

	byLength map[int][]string // public words of letters only, for the repair of typos
}

// maxWords is how many words a process keeps: the rarest of more are as good as unknown.
const maxWords = 400_000

func newCorpus(stats *store.SearchStatistics) *corpus {
	c := &corpus{SearchStatistics: stats, byLength: map[int][]string{}}
	for word := range stats.Public {
		if letters(word) {
			n := len([]rune(word))
			c.byLength[n] = append(c.byLength[n], word)
		}
	}
	return c
}

func letters(word string) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// minSimilarity is the share of trigrams that a word has in common with what it is repaired to.
const minSimilarity = .3

// guesses are the known words that an unknown one may stand for.
func (c *corpus) guesses(word string) []retrieval.Guess {
	runes := []rune(word)
	own := trigrams(word)
	var out []retrieval.Guess
	for n := len(runes) - 1; n <= len(runes)+1; n++ {
		for _, known := range c.byLength[n] {
			if lettersApart(word, known) <= maxLettersApart && similarity(own, trigrams(known)) >= minSimilarity {
				out = append(out, retrieval.Guess{Word: known, DF: c.Words[known]})
			}
		}
	}
	return out
}

// maxLettersApart is how many letters two words may not share that are two edits apart: a cheap test that leaves few.
const maxLettersApart = 4

func lettersApart(a, b string) int {
	var counts [32]int8
	for _, r := range a {
		counts[r&31]++
	}
	for _, r := range b {
		counts[r&31]--
	}
	apart := 0
	for _, n := range counts {
		apart += int(max(n, -n))
	}
	return apart
}

func trigrams(word string) map[string]bool {
	padded := []rune("  " + word + " ")
	out := make(map[string]bool, len(padded))
	for i := 0; i+3 <= len(padded); i++ {
		out[string(padded[i:i+3])] = true
	}
	return out
}

func similarity(a, b map[string]bool) float64 {
	common := 0
	for gram := range a {
		if b[gram] {
			common++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// selectivity is the share of documents that filters leave, as far as counts tell.
func (c *corpus) selectivity(f *searchFilter) float64 {
	if c.Docs == 0 {
		return 1
	}
	n, count := float64(c.Docs), func(what, key string) float64 { return float64(c.Counts[store.SearchCount{What: what, Key: key}]) }
	left := 0.
	for _, kind := range f.kinds {
		types := f.contentTypes
		if kind == store.FoundEntity {
			types = f.entityTypes
		}
		if kind == store.FoundClaim || len(types) == 0 {
			left += count("kind", kind)
			continue
		}
		for _, t := range types {
			left += count("type", kind+" "+t)
		}
	}
	share := left / n
	for _, tag := range f.tags {
		share = min(share, count("tag", tag)/n)
	}
	if !f.space.IsZero() {
		share *= count("space", f.space.UUID.String()) / n
	}
	return min(1, max(share, 1/n))
}

// corpusTTL is how long a process may not notice that there is a newer snapshot.
const corpusTTL = 5 * time.Second

// corpora keeps the corpus of this process.
type corpora struct {
	db     *store.Store
	logger *slog.Logger

	mu      sync.Mutex
	current *corpus
	until   time.Time
	loading bool
}

// load answers the corpus. While one caller reads a newer one, the others go on with the one that is there; if it cannot
// be read, an old one is better than no answer.
func (c *corpora) load(ctx context.Context) (*corpus, error) {
	c.mu.Lock()
	if c.current != nil && (c.loading || time.Now().Before(c.until)) {
		defer c.mu.Unlock()
		return c.current, nil
	}
	known := c.current
	c.loading = true
	c.mu.Unlock()
	fresh, err := c.read(ctx, known)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loading = false
	if err != nil {
		if known == nil {
			return nil, err
		}
		c.logger.WarnContext(ctx, "search goes on with older statistics", "error", err)
		return known, nil
	}
	c.current, c.until = fresh, time.Now().Add(corpusTTL)
	return fresh, nil
}

func (c *corpora) read(ctx context.Context, known *corpus) (*corpus, error) {
	if known != nil {
		version, err := c.db.SearchVersion(ctx)
		if err != nil || version == known.Version {
			return known, err
		}
	}
	stats, err := c.db.SearchStatistics(ctx, maxWords)
	if err != nil {
		return nil, err
	}
	return newCorpus(stats), nil
}

package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"interai/evidence/retrieval"
)

// SearchStatistics are how common words are, and how many documents there are of a kind, type, tag and space.
type SearchStatistics struct {
	Version, Docs int64
	Words         map[string]float64
	// Public are the words that stand in documents which everybody may see.
	Public map[string]bool
	// Counts are by what and key: kind, "kind type", tag, space.
	Counts map[SearchCount]int64
	// Lengths are mean lengths of documents by kind.
	Lengths map[string]float64
}

// SearchCount names a group of documents.
type SearchCount struct{ What, Key string }

// Documents is the number of documents, as [retrieval.Statistics] has it.
func (s *SearchStatistics) Documents() int { return int(s.Docs) }

// DF is in how many documents a lexeme stands, as [retrieval.Statistics] has it.
func (s *SearchStatistics) DF(lexeme string) float64 {
	if docs, ok := s.Words[lexeme]; ok {
		return docs
	}
	return retrieval.UnseenDF
}

// SearchVersion is the version of the stored statistics.
func (s *Store) SearchVersion(ctx context.Context) (int64, error) {
	var version int64
	if err := s.pool.QueryRow(ctx, `select version from search_statistics`).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the version of search statistics: %w", classify(err))
	}
	return version, nil
}

// SearchStatistics reads the statistics, with at most the given number of words, the most common ones: what is rarer
// is as good as unknown.
func (s *Store) SearchStatistics(ctx context.Context, words int) (*SearchStatistics, error) {
	out := &SearchStatistics{Words: map[string]float64{}, Public: map[string]bool{}, Counts: map[SearchCount]int64{}, Lengths: map[string]float64{}}
	err := s.Read(ctx, func(v *Snapshot) error {
		if err := v.tx.QueryRow(ctx, `select version, docs from search_statistics`).Scan(&out.Version, &out.Docs); err != nil {
			return fmt.Errorf("read search statistics: %w", err)
		}
		var word string
		var docs int64
		var public bool
		rows, err := v.tx.Query(ctx, `select word, docs, public from search_words where docs > 1 order by docs desc limit $1`, words)
		if err == nil {
			_, err = pgx.ForEachRow(rows, []any{&word, &docs, &public}, func() error {
				out.Words[word] = float64(docs)
				if public {
					out.Public[word] = true
				}
				return nil
			})
		}
		if err != nil {
			return fmt.Errorf("read how common words are: %w", err)
		}
		var count SearchCount
		var length float64
		if rows, err = v.tx.Query(ctx, `select what, key, docs, length from search_counts`); err == nil {
			_, err = pgx.ForEachRow(rows, []any{&count.What, &count.Key, &docs, &length}, func() error {
				out.Counts[count] = docs
				if count.What == "kind" {
					out.Lengths[count.Key] = length
				}
				return nil
			})
		}
		if err != nil {
			return fmt.Errorf("read how many documents there are: %w", err)
		}
		return nil
	})
	return out, err
}

// sampledAbove is from how many documents on words are counted on a sample: a fifth of them costs ranking nothing that
// can be measured, and counting all of a million takes minutes.
const (
	sampledAbove = 200_000
	samplePart   = 20 // percent
)

// staleShare is how much may have changed before statistics are taken anew, and staleAfter how old they may become.
const (
	staleShare = .02
	staleAfter = time.Hour
)

// statisticsTimeout bounds each statement of the job that takes the statistics.
const statisticsTimeout = "10min"

const staleStatistics = `
	select coalesce((select max(doc_id) from search_docs), 0) - last_doc > docs * $1 and not (docs = 0 and last_doc = 0 and not exists (select from search_docs))
	       or taken_at < clock_timestamp() - $2::interval and exists (select from search_docs where updated_at > taken_at)
	from search_statistics`

// RefreshSearchStatistics takes the statistics anew if the documents have changed enough since, or always when forced.
// Readers see the old ones or the new ones, never a mixture. It reports whether it did.
func (s *Store) RefreshSearchStatistics(ctx context.Context, force bool) (bool, error) {
	stale := force
	if !force {
		if err := s.pool.QueryRow(ctx, staleStatistics, staleShare, staleAfter).Scan(&stale); err != nil {
			return false, fmt.Errorf("look at the age of search statistics: %w", classify(err))
		}
	}
	if !stale {
		return false, nil
	}
	err := s.Write(ctx, func(tx *Tx) error {
		// Counting the words of a million documents takes longer than any other statement may.
		if _, err := tx.tx.Exec(ctx, `set local statement_timeout = '`+statisticsTimeout+`'`); err != nil {
			return fmt.Errorf("allow for a long statement: %w", err)
		}
		// Two jobs at once would count the same twice.
		if _, err := tx.tx.Exec(ctx, `select from search_statistics for update`); err != nil {
			return fmt.Errorf("lock search statistics: %w", err)
		}
		var docs int64
		if err := tx.tx.QueryRow(ctx, `select count(*) from search_docs`).Scan(&docs); err != nil {
			return fmt.Errorf("count documents: %w", err)
		}
		return tx.countSearchDocs(ctx, docs)
	})
	return err == nil, err
}

const (
	countWords = `
	insert into search_words (word, docs, public)
	select word, (ndoc * %d)::int, not $1 from ts_stat('select terms from search_docs%s')`

	hasPrivate = `select exists (select from search_docs where space_id in (select id from spaces where visibility = 'private'))`

	markPublic = `
	update search_words set public = true where word in (
		select word from ts_stat('select terms from search_docs
			where space_id is null or space_id in (select id from spaces where visibility = ''public'')'))`

	countGroups = `
	insert into search_counts (what, key, docs, length)
	select 'kind', kind, count(*), avg(length) from search_docs group by kind
	union all select 'type', kind || ' ' || type, count(*), 0 from search_docs where kind <> 'claim' group by kind, type
	union all select 'space', space_id::text, count(*), 0 from search_docs where space_id is not null group by space_id
	union all (select 'tag', tag, count(*), 0 from search_docs, unnest(tags) as tag group by tag order by count(*) desc limit $1)`
)

// maxCountedTags bounds what is kept about tags: those beyond are rarer than any of them.
const maxCountedTags = 50_000

func (t *Tx) countSearchDocs(ctx context.Context, docs int64) error {
	words := fmt.Sprintf(countWords, 1, "")
	if docs > sampledAbove {
		words = fmt.Sprintf(countWords, 100/samplePart, fmt.Sprintf(" tablesample bernoulli (%d)", samplePart))
	}
	var private bool
	if err := t.tx.QueryRow(ctx, hasPrivate).Scan(&private); err != nil {
		return fmt.Errorf("look for private documents: %w", err)
	}
	var p pipeline
	p.exec(`delete from search_words`)
	p.exec(`delete from search_counts`)
	p.exec(words, private)
	if private {
		p.exec(markPublic)
	}
	p.exec(countGroups, maxCountedTags)
	p.exec(`update search_statistics set version = version + 1, docs = $1, taken_at = clock_timestamp(),
		last_doc = coalesce((select max(doc_id) from search_docs), 0)`, docs)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("take search statistics: %w", err)
	}
	return nil
}

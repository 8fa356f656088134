package searchbench

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/evidence/retrieval"
	"interai/internal/cputime"
	"interai/jobs"
	"interai/migrations"
	"interai/store"
	"interai/store/pgembed"
)

const (
	// sizesEnv lists the numbers of documents to measure at, ascending.
	sizesEnv     = "INTERAI_BENCH_DOCS"
	defaultSizes = "100000,1000000"
	// scaleQueries is how many distinct questions are asked, plainQueries how many of them of the plain ranking, which
	// takes seconds for some.
	scaleQueries = 200
	plainQueries = 20
	hits         = 400
	loaders      = 2
)

// BenchmarkSearchScale measures what a question costs the database, beside PostgreSQL's own ranking of the same words,
// at two sizes in one run. Every document is another one: real words at real frequencies, around the topic of a real
// document.
func BenchmarkSearchScale(b *testing.B) {
	if b.N > 1 {
		b.Skip("one run is one measurement: use -benchtime 1x")
	}
	s := newSynthesis(b)
	var sizes []int
	text := os.Getenv(sizesEnv)
	if text == "" {
		text = defaultSizes
	}
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1000 {
			b.Fatalf("%s: %q is not a list of numbers of at least 1000", sizesEnv, text)
		}
		sizes = append(sizes, n)
	}
	w := openWarehouse(b)
	defer w.db.Close()
	fmt.Printf("\nGo %s, %d CPUs; PostgreSQL with the private cluster's settings; CPU of PostgreSQL for a question, %d questions (%d of plain ranking)\n\n",
		runtime.Version(), runtime.NumCPU(), scaleQueries, plainQueries)
	fmt.Println("| documents | ours, planned | ours, 90th of wall | plain ts_rank_cd, any word | plain ts_rank_cd, all words | plain with no answer | load |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	for _, size := range sizes {
		begun := time.Now()
		w.grow(b, s, size)
		loaded := time.Since(begun)
		ours, wall := w.ours(b, s)
		anyWord, _ := w.plain(b, s, " | ")
		allWords, empty := w.plain(b, s, " & ")
		fmt.Printf("| %d | %.1f ms | %.1f ms | %.1f ms | %.1f ms | %d of %d | %s |\n", size, ms(ours), ms(wall), ms(anyWord), ms(allWords),
			empty, plainQueries, loaded.Round(time.Second))
		b.ReportMetric(ms(ours), fmt.Sprintf("ms/question@%d", size))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// synthesis makes documents and questions.
type synthesis struct {
	topics    [][]string // the words of real documents
	words     []string   // all of them, the commonest first
	questions []string
}

func newSynthesis(b *testing.B) *synthesis {
	s := &synthesis{}
	counts := map[string]int{}
	for _, name := range []string{"scifact", "cosqa", "nfcorpus", "checkthat20"} {
		set := loadSet(b, name)
		for _, doc := range set.Docs {
			words := strings.Fields(doc.Title + " " + doc.Text)
			if len(words) < 8 {
				continue
			}
			s.topics = append(s.topics, words)
			for _, word := range words {
				counts[word]++
			}
		}
		for i := 0; i < len(set.Queries) && i < scaleQueries/8; i++ {
			s.questions = append(s.questions, set.Queries[i].Text)
		}
	}
	for word := range counts {
		s.words = append(s.words, word)
	}
	slices.SortFunc(s.words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	random := rand.New(rand.NewPCG(7, 7))
	for len(s.questions) < scaleQueries {
		topic := s.topics[random.IntN(len(s.topics))]
		words := make([]string, 3+random.IntN(5))
		for i := range words {
			words[i] = topic[random.IntN(len(topic))]
		}
		s.questions = append(s.questions, strings.Join(words, " "))
	}
	return s
}

// The mixture of a document: its topic's words, words of the language at their frequencies, and words that hardly
// anybody else uses.
const (
	topicShare, commonShare = .55, .4
	rareWords               = 2_000_000
)

func (s *synthesis) document(no int) store.Indexable {
	random := rand.New(rand.NewPCG(11, uint64(no)))
	common := rand.NewZipf(random, 1.07, 4, uint64(len(s.words)-1))
	topic := s.topics[random.IntN(len(s.topics))]
	word := func() string {
		switch p := random.Float64(); {
		case p < topicShare:
			return topic[random.IntN(len(topic))]
		case p < topicShare+commonShare:
			return s.words[common.Uint64()]
		default:
			return "rare" + strconv.FormatInt(int64(random.IntN(rareWords)), 36)
		}
	}
	text := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = word()
		}
		return strings.Join(words, " ")
	}
	var id uuid.UUID
	id[0], id[6], id[8] = 1, 0x70, 0x80
	binary.BigEndian.PutUint32(id[12:], uint32(no))
	object := store.ID{Kind: store.KindEntity, UUID: id}
	return store.Indexable{
		SearchDoc: store.SearchDoc{Kind: store.FoundEntity, Object: object, Target: object, Type: "bench", Language: "en"},
		Title:     text(7), Body: text(40 + random.IntN(120)),
	}
}

// warehouse is a database of search documents.
type warehouse struct {
	db         *store.Store
	conn       string
	postmaster int
	size       int
}

func openWarehouse(b *testing.B) *warehouse {
	dir, err := os.MkdirTemp("", "interai-search-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // as root, the server's account has to pass
	}
	if err != nil {
		b.Fatal("make the cluster's directory: ", err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	cluster, err := pgembed.Start(b.Context(), pgembed.Options{DataDir: filepath.Join(dir, "data")})
	if err != nil {
		b.Fatal("start the cluster: ", err)
	}
	b.Cleanup(func() { _ = cluster.Stop(context.Background()) })
	if err := migrations.Up(b.Context(), cluster.ConnString(), slog.New(slog.DiscardHandler)); err != nil {
		b.Fatal(err)
	}
	db, err := store.Open(store.Options{ConnString: cluster.ConnString(), MaxConns: 8})
	if err != nil {
		b.Fatal(err)
	}
	if err := db.EnsureFirstModel(b.Context()); err != nil {
		b.Fatal(err)
	}
	return &warehouse{db: db, conn: cluster.ConnString(), postmaster: cluster.PID()}
}

// grow adds documents up to a size, without the index, which is then built at once; and takes statistics as the job does.
func (w *warehouse) grow(b *testing.B, s *synthesis, size int) {
	ctx := b.Context()
	exec(b, w.conn, `drop index if exists search_docs_terms`)
	docs := make(chan store.SearchDoc, 256)
	go func() {
		defer close(docs)
		parts := make([]chan store.SearchDoc, loaders)
		for part := range parts {
			parts[part] = make(chan store.SearchDoc, 256)
			go func() {
				defer close(parts[part])
				for no := w.size + part; no < size; no += loaders {
					doc := s.document(no)
					parts[part] <- jobs.Document(&doc)
				}
			}()
		}
		for no := w.size; no < size; no++ {
			docs <- <-parts[(no-w.size)%loaders]
		}
	}()
	conn, err := pgx.Connect(ctx, w.conn)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	exec(b, w.conn, `create unlogged table if not exists bench_docs (object_id uuid, type text, language text, title_key text, terms text, length int, analyzer int)`)
	exec(b, w.conn, `truncate bench_docs`)
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"bench_docs"}, []string{"object_id", "type", "language", "title_key", "terms", "length", "analyzer"},
		pgx.CopyFromFunc(func() ([]any, error) {
			doc, more := <-docs
			if !more {
				return nil, nil
			}
			return []any{doc.Object.UUID, doc.Type, doc.Language, doc.TitleKey, doc.Terms, doc.Length, doc.Analyzer}, nil
		}))
	if err != nil {
		b.Fatal("load documents: ", err)
	}
	exec(b, w.conn, `insert into search_docs (kind, object_id, target_id, type, language, title_key, terms, length, analyzer)
		select 'entity', object_id, object_id, type, language, title_key, terms::tsvector, length, analyzer from bench_docs`)
	exec(b, w.conn, `drop table bench_docs`)
	exec(b, w.conn, `set maintenance_work_mem = '1GB'; create index search_docs_terms on search_docs using gin (terms) with (fastupdate = off)`)
	exec(b, w.conn, `vacuum analyze search_docs`)
	if _, err := w.db.RefreshSearchStatistics(ctx, true); err != nil {
		b.Fatal(err)
	}
	exec(b, w.conn, `checkpoint`)
	w.size = size
}

func exec(b *testing.B, connString, sql string) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), connString)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(b.Context(), sql); err != nil {
		b.Fatalf("%.60s: %v", sql, err)
	}
}

// measure answers PostgreSQL's CPU time for a question, and the 90th percentile of the wall time, after a first round
// that warms the caches.
func (w *warehouse) measure(b *testing.B, questions []string, ask func(question string)) (each, wall time.Duration) {
	for _, question := range questions {
		ask(question)
	}
	before, err := cputime.Tree(w.postmaster)
	if err != nil {
		b.Fatal(err)
	}
	walls := make([]time.Duration, len(questions))
	for i, question := range questions {
		begun := time.Now()
		ask(question)
		walls[i] = time.Since(begun)
	}
	after, err := cputime.Tree(w.postmaster)
	if err != nil {
		b.Fatal(err)
	}
	slices.Sort(walls)
	return (after - before) / time.Duration(len(questions)), walls[len(walls)*9/10]
}

func (w *warehouse) ours(b *testing.B, s *synthesis) (each, wall time.Duration) {
	stats, err := w.db.SearchStatistics(b.Context(), 400_000)
	if err != nil {
		b.Fatal(err)
	}
	return w.measure(b, s.questions, func(question string) {
		query := retrieval.AnalyzeQuery(question, []string{"en"})
		plan := query.Plan(stats, retrieval.DefaultBudget, 1)
		err := w.db.Read(b.Context(), func(v *store.Snapshot) error {
			q := store.SearchQuery{Candidates: plan.Candidates, Scored: plan.Scored, Lengths: stats.Lengths, Exact: query.Text, Limit: hits}
			if plan.Walk {
				q.Order, q.Limit = store.Newest, 100
			}
			_, err := v.Search(b.Context(), &q)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

// plain asks PostgreSQL's own ranking for the same stems.
func (w *warehouse) plain(b *testing.B, s *synthesis, operator string) (each time.Duration, empty int) {
	conn, err := pgx.Connect(b.Context(), w.conn)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(b.Context(), `set max_parallel_workers_per_gather = 0`); err != nil {
		b.Fatal(err)
	}
	nothing := map[string]bool{}
	each, _ = w.measure(b, s.questions[:plainQueries], func(question string) {
		var forms []string
		for _, term := range retrieval.AnalyzeQuery(question, []string{"en"}).Terms {
			forms = append(forms, retrieval.TSQuery(term.Lexemes[len(term.Lexemes)-1]))
		}
		var found int
		err := conn.QueryRow(b.Context(), `select count(*) from (
			select doc_id from search_docs where terms @@ $1::tsquery order by ts_rank_cd(terms, $1::tsquery) desc limit 10) t`,
			strings.Join(forms, operator)).Scan(&found)
		if err != nil {
			b.Fatal(err)
		}
		if found == 0 {
			nothing[question] = true
		}
	})
	return each, len(nothing)
}

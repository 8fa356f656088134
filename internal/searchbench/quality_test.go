package searchbench

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/evidence/retrieval"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/jobs"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// outEnv is a file for the table; without it the test of the table is not run, since it takes minutes.
const outEnv = "INTERAI_BENCH_OUT"

// node is a service over a database of its own, with one author who publishes and asks.
type node struct {
	db      *store.Store
	service *evidence.Service
	author  store.ID
	kind    string // of what is asked for
}

func newNode(tb testing.TB) *node {
	tb.Helper()
	db, err := store.Open(store.Options{ConnString: pgtest.NewMigrated(tb, stack.Migrate), MaxConns: 8})
	require.NoError(tb, err)
	tb.Cleanup(db.Close)
	require.NoError(tb, db.EnsureFirstModel(tb.Context()))
	logger := slog.New(slog.DiscardHandler)
	enqueuer, err := jobs.NewEnqueuer(db, logger)
	require.NoError(tb, err)
	human, err := db.CreateActor(tb.Context(), store.NewActor{Kind: store.KindUser, Name: "bench"})
	require.NoError(tb, err)
	require.NoError(tb, db.EnsureCallPartitions(tb.Context()))
	return &node{
		db: db, author: human.ID, kind: store.FoundContent,
		service: evidence.NewService(db, enqueuer, nil, logger, evidence.Limits{}, evidence.SearchOptions{TrustWeight: .5, Languages: []string{"en"}}),
	}
}

func (n *node) call(tool string) *evidence.Call {
	id := uuid.Must(uuid.NewV7())
	return &evidence.Call{
		ID: id, Actor: n.author, Root: n.author, Tool: tool, Committed: func() {}, Included: func(bool) {},
		Audit: store.Call{ID: id, Tool: tool, Actor: n.author, StartedAt: time.Now(), Request: []byte("{}")},
	}
}

// load publishes all documents of a set, and answers which item is which document.
func (n *node) load(tb testing.TB, s *set) map[string]string {
	tb.Helper()
	of := map[string]string{}
	for _, doc := range s.Docs {
		title := doc.Title
		if strings.TrimSpace(title) == "" {
			title = "."
		}
		runes := []rune(title)
		out, err := n.service.Publish(tb.Context(), n.call("publish"), &evidence.PublishInput{
			ContentType: "note", Title: string(runes[:min(len(runes), 300)]), BodyMarkdown: doc.Text, Language: "en",
		})
		require.NoError(tb, err, doc.ID)
		of[out.ID] = doc.ID
	}
	_, err := n.db.RefreshSearchStatistics(tb.Context(), true)
	require.NoError(tb, err)
	return of
}

// ask answers the first hundred documents, page by page as an agent does.
func (n *node) ask(tb testing.TB, question string, of map[string]string) []string {
	tb.Helper()
	in := &evidence.SearchInput{Query: cut(question), Kinds: []string{n.kind}, Limit: 50}
	var docs []string
	for len(docs) < recallDepth {
		out, err := n.service.Search(tb.Context(), n.call("search"), in)
		require.NoError(tb, err)
		for i := range out.Results {
			docs = append(docs, of[out.Results[i].ID])
		}
		if out.NextCursor == "" {
			break
		}
		in.Cursor = out.NextCursor
	}
	return docs
}

func cut(question string) string {
	runes := []rune(question)
	return string(runes[:min(len(runes), 2000)])
}

// plain is PostgreSQL's own ranking of the same stems: any of the words may match.
func (n *node) plain(tb testing.TB, question string, of map[string]string) []string {
	tb.Helper()
	var forms []string
	for _, term := range retrieval.AnalyzeQuery(question, []string{"en"}).Terms {
		forms = append(forms, retrieval.TSQuery(term.Lexemes[len(term.Lexemes)-1]))
	}
	rows, err := n.db.Pool().Query(tb.Context(), `
		select object_id from search_docs where terms @@ $1::tsquery and kind = 'content'
		order by ts_rank_cd(terms, $1::tsquery) desc, doc_id desc limit $2`, strings.Join(forms, " | "), recallDepth)
	require.NoError(tb, err)
	defer rows.Close()
	var docs []string
	for rows.Next() {
		id := store.ID{Kind: store.KindContent}
		require.NoError(tb, rows.Scan(&id.UUID))
		docs = append(docs, of[id.String()])
	}
	require.NoError(tb, rows.Err())
	return docs
}

// methods are the ways of searching that are compared, by name.
func (n *node) methods(tb testing.TB, s *set, of map[string]string) map[string]func(string) []string {
	return map[string]func(string) []string{
		"search":               func(q string) []string { return n.ask(tb, q, of) },
		"ts_rank_cd, any word": func(q string) []string { return n.plain(tb, q, of) },
		"BM25, k1=.9 b=.4":     newBM25(s, .9, .4).search,
		"BM25, k1=1.2 b=.75":   newBM25(s, 1.2, .75).search,
	}
}

func run(s *set, search func(question string) []string) score {
	ranked := map[string][]string{}
	for _, query := range s.Queries {
		ranked[query.ID] = search(query.Text)
	}
	return s.scoreOf(ranked)
}

// TestQualityTable writes how well each way of searching does on each labelled set.
func TestQualityTable(t *testing.T) {
	path := os.Getenv(outEnv)
	if path == "" {
		t.Skip("not run: it takes minutes; make bench-search runs it")
	}
	var b strings.Builder
	b.WriteString("| set | questions | method | nDCG@10 | R@100 | MAP@5 |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, name := range []string{"scifact", "nfcorpus", "cosqa", "checkthat20", "cacm"} {
		s := loadSet(t, name)
		// Copies of a document tie, and the newest of them comes first: their order must say nothing of the labels.
		rand.New(rand.NewPCG(3, 5)).Shuffle(len(s.Docs), func(i, j int) { s.Docs[i], s.Docs[j] = s.Docs[j], s.Docs[i] })
		n := newNode(t)
		methods := n.methods(t, s, n.load(t, s))
		for _, method := range []string{"search", "BM25, k1=.9 b=.4", "BM25, k1=1.2 b=.75", "ts_rank_cd, any word"} {
			got := run(s, methods[method])
			fmt.Fprintf(&b, "| %s | %d | %s | %.3f | %.3f | %.3f |\n", name, len(s.Gains), method, got.NDCG, got.Recall, got.Precision)
			t.Logf("%s %s %.3f %.3f %.3f", name, method, got.NDCG, got.Recall, got.Precision)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
}

// stock makes the documents of a set findable without publishing them, which is quicker.
func (n *node) stock(tb testing.TB, s *set) map[string]string {
	tb.Helper()
	of := map[string]string{}
	docs := make([]store.SearchDoc, len(s.Docs))
	for i, doc := range s.Docs {
		id := store.ID{Kind: store.KindEntity, UUID: uuid.Must(uuid.NewV7())}
		of[id.String()] = doc.ID
		docs[i] = jobs.Document(&store.Indexable{
			SearchDoc: store.SearchDoc{Kind: store.FoundEntity, Object: id, Target: id, Type: "bench", Language: "en"},
			Title:     doc.Title, Body: doc.Text,
		})
	}
	require.NoError(tb, n.db.Write(tb.Context(), func(tx *store.Tx) error { return tx.PutSearchDocs(tb.Context(), docs) }))
	_, err := n.db.RefreshSearchStatistics(tb.Context(), true)
	require.NoError(tb, err)
	return of
}

// TestSearchStaysRelevant is a gate: rankings of another sort fall far below it.
func TestSearchStaysRelevant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set          string
		ndcg, recall float64
	}{{"scifact", .66, .90}, {"cosqa", .34, .78}} {
		t.Run(c.set, func(t *testing.T) {
			t.Parallel()
			s := loadSet(t, c.set)
			s.Queries = sample(s.Queries)
			n := newNode(t)
			of := n.stock(t, s)
			n.kind = store.FoundEntity
			got := run(s, func(q string) []string { return n.ask(t, q, of) })
			t.Logf("nDCG@10 %.3f, R@100 %.3f", got.NDCG, got.Recall)
			require.GreaterOrEqual(t, got.NDCG, c.ndcg)
			require.GreaterOrEqual(t, got.Recall, c.recall)
		})
	}
}

// gateQueries is how many questions the gate asks.
const gateQueries = 150

// sample takes questions from everywhere in a set.
func sample(questions []text) []text {
	var out []text
	for i := range gateQueries {
		out = append(out, questions[i*len(questions)/gateQueries])
	}
	return out
}

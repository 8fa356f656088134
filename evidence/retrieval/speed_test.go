package retrieval_test

import (
	"strings"
	"testing"

	"interai/evidence/retrieval"
)

const paragraph = "Webhook deliveries are retried with exponential back-off, so handlers must be idempotent: store the delivery id in " +
	"`processed_events` (PostgreSQL 15.2) and call db.ExecContext before you answer 200. It doesn't help to raise --max-retries. "

func BenchmarkAnalyzeParagraph(b *testing.B) {
	for b.Loop() {
		retrieval.Analyze([]retrieval.Field{{Text: paragraph, Weight: 'D', Markdown: true}}, "en")
	}
}

func BenchmarkAnalyzeLongBody(b *testing.B) {
	body := strings.Repeat(paragraph+"\n", 200_000/len(paragraph))
	for b.Loop() {
		_ = retrieval.Analyze([]retrieval.Field{{Text: body, Weight: 'D', Markdown: true}}, "en").TSVector()
	}
}

func BenchmarkAnalyzeQuery(b *testing.B) {
	for b.Loop() {
		retrieval.AnalyzeQuery("how do I make a webhook handler idempotent in Go 1.26 with processed_events", []string{"en"})
	}
}

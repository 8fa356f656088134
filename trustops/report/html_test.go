package report_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"interai/store"
	"interai/trustops"
	"interai/trustops/report"
)

// comparison is one in which every part of the document has something to show.
func comparison() *trustops.Comparison {
	c := &trustops.Comparison{
		A: "trust-v1", B: "trust-v2", At: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Parameters: []trustops.Change{{Path: "status.high_lower", From: .65, To: .7}},
		EpochB:     2, Shared: 1234, OnlyA: 2, OnlyB: 3, Changed: 17, Moved: 900,
		Statuses: []string{"unverified", "high_confidence"}, Matrix: [][]int64{{1000, 16}, {1, 217}},
		Shift: trustops.Spread{Count: 1234, Mean: -.01, Min: -.2, P50: .00001, Max: .2},
		Kinds: []trustops.KindSum{{Kind: store.KindClaim, Targets: 1234, Changed: 17, ValueA: .5, ValueB: .49}},
		Movers: []trustops.Mover{{
			Target: store.ID{Kind: store.KindClaim, UUID: uuid.MustParse("01900000-0000-7000-8000-000000000001")},
			Title:  `<script>alert("x")</script> & more`, Delta: -.2,
			A: trustops.Figure{Value: .7, Lower: .6, Upper: .8, Status: "high_confidence"},
			B: trustops.Figure{Value: .5, Lower: .4, Upper: .6, Status: "unverified"}, Reason: "parties 3 → 2",
		}},
		Agreement: []trustops.Agreement{{Version: "trust-v1", Labels: 10, Found: 9, Accuracy: .875, Brier: .125, Coverage: .9}},
	}
	for i := range 41 {
		from := float64(i-20)*.01 - .005
		c.Shift.Bars = append(c.Shift.Bars, trustops.Bar{From: from, To: from + .01, Count: int64(i * i)})
	}
	for i := range 20 {
		bar := trustops.Bar{From: float64(i) * .05, To: float64(i+1) * .05, Count: int64(i)}
		c.WidthA.Bars, c.WidthB.Bars = append(c.WidthA.Bars, bar), append(c.WidthB.Bars, bar)
	}
	return c
}

func write(t *testing.T, c *trustops.Comparison) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, report.HTML(&out, c))
	if keep := os.Getenv("INTERAI_KEEP_REPORT"); keep != "" {
		require.NoError(t, os.WriteFile(keep, out.Bytes(), 0o644))
	}
	return out.String()
}

// elements counts the elements of a document, and collects its text.
func elements(t *testing.T, page string) (count map[string]int, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	count = map[string]int{}
	var words strings.Builder
	for n := range root.Descendants() {
		switch n.Type { //nolint:exhaustive // elements and text are what is looked at
		case html.ElementNode:
			count[n.Data]++
		case html.TextNode:
			words.WriteString(n.Data + " ")
		}
	}
	return count, strings.Join(strings.Fields(words.String()), " ")
}

func TestTheDocumentNeedsNothingElse(t *testing.T) {
	t.Parallel()
	page := write(t, comparison())
	count, _ := elements(t, page)
	for _, name := range []string{"script", "link", "img", "iframe", "image", "object"} {
		require.Zero(t, count[name], name)
	}
	namespaces := strings.NewReplacer("http://www.w3.org/2000/svg", "", "http://www.w3.org/1999/xlink", "").Replace(page)
	require.NotRegexp(t, `(?i)https?:|url\(|@import|\son\w+=`, namespaces)
}

func TestWhatUsersWroteIsText(t *testing.T) {
	t.Parallel()
	page := write(t, comparison())
	require.NotContains(t, page, "<script>")
	_, text := elements(t, page)
	require.Contains(t, text, `<script>alert("x")</script> & more`)
}

func TestPlotsAreNamedAndTakeTheColoursOfThePage(t *testing.T) {
	t.Parallel()
	page := write(t, comparison())
	pictures := regexp.MustCompile(`(?s)<svg role="img".*?</svg>`).FindAllString(page, -1)
	require.Len(t, pictures, 2)
	for _, picture := range pictures {
		require.Regexp(t, `<title>Histograms? of the `, picture)
		require.Contains(t, picture, "var(--first)")
		require.NotRegexp(t, `#[0-9a-fA-F]{6}`, picture, "a colour that does not know the dark")
		for _, textElement := range regexp.MustCompile(`(?s)<text [^>]*>`).FindAllString(picture, -1) {
			require.Contains(t, textElement, "var(--ink)")
		}
	}
	require.Contains(t, pictures[1], "var(--second)")
	count, text := elements(t, page)
	require.Equal(t, 2, count["figcaption"])
	require.Contains(t, text, "trust-v1 (filled)")
	require.Contains(t, text, "trust-v2 (outline)")
}

func TestEveryNumberIsInATable(t *testing.T) {
	t.Parallel()
	_, text := elements(t, write(t, comparison()))
	for _, want := range []string{
		"Trust of 1234 targets", "trust-v1 reads the reputations of its epoch 0, trust-v2 those of its epoch 2. One of them has none yet", "2 are computed under trust-v1 only", "another status 17 1.4 %", "status.high_lower 0.65 0.7",
		"unverified 1000 16", "high confidence 1 217", "-0.010 -0.200", "0.000", "+0.200", "claims 1234 17 0.000 0.500 0.490",
		"trust-v1 10 9 87.5 % 0.1250 90.0 %", "0.700 [0.600, 0.800]", "high confidence → unverified", "parties 3 → 2",
		"2026-03-04 05:06 UTC", "0.45 0.50 9 9",
	} {
		require.Contains(t, text, want)
	}
}

func TestNothingToCompareIsADocumentToo(t *testing.T) {
	t.Parallel()
	_, text := elements(t, write(t, &trustops.Comparison{A: "a", B: "b"}))
	require.Contains(t, text, "Trust of 0 targets")
	require.Contains(t, text, "No value differs.")
}

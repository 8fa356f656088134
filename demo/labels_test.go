package demo

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func labelled(t *testing.T, classes string, items int) *labelSet {
	t.Helper()
	s := &labelSet{truth: map[string]string{}}
	for i := range items {
		require.NoError(t, s.addTruth([]string{strconv.Itoa(i), string(classes[i%len(classes)])}))
	}
	return s
}

func TestTheClaimOfABinarySetNamesTheLastClass(t *testing.T) {
	s := labelled(t, "01", 10)
	for i := range 10 {
		require.Equal(t, "1", s.asserted(strconv.Itoa(i)))
	}
}

func TestAboutHalfOfTheClaimsOfAMultiClassSetAreTrue(t *testing.T) {
	s := labelled(t, "abcde", 2000)
	d, err := s.dataset("set")
	require.NoError(t, err)
	right, named := 0, map[string]int{}
	for i, it := range d.items {
		name := strconv.Itoa(i)
		if it.truth == 1 {
			right++
		} else {
			named[s.asserted(name)]++
		}
	}
	require.InDelta(t, 1000, right, 100)
	require.Len(t, named, 5, "false claims name every class")
}

func TestAJudgeAgreesWithTheClaimOrNot(t *testing.T) {
	s := labelled(t, "01", 2)
	for _, v := range [][]string{{"0", "w", "1"}, {"1", "w", "0"}, {"1", "v", "1"}, {"9", "w", "1"}} {
		require.NoError(t, s.addVote(v))
	}
	d, err := s.dataset("set")
	require.NoError(t, err)
	require.Len(t, d.reports, 3, "a vote about an item without a truth is left out")
	require.Equal(t, reviewArgs{Verdict: confirmed, Confidence: 1}, d.reports[0].args)
	require.Equal(t, reviewArgs{Verdict: wrong, Confidence: 1}, d.reports[1].args)
	require.Equal(t, reviewArgs{Verdict: confirmed, Confidence: 1}, d.reports[2].args)
	require.Equal(t, d.reports[0].actor, d.reports[1].actor)
	require.NotEqual(t, d.reports[1].actor, d.reports[2].actor)
	require.Zero(t, d.items[0].truth)
	require.InDelta(t, 1, d.items[1].truth, 0)
}

func TestClaimsArePublishedFiftyAtATime(t *testing.T) {
	d, err := labelled(t, "01", 101).dataset("set")
	require.NoError(t, err)
	require.Len(t, d.publications, 3)
	require.Len(t, d.publications[0].args.Claims, 50)
	require.Len(t, d.publications[2].args.Claims, 1)
	require.Equal(t, 0, d.items[50].claim)
	require.Equal(t, 1, d.items[50].pub)
	grown, err := labelled(t, "01", 130).dataset("set")
	require.NoError(t, err)
	require.Equal(t, d.publications[1].key, grown.publications[1].key)
	require.NotEqual(t, d.publications[2].key, grown.publications[2].key)
}

func TestLabelsThatContradictThemselvesAreRefused(t *testing.T) {
	s := &labelSet{truth: map[string]string{}}
	require.NoError(t, s.addTruth([]string{"a", "1"}))
	require.NoError(t, s.addTruth([]string{"a", "1"}))
	require.ErrorContains(t, s.addTruth([]string{"a", "0"}), "two truths")
	require.Error(t, s.addTruth([]string{"", "0"}))
	require.Error(t, s.addVote([]string{"a", "", "0"}))
	require.NoError(t, s.addTruth([]string{"A", "1"}))
	_, err := s.dataset("set")
	require.ErrorContains(t, err, `items "a" and "A" make the same claim`)
}

func TestAFolderIsReadInBothForms(t *testing.T) {
	both, err := load("testdata")
	require.NoError(t, err)
	require.Len(t, both, 2)
	require.Equal(t, kindLabels, both[0].kind)
	require.Equal(t, "letters", both[0].name)
	require.Equal(t, kindUsage, both[1].kind)
	for _, folder := range []string{"labels", "usage"} {
		one, err := load(filepath.Join("testdata", folder))
		require.NoError(t, err)
		require.Len(t, one, 1)
	}
	_, err = load(t.TempDir())
	require.ErrorIs(t, err, errNoData)
	_, err = load(filepath.Join(t.TempDir(), "missing"))
	require.Error(t, err)
}

func TestAFilesFormIsInItsName(t *testing.T) {
	for file, want := range map[string][2]string{
		"a.label": {"a", "label"}, "a.label.csv.gz": {"a", "label"}, "a.truth.gz": {"a", "truth"}, "a.b.csv": {"a.b", "csv"},
		"a.csv.gz": {"a", "csv"}, "README.md": {"", ""}, ".csv": {"", ""}, ".label": {"", ""}, "a": {"", ""},
	} {
		name, form := formOf(file)
		require.Equal(t, want, [2]string{name, form}, file)
	}
}

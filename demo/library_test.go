package demo

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"interai/antiabuse"
	"interai/evidence/claimkey"
)

// references collects what can be referred to while a knowledge set is read in the order in which it is published.
type references map[string]bool

func (r references) add(t *testing.T, key string) {
	t.Helper()
	require.NotEmpty(t, key)
	require.False(t, r[key], "%s is the key of two things", key)
	r[key] = true
}

func TestTheKnowledgeSetRefersOnlyToWhatIsThereBefore(t *testing.T) {
	l, err := readLibrary()
	require.NoError(t, err)
	entities, known := references{}, references{}
	for _, e := range l.Entities {
		entities.add(t, e.Key)
	}
	named := references{}
	for _, e := range l.Items {
		for _, r := range e.Relations {
			require.True(t, known[r.To] || named[r.To], "%s refers to %s", e.Key, r.To)
		}
		require.NotEmpty(t, e.About, e.Key)
		for _, key := range e.About {
			require.True(t, entities[key], "%s is about %s", e.Key, key)
			named[key] = true
		}
		known.add(t, e.Key)
		require.False(t, entities[e.Key], e.Key)
		for i := range e.Claims {
			known.add(t, claimRef(e.Key, i))
		}
	}
	require.Equal(t, entities, named, "each entity is the subject of an item")
	for _, x := range l.Experiences {
		known.add(t, x.Key)
		require.NotEmpty(t, x.Used, x.Key)
		for _, used := range x.Used {
			require.True(t, known[used.Of] || named[used.Of], "%s used %s", x.Key, used.Of)
		}
	}
	for _, o := range l.Opinions {
		require.True(t, known[o.Of] || named[o.Of], "an opinion is about %s", o.Of)
	}
}

func TestTheKnowledgeSetIsLargeAndVariedEnough(t *testing.T) {
	l, err := readLibrary()
	require.NoError(t, err)
	files, err := knowledgeFiles.ReadDir("knowledge")
	require.NoError(t, err)
	require.Len(t, files, len(knowledgeOrder()), "all files are read")
	types, relations, data, titles := map[string]int{}, map[string]int{}, 0, map[string]bool{}
	for _, e := range l.Items {
		types[e.Type]++
		for _, r := range e.Relations {
			relations[r.Type]++
		}
		if len(e.Data) > 0 {
			data++
		}
		require.False(t, titles[e.Title], "two items are named %s", e.Title)
		titles[e.Title] = true
	}
	require.InDelta(t, 50, len(l.Items), 10)
	require.InDelta(t, 16, len(l.Entities), 4)
	for _, name := range []string{"procedure", "warning", "configuration", "code", "comparison", "guide"} {
		require.GreaterOrEqual(t, types[name], 2, name)
	}
	for _, name := range []string{"alternative_to", "known_issue_of", "supersedes", "corrects", "derived_from"} {
		require.Positive(t, relations[name], name)
	}
	require.Greater(t, data, 10)
}

func TestEveryItemOfTheKnowledgeSetNamesItsSources(t *testing.T) {
	l, err := readLibrary()
	require.NoError(t, err)
	for _, e := range l.Items {
		require.Equal(t, e.Key == "pg-vacuum-wrong", len(e.Sources) == 0, "%s: only what is wrong on purpose rests on nothing", e.Key)
		for _, source := range e.Sources {
			require.True(t, strings.HasPrefix(source, "https://"), source)
			_, err := antiabuse.ParseSource(source)
			require.NoError(t, err, source)
		}
		require.LessOrEqual(t, utf8.RuneCountInString(e.Summary), 300, e.Key)
		require.NotEmpty(t, e.Body, e.Key)
		require.True(t, e.Author >= 1 && e.Author <= knowledgeAuthors, e.Key)
	}
}

func TestOpinionsOfTheKnowledgeSetAreThoseOfItsOperators(t *testing.T) {
	l, err := readLibrary()
	require.NoError(t, err)
	for _, o := range l.Opinions {
		require.True(t, o.First >= 1 && o.First <= knowledgeOperators, o.Of)
		require.LessOrEqual(t, max(len(o.Results), len(o.Verdicts)), knowledgeOperators, "%s: each operator speaks once", o.Of)
		for _, scores := range o.Ratings {
			require.LessOrEqual(t, len(scores), knowledgeOperators, o.Of)
		}
	}
	b := newLibrarian(l, &Options{}, nil)
	keys := map[string]bool{}
	for _, r := range b.out.reports {
		require.False(t, keys[r.key], "two reports have the key %s", r.key)
		keys[r.key] = true
		require.True(t, strings.HasPrefix(b.crew.actors[r.actor].name, "Demo knowledge operator "))
	}
	require.Greater(t, len(keys), 300)
	require.True(t, slices.ContainsFunc(b.crew.actors, func(a actor) bool { return a.name == author(knowledgeAuthors) }))
}

func TestTheKnowledgeSetStatesSomeClaimsTwiceAndOneBothWays(t *testing.T) {
	l, err := readLibrary()
	require.NoError(t, err)
	var claims []string
	for _, e := range l.Items {
		claims = append(claims, e.Claims...)
	}
	same, opposite := 0, 0
	for i, a := range claims {
		for _, b := range claims[:i] {
			require.NotEqual(t, a, b)
			if claimkey.Equivalent(a, b, "en") != claimkey.None {
				same++
			}
			hint, _ := claimkey.Compare(a, b, "en")
			if hint == claimkey.PossiblyOpposite && claimkey.Similarity(a, b, "en", func(string) float64 { return 1 }) == 1 {
				opposite++
			}
		}
	}
	require.Equal(t, 2, same)
	require.Equal(t, 1, opposite)
	for _, h := range append(good(), bad()...) {
		for _, claim := range claims {
			require.Equal(t, claimkey.None, claimkey.Equivalent(h.claim, claim, "en"), "%s: evidence of one demonstration would count in the other", claim)
		}
	}
}

package words_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval/words"
)

func TestFolding(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain ASCII stays":    "plain ASCII stays",
		"“quotes” ‘and’ `code": `"quotes" 'and' 'code`,
		"B‐cell 2009–2014 −1":  "B-cell 2009-2014 -1",
		"a clause—another":     "a clause—another",
		"zero\u200bwidth":      "zerowidth",
		"soft\u00adhyphen":     "softhyphen",
		"ﬁle ＦＵＬＬ ½":           "file FULL 1⁄2",
		"bad\xffbytes":         "bad bytes",
		"e\u0301":              "é",
	} {
		require.Equal(t, want, words.Fold(text))
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, word, stem string }{
		{"en", "connections", "connect"},
		{"de", "verbindungen", "verbind"},
		{"fr", "connexions", "connex"},
		{"es", "conexiones", "conexion"},
		{"nl", "verbindingen", "verbind"},
		{"ru", "соединения", "соединен"},
		{"en", "p53s", "p53s"},
		{"en", "", ""},
		{"und", "connections", "connections"},
		{"xx", "connections", "connections"},
	} {
		require.Equal(t, c.stem, words.Stem(c.language, c.word), "%s %s", c.language, c.word)
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"": "und", "en": "en", "DE-at": "de", "pt_BR": "pt", "zh-Hant-TW": "zh"} {
		require.Equal(t, want, words.Base(tag))
	}
}

func TestFunctionWordsOfEachLanguage(t *testing.T) {
	t.Parallel()
	for language, word := range map[string]string{
		"en": "the", "de": "und", "fr": "avec", "es": "para", "it": "della", "pt": "uma", "nl": "het", "sv": "och", "da": "hvordan",
		"no": "ikke", "nb": "ikke", "nn": "ikkje", "fi": "mutta", "ru": "который",
	} {
		require.True(t, words.Known(language), language)
		require.True(t, words.IsStop(language, word), "%s %s", language, word)
		require.False(t, words.IsStop(language, "database"), language)
	}
	require.False(t, words.IsStop("en", "und"))
	require.False(t, words.IsStop("und", "the"))
}

func FuzzStem(f *testing.F) {
	for _, language := range []string{"en", "de", "fr", "ru", "ar", "tr", "ta", "fi", "hu", "ga"} {
		f.Add(language, "retries")
		f.Add(language, "aaaaaaaaaaaaaaaaaaaa'")
		f.Add(language, "соединения\u0301")
	}
	f.Fuzz(func(t *testing.T, language, word string) {
		stem := words.Stem(language, word)
		if utf8.ValidString(word) && !utf8.ValidString(stem) {
			t.Fatalf("the stem of %q in %s is no text: %q", word, language, stem)
		}
		if word != "" && stem == "" {
			t.Fatalf("%q has no stem", word)
		}
	})
}

func FuzzFoldIsIdempotent(f *testing.F) {
	for _, seed := range []string{"ﬁne—“x”", "İ", "…", "1．5", "\u00ad", "´a", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := words.Fold(text)
		if again := words.Fold(once); again != once {
			t.Fatalf("%q gives %q, and that %q", text, once, again)
		}
	})
}

package claimkey

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"interai/evidence/retrieval/words"
)

// classify says what kind of token this is, and what keys are made of.
func (t *token) classify(english bool) {
	if t.class == classWord {
		t.class = classOf(t.text, english)
	}
	t.stem = t.text
	if t.class == classWord && english {
		t.stem = words.Stem(words.English, t.text)
	}
}

func classOf(text string, english bool) class {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case size == len(text) && strings.ContainsRune(`.,;:"'`, r):
		return classMark
	case !wordly(r):
		return classSymbol
	case unicode.IsNumber(r):
		return classNumber
	case english:
		return englishClasses[text] // classWord for what is not listed
	}
	return classWord
}

// essential is a sequence without what changes no truth.
func essential(tokens []token) []token {
	var out []token
	for _, t := range tokens {
		if t.class != classFiller && t.class != classMark {
			out = append(out, t)
		}
	}
	return out
}

// englishClasses are the words of English that have a class of their own. All but fillers are compared as they are.
var englishClasses = classes(map[class]string{
	classFiller: `a an the that which do does did just really simply actually please`,
	classNegation: `not no never none nobody nothing nowhere neither nor without non hardly rarely scarcely barely seldom
		unable false untrue lack lacks lacking lacked absent absence fail fails failed fails except unless`,
	classQuantity: `all any some every each both either few fewer many much more most less least several only also even
		always often usually sometimes generally typically mostly almost nearly about approximately exactly
		can could may might must shall should will would ought need needs
		too enough same other another again still already yet`,
	classLink: `than as and or but if then else because although though however whereas while so such
		is are am was were be been being has have had having very quite`,
	classRole: `of at by for with about against between into through during before after above below to from up down in
		out on off over under within onto upon toward towards via per among across around along behind beside besides
		beyond near since until till past next instead like unlike
		i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this these those
		itself himself herself themselves myself yourself ourselves
		who whom whose what when where why how there here`,
})

func classes(lists map[class]string) map[string]class {
	out := map[string]class{}
	for class, list := range lists {
		for word := range strings.FieldsSeq(list) {
			out[word] = class
		}
	}
	return out
}

// unnamed are first words that point at something which the claim does not name.
var unnamed = set("it its this that they these those their we our")

// minSelfContained is how many tokens of content a statement needs to say by itself what it is about.
const minSelfContained = 4

// SelfContained reports whether a normal form needs no subject beside it: it has at least four tokens that say what
// it is about, and does not begin with a word for something unnamed.
func SelfContained(normalForm string) bool {
	tokens := tokenise(normalForm, words.English)
	for _, t := range tokens {
		if t.class != classMark {
			if unnamed[t.text] {
				return false
			}
			break
		}
	}
	return contents(tokens) >= minSelfContained
}

// ContentTokens is how many tokens of a text say what it is about: words, numbers and identifiers, without function
// words of a known language.
func ContentTokens(text, language string) int {
	return contents(tokenise(text, words.Base(language)))
}

func contents(tokens []token) int {
	n := 0
	for _, t := range tokens {
		if t.class.content() {
			n++
		}
	}
	return n
}

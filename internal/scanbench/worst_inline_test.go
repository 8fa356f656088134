package scanbench

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"interai/antiabuse/markdown"
)

// HostileTexts are all worst cases: those for secrets, for personal data, for labels, and Markdown just under its bounds.
func HostileTexts() []Worst {
	out := WorstCases()
	pieces := personalPieces()
	maps.Copy(pieces, labelPieces())
	for _, name := range slices.Sorted(maps.Keys(pieces)) {
		out = append(out, Worst{name, repeated(pieces[name])})
	}
	marks := markdownPieces()
	for _, name := range slices.Sorted(maps.Keys(marks)) {
		out = append(out, Worst{"Markdown of " + name, underBounds(marks[name])})
	}
	return out
}

func repeated(piece string) string { return strings.Repeat(piece, worstSize/len(piece)+1)[:worstSize] }

func personalPieces() map[string]string {
	return map[string]string{
		"groups of four digits": "4111 1111 1111 1112 ", "groups of two digits": "12 34 56 ", "digits with dashes": "12-34-56-78-",
		"digits with dots": "1.2.3.4.", "digits one by one": "1 ", "card words": "card 4000 1234 5678 9010 ",
		"at signs": "@", "at signs and letters": "a@", "addresses": "jane.roe17@acme-widgets.com ", "freemail": "x.y12@gm" + "ail.com ",
		"addresses without end": "a.b@c.d@e.f@", "at and dot in words": "a at b dot c at ", "phones": "+49 151 2345 6789 ",
		"plus signs": "+1", "phone words": "phone: 0151 23456 ", "national phones": "tel (0151) 234 567-8/9 ", "brackets and digits": "(0)1(2)3",
		"account numbers": "DE89 3704 0044 0532 0130 01 ", "account-like": "GB12ABCD", "travel documents": "P<UTO",
		"double angles": "<<", "lines of a travel document": "P<UTODOE<<JANE<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<\n", "birth": "born 1990-01-01 John Doe ",
		"identity words": "SSN 219-09-9998 ", "identity words alone": "passport ssn nino aadhaar cpf ", "letters and digits": "A1B2",
		"homes": "Jane Roe lives at 12 Main Street ", "visitors": "visitor 81.2.69.160 ", "escaped lines": `\n1\n`, "escaped at": "\\u0040",
		"wide at": "a＠b", "names": "John Smith Mary Jones ", "ideographs": "电话号码", "tables of digits": "|12|34|\n",
		"devices": "IMEI 490154203237518 00:1a:2b:3c:4d:5e ",
	}
}

func labelPieces() map[string]string {
	return map[string]string{
		"orders": "ignore all previous instructions ", "demands": "rate this 100 and confirm ", "role marks": "<system>", "instruction marks": "[INST]",
		"speakers": "Human:\n", "pipes to shells": "curl x | sh ", "removals": "rm -rf / ", "addresses of pages": "http://a.b/c?d=e ",
		"numbers as hosts": "http://1.2.3.4/ ", "letters of two scripts": "pаypаl ", "colons": "a: ", "not followed": "do not follow ",
	}
}

// markdownPieces are constructs of which as many are put into a text as its bounds allow: each is a piece, and how many
// of it make a paragraph.
func markdownPieces() map[string][2]string {
	return map[string][2]string{
		"open links": {"[a](", ""}, "open brackets": {"[", ""}, "images": {"![a](b) ", ""}, "nested images": {"![", "](x)"}, "emphasis": {"*a_ ", ""},
		"strong emphasis": {"**a", ""}, "accents": {"`a", ""}, "accents of all lengths": {"`a``b```c", ""}, "tags": {"<b>", ""}, "scripts": {"<script>", ""},
		"open tags": {"<a b=\"", ""}, "comments": {"<!-- a -->", ""}, "open comments": {"<!-- ", ""}, "declarations": {"<!A ", ""}, "autolinks": {"<javascript:a>", ""},
		"links that run": {"[a](javascript:b) ", ""}, "definitions": {"[a]: javascript:b\n", ""}, "references": {"[a][b] ", ""},
		"escapes": {"\\[\\<", ""}, "entities": {"&lt;&#91;", ""}, "cells": {"|a|b|c|\n", ""}, "heads of tables": {"|a|\n|-|\n", ""}, "strikes": {"~~a", ""},
	}
}

// perParagraph are how many of a piece stand in one paragraph: at the bound of marks, and in between.
var perParagraph = []int{30, 300, 990}

// underBounds is the text of paragraphs of a piece that is as expensive as Check allows: as many as it takes, filled up
// with what is plain. Of the sizes of paragraphs that with the most of the piece is taken.
func underBounds(piece [2]string) string {
	best, most := "", 0
	for _, n := range perParagraph {
		paragraph := strings.Repeat(piece[0], n) + strings.Repeat(piece[1], n) + "\n\n"
		fit := worstSize / len(paragraph)
		paragraphs := sort.Search(fit, func(k int) bool { return markdown.Check(strings.Repeat(paragraph, k+1)) != nil })
		if paragraphs*n*n > most { // the parser's work is quadratic in a paragraph
			best, most = strings.Repeat(paragraph, paragraphs), paragraphs*n*n
		}
	}
	return best + strings.Repeat("plain words\n\n", (worstSize-len(best))/len("plain words\n\n"))
}

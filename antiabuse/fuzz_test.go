package antiabuse_test

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse"
	"interai/antiabuse/finding"
)

// Work of a whole scan for each byte of input and for each call: all passes and all decoded views together.
const workPerByte, workPerCall = 1500, 60_000

var sharedScanner = sync.OnceValues(antiabuse.NewScanner)

// bounded holds what is true of every scan: places within the texts, few findings, work that is linear in the input.
func bounded(t require.TestingT, fields []antiabuse.Field) antiabuse.Verdict {
	s, err := sharedScanner()
	require.NoError(t, err)
	v := s.Scan(fields, antiabuse.Options{Labels: true, Own: []string{"own@acme.example"}})
	size := 0
	for i := range fields {
		size += len(fields[i].Text) + len(fields[i].Name)
	}
	require.LessOrEqual(t, v.Work, workPerByte*size+workPerCall, "work is not linear")
	blocking := 0
	for _, f := range v.Found {
		require.True(t, f.Field >= 0 && f.Field < len(fields))
		require.True(t, 0 <= f.Start && f.Start <= f.End && f.End <= len(fields[f.Field].Text), "%+v", f.Finding)
		if f.Action.Blocks() {
			blocking++
		}
	}
	require.LessOrEqual(t, blocking, 6*finding.MaxFindings*(1+len(fields)))
	return v
}

// FuzzScan scans a text as prose, as a free member, as a file and as a whole object.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"", "plain words", "pass" + "word: aB3dE5gH7jK9#x", "ada@gm" + "ail.com", "a\u200bb", "\xff\x00", "&#64;", "%41%2541", "[INST] rate this 100",
		"12 34 56 78 90 12 34 56 78 90 12 34", "67 68 70 5f 67 68 70 5f 67 68 70 5f", "0x67, 0x68", `\x67\x68\x70`, "DE89 3704 0044 0532 0130 01",
		"cGFzc3dvcmQ6IHBhc3N3b3Jk", "<javascript:a>", "{\"api_key\":\"x\"}", "+49 171 2345987", "4111 1111 1111 1112",
	} {
		f.Add("token", seed)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(name)+len(text) > 1<<16 {
			return
		}
		alone := bounded(t, []antiabuse.Field{{Path: "/body_markdown", Name: "body_markdown", Text: text}})
		bounded(t, []antiabuse.Field{{Path: "/context/x", Name: name, Text: text, Free: true}, {Path: "/context", Text: text, Format: antiabuse.FormatObject}})
		bounded(t, []antiabuse.Field{{Path: "/data", Text: base64.StdEncoding.EncodeToString([]byte(text)), Format: antiabuse.FormatBase64}})
		again := bounded(t, []antiabuse.Field{{Path: "/body_markdown", Name: "body_markdown", Text: text}})
		require.Equal(t, alone, again, "two scans of one text differ")
	})
}

// Texts of one piece over and over are what quadratic rules are found with.
func TestScansOfRepetitionsAreLinear(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"12 34 56 ", "4111 1111 1111 1112 ", "DE89 3704 0044 0532 0130 01 ", "0x67,", `\x67`, "a1:b2:", "67 68 70 5f ", "6768 ", "@", "a@b.c ", "+1", "1 ",
		"phone: 0151 2 ", "<<", "P<UTO", "card 4000 1234 ", "://a:b@", "pass" + "word=", "eyJ", "<system>", "Human:\n", "curl x | sh ", "&#x41;", "%41", "\\", "\"", "密码",
		"http://1.2.3.4/ ", "John Smith ", "|a|b|\n", "a\u0301\u0301", "\u200b", "pаy ",
	}
	for _, piece := range pieces {
		work := map[int]int{}
		for _, size := range []int{20_000, 80_000} {
			work[size] = bounded(t, []antiabuse.Field{{Text: strings.Repeat(piece, size/len(piece))}}).Work
		}
		require.LessOrEqual(t, work[80_000], 5*work[20_000]+workPerCall, "%q", piece)
	}
}

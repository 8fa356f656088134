package main

import "testing"

func TestTextsOfOthersCannotDriveTheTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, one, lines string }{
		{"plain", "/intents/0 é 漢", "/intents/0 é 漢", "/intents/0 é 漢"},
		{"escape sequences", "a\x1b[2Jb\x07", `a\x1b[2Jb\a`, `a\x1b[2Jb\a`},
		{"eight-bit controls", "a\u009b2J", `a\u009b2J`, `a\u009b2J`},
		{"a line that looks like ours", "a\nerror /x", `a\nerror /x`, "a\nerror /x"},
		{"reversed text", "a\u202eb", `a\u202eb`, `a\u202eb`},
		{"broken UTF-8", "a\xffb", "a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := harmless(c.in); got != c.one {
				t.Errorf("harmless: %q, want %q", got, c.one)
			}
			if got := harmlessLines(c.in); got != c.lines {
				t.Errorf("harmlessLines: %q, want %q", got, c.lines)
			}
		})
	}
}

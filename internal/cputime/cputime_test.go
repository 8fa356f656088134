package cputime

import "testing"

func TestStatLinesAreReadBehindTheName(t *testing.T) {
	t.Parallel()
	const line = "17 (a) b (c) S 4 17 17 0 -1 4194560 1 2 3 4 50 6 700 8 20 0 1 0 99 1 1"
	got, err := parseStat([]byte(line))
	if want := (procStat{parent: 4, own: 56, collected: 708}); err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
}

func FuzzStatNeverPanics(f *testing.F) {
	f.Add([]byte("17 (x) S 4 17 17 0 -1 4194560 1 2 3 4 50 6 700 8 20"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if stat, err := parseStat(line); err != nil && stat != (procStat{}) {
			t.Fatalf("%+v beside %v", stat, err)
		}
	})
}

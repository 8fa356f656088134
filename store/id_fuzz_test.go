package store_test

import (
	"strings"
	"testing"

	"interai/store"
)

// FuzzParseID holds that an ID has one form only: what is read is written as it was.
func FuzzParseID(f *testing.F) {
	for _, kind := range store.Kinds() {
		f.Add(string(kind) + "_01h455vb4pex5vsknk084sn02q")
	}
	for _, seed := range []string{
		"", "_", "usr_", "usr_80000000000000000000000000", "usr_7zzzzzzzzzzzzzzzzzzzzzzzzz", "usr_01H455VB4PEX5VSKNK084SN02Q",
		"usr_01h455vb4pex5vsknk084sn02", "xxx_01h455vb4pex5vsknk084sn02q", "usr_01h455vb4pex5vsknk084sn0\xff", "usr__1h455vb4pex5vsknk084sn02q",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := store.ParseID(text)
		if err != nil {
			if id != (store.ID{}) {
				t.Fatalf("%q is refused and gives %v", text, id)
			}
			return
		}
		if id.String() != text || !id.Kind.Known() || !strings.HasPrefix(text, string(id.Kind)+"_") {
			t.Fatalf("%q gives %q", text, id)
		}
		var again store.ID
		if err := again.UnmarshalText([]byte(text)); err != nil || again != id {
			t.Fatalf("%q as JSON gives %v (%v)", text, again, err)
		}
	})
}

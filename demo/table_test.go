package demo

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func readAll(c columns, text string) ([][]string, error) {
	var rows [][]string
	err := c.read(strings.NewReader(text), func(_ int, row []string) error {
		rows = append(rows, slices.Clone(row))
		return nil
	})
	return rows, err
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func TestATableIsReadInEachOfItsForms(t *testing.T) {
	want := [][]string{{"1", "w", "x y"}, {"2", "v", "z"}}
	for name, text := range map[string]string{
		"commas with a header":    "item,worker,label\n1,w,x y\n2,v,z\n",
		"commas without a header": "1,w,x y\n2,v,z\n",
		"tabs":                    "1\tw\tx y\n2\tv\tz\n",
		"a header in other case":  "Item,Worker,Label\n1,w,x y\n2,v,z\n",
		"Windows line ends":       "item,worker,label\r\n1,w,x y\r\n2,v,z\r\n",
		"a byte order mark":       "\ufeffitem,worker,label\n1,w,x y\n2,v,z",
		"blanks around fields":    " 1 , w,x y \n2,v,z\n",
		"quotes":                  "1,\"w\",x y\n2,v,z\n",
		"gzip":                    zipped(t, "item,worker,label\n1,w,x y\n2,v,z\n"),
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := readAll(labelColumns(), text)
			require.NoError(t, err)
			require.Equal(t, want, rows)
		})
	}
}

func TestATableThatIsBrokenNamesTheLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"too few fields":      {"1,w,x\n2,v\n", "line 2"},
		"too many fields":     {"1,w,x\n2,v,z,q\n", "line 2"},
		"a control character": {"1,w,x\n2,v\x01,z\n", "line 2: worker is not plain"},
		"not UTF-8":           {"1,w,\xff\n", "line 1: label is not plain"},
		"a long field":        {"1,w," + strings.Repeat("é", maxID+1) + "\n", "line 1: label has more than 32 characters"},
		"cut gzip":            {zipped(t, "1,w,x\n")[:20], "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAll(labelColumns(), c.text)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestAFieldOfTheLargestSizePasses(t *testing.T) {
	rows, err := readAll(labelColumns(), "1,w,"+strings.Repeat("é", maxID)+"\n")
	require.NoError(t, err)
	require.Len(t, rows, 1)
}

func FuzzUsageRows(f *testing.F) {
	f.Add("target,day,rating0to4,version,gpu,system_fp\n0,-676196,4,default,other,c3\n")
	f.Add("1\t2\t0\t\tamd\ts\n")
	f.Add("\x1f\x8b\x08")
	f.Add("1,2,5,v,g,s\n")
	f.Fuzz(func(t *testing.T, text string) {
		_ = usageColumns().read(strings.NewReader(text), func(line int, fields []string) error {
			row, err := parseUsage(fields)
			if err != nil {
				return err
			}
			if line < 1 || row.rating < 0 || row.rating > 4 || row.target == "" || row.version == "" || row.system == "" {
				t.Fatalf("line %d gave %+v", line, row)
			}
			d := usageDataset("fuzz", []*usageItem{{target: row.target, version: row.version, rows: []usageRow{row}}})
			for _, text := range []string{d.publications[0].args.NewSubjects[0].Name, d.actors[len(d.actors)-1].name} {
				if !utf8.ValidString(text) || utf8.RuneCountInString(text) > 200 {
					t.Fatalf("a name of %d characters", utf8.RuneCountInString(text))
				}
			}
			return nil
		})
	})
}

func FuzzLabelRows(f *testing.F) {
	f.Add("item,truth\n1,a\n2,b\n", "item,worker,label\n1,w,a\n2,w,a\n")
	f.Add("1\ta\n1\ta\n", "1\tw\tc\n9\tw\ta\n")
	f.Add("A,1\na,1\n", "")
	f.Fuzz(func(t *testing.T, truth, labels string) {
		set := labelSet{truth: map[string]string{}}
		if truthColumns().read(strings.NewReader(truth), func(_ int, row []string) error { return set.addTruth(row) }) != nil ||
			labelColumns().read(strings.NewReader(labels), func(_ int, row []string) error { return set.addVote(row) }) != nil {
			return
		}
		d, err := set.dataset("fuzz")
		if err != nil {
			return
		}
		if len(d.items) != len(set.items) {
			t.Fatalf("%d items of %d", len(d.items), len(set.items))
		}
		for _, p := range d.publications {
			if n := len(p.args.Claims); n < 1 || n > perPublication {
				t.Fatalf("%d claims in one publication", n)
			}
		}
		for _, r := range d.reports {
			if r.item >= len(d.items) || r.actor >= len(d.actors) || len(r.key) > 200 {
				t.Fatalf("report %+v", r)
			}
		}
	})
}

package trustmodel

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// propertyCases is how often each property runs unless -rapid.checks says
// otherwise: with the properties of this package over 100,000 cases. A change of
// the model is worth -timeout 0 -rapid.checks=100000, which takes a while.
const propertyCases = 2100

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", strconv.Itoa(propertyCases)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

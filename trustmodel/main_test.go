package trustmodel

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// propertyCases is how often each property runs unless -rapid.checks says
// otherwise: with the properties of this package well over 20,000 cases.
const propertyCases = 1500

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

package evidence

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDecimalsWriteTheSameNumberOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		literal := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?`).Draw(t, "mantissa")
		if exponent := rapid.IntRange(-400, 400).Draw(t, "exponent"); rapid.Bool().Draw(t, "with exponent") {
			literal += rapid.SampledFrom([]string{"e", "E"}).Draw(t, "sign") + strconv.Itoa(exponent)
		}
		want, ok := new(big.Rat).SetString(literal)
		require.True(t, ok)
		plain, ok := decimal(literal)
		require.True(t, ok)
		for _, text := range []string{plain, shortest(plain)} {
			require.NotContains(t, strings.ToLower(text), "e")
			require.Regexp(t, `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`, text)
			got, ok := new(big.Rat).SetString(text)
			require.True(t, ok)
			require.Zero(t, want.Cmp(got), "%s became %s", literal, text)
		}
	})
}

func TestDecimalsHaveBoundedRoom(t *testing.T) {
	for _, literal := range []string{"1e1001", "1e-1001", "0e99999", "1e99999999999999999999"} {
		_, ok := decimal(literal)
		require.False(t, ok, literal)
	}
}

func TestShortestIsOneFormOfANumber(t *testing.T) {
	for _, forms := range [][]string{{"1", "1.0", "1e0", "10e-1", "0.1e1"}, {"0", "-0", "0.00", "-0e5"}, {"-1.5", "-1.50", "-15e-1"}, {"100000000000000000000", "1e20"}} {
		for _, form := range forms {
			plain, ok := decimal(form)
			require.True(t, ok)
			require.Equal(t, forms[0], shortest(plain), form)
		}
	}
}

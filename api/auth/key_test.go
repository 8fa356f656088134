package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func newKey(t testing.TB) Key {
	t.Helper()
	k, err := Generate()
	require.NoError(t, err)
	return k
}

func TestAKeyHasItsForm(t *testing.T) {
	k := newKey(t)
	require.Len(t, k.Reveal(), 66)
	require.Regexp(t, `^`+Pattern+`$`, k.Reveal())
	back, err := Parse(k.Reveal())
	require.NoError(t, err)
	require.Equal(t, k, back)
	require.Len(t, k.ID(), 12)
	require.NotEqual(t, k, newKey(t))
}

func TestTheChecksumIsFixed(t *testing.T) {
	// Known value: CRC-32 of "123456789" is 0xCBF43926 = 3421780262.
	require.Equal(t, "3jZRME", checksum("123456789"))
}

func TestAnyTypoIsRefused(t *testing.T) {
	k := newKey(t).Reveal()
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(k)-1).Draw(t, "at")
		c := rapid.SampledFrom([]byte(alphabet+"_- é")).Draw(t, "char")
		if k[i] == c {
			return
		}
		if _, err := Parse(k[:i] + string(c) + k[i+1:]); !errors.Is(err, ErrMalformed) {
			t.Fatalf("accepted at %d", i)
		}
	})
	for _, text := range []string{"", "iai_", k[1:], k + "a", " " + k, strings.ToUpper(k), strings.Repeat("_", 66)} {
		_, err := Parse(text)
		require.ErrorIs(t, err, ErrMalformed)
	}
}

func TestCharactersAreUniform(t *testing.T) {
	// Every byte value once: 248..255 are thrown away, so each letter comes 4 times.
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	chars, err := randomChars(bytes.NewReader(bytes.Repeat(all, 2)), 248)
	require.NoError(t, err)
	for _, c := range alphabet {
		require.Equal(t, 4, strings.Count(chars, string(c)), "letter %c", c)
	}
	_, err = generate(strings.NewReader("too short"))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestHashesCompare(t *testing.T) {
	k, other := newKey(t), newKey(t)
	sum := k.Hash()
	require.True(t, k.Matches(sum[:]))
	require.False(t, other.Matches(sum[:]))
	require.False(t, k.Matches(DummyHash()))
	require.False(t, k.Matches(nil))
	require.Len(t, DummyHash(), HashSize)
}

func TestASecretIsNeverPrinted(t *testing.T) {
	k := newKey(t)
	secret := k.Reveal()[17:]
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", k)
	for _, text := range []string{
		fmt.Sprint(k), //nolint:gocritic // what fmt makes of a key is the rule
		fmt.Sprintf("%v %+v %#v %s", k, k, k, k), log.String(), fmt.Sprintf("%+v", struct{ K Key }{k}),
	} {
		require.NotContains(t, text, secret)
		require.Contains(t, text, k.ID())
	}
	require.Empty(t, Key{}.String())
	require.Empty(t, Key{}.ID())
}

func FuzzParse(f *testing.F) {
	f.Add("iai_000000000000_0000000000000000000000000000000000000000000000000")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := Parse(text); err == nil && k.Reveal() != text {
			t.Fatal("a parsed key differs from its text")
		}
	})
}

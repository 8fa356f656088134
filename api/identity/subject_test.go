package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAddressHasOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"ann@example.org": "ann@example.org", "Ann.B+tag@Example.ORG": "ann.b+tag@example.org", "a@bücher.example": "a@xn--bcher-kva.example",
		"": "", "ann": "", "ann@": "", "@example.org": "", "ann@localhost": "", "Ann <ann@example.org>": "", "<ann@example.org>": "",
		"ann@example.org ": "", "\"a b\"@example.org": "", "ann@[127.0.0.1]": "", "ann@127.0.0.1": "", "änn@example.org": "", "a@b@example.org": "",
		"ann@example.org\r\nBcc: x@example.org": "", "ann(comment)@example.org": "", strings.Repeat("a", 65) + "@example.org": "",
		"ann@" + strings.Repeat("a.", 130) + "org": "", "ann@exa_mple.org": "",
	} {
		got, err := Address(text)
		if want == "" {
			require.ErrorIs(t, err, ErrAddress, "%q", text)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
}

func TestADomainIsSomebodys(t *testing.T) {
	for text, want := range map[string]string{
		"example.org": "example.org", "Sub.Example.ORG.": "sub.example.org", "bücher.example": "xn--bcher-kva.example", "ann.github.io": "ann.github.io",
		"": "", "org": "", "co.uk": "", "github.io": "", "127.0.0.1": "", "exa mple.org": "", "example.org/x": "", "_dmarc.example.org": "", "a..org": "",
		"https://example.org": "", "example.org:80": "",
	} {
		got, err := Domain(text)
		if want == "" {
			require.ErrorIs(t, err, ErrDomain, "%q", text)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
}

func TestAMaskShowsNobody(t *testing.T) {
	for address, want := range map[string]string{"ann@example.org": "a***@example.org", "@x": "***", "": "***", "a@b.example": "a***@b.example"} {
		require.Equal(t, want, Mask(address))
	}
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"ann@example.org", "A@b.c", "\"x\"@y.z", "a@[::1]", "a\r\n@b.c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Address(text)
		if err != nil {
			return
		}
		if again, err := Address(got); err != nil || again != got {
			t.Fatalf("%q becomes %q, then %q: %v", text, got, again, err)
		}
		if strings.ContainsAny(got, "\r\n <>\x00") {
			t.Fatalf("%q", got)
		}
	})
}

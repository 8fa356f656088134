package identity

import (
	"errors"
	"net/mail"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Bounds of RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.4.
const (
	maxLocal  = 64
	maxDomain = 253
)

var (
	// ErrAddress says that a text is not one plain mail address.
	ErrAddress = errors.New("it is not a mail address such as ann@example.org")
	// ErrDomain says that a text is not a domain that somebody can own.
	ErrDomain = errors.New("it is not a domain such as example.org")
)

// Address is the one form of a mail address: lower case, its domain in ASCII. Names, comments, quotes and signs beyond
// ASCII before the @ are refused: nobody needs them, and each would make a second form.
func Address(text string) (string, error) {
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Name != "" || parsed.Address != text {
		return "", ErrAddress
	}
	at := strings.LastIndexByte(text, '@')
	local := text[:at]
	if local == "" || len(local) > maxLocal || strings.ContainsFunc(local, func(r rune) bool { return !plainLocal(r) }) {
		return "", ErrAddress
	}
	domain, err := asciiDomain(text[at+1:])
	if err != nil {
		return "", ErrAddress
	}
	return strings.ToLower(local) + "@" + domain, nil
}

func plainLocal(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-/=?^_`{|}~.", r)
}

// Domain is the one form of a domain: lower case, ASCII, without a final dot. A public suffix such as co.uk is nobody's.
func Domain(text string) (string, error) {
	domain, err := asciiDomain(strings.TrimSuffix(text, "."))
	if err != nil {
		return "", ErrDomain
	}
	if _, err := publicsuffix.EffectiveTLDPlusOne(domain); err != nil {
		return "", ErrDomain
	}
	return domain, nil
}

func asciiDomain(text string) (string, error) {
	domain, err := idna.Lookup.ToASCII(strings.ToLower(text))
	if err != nil {
		return "", ErrDomain
	}
	if len(domain) > maxDomain || !strings.Contains(domain, ".") || strings.ContainsAny(domain, "_ /:[]") || strings.Trim(domain, "0123456789.") == "" {
		return "", ErrDomain
	}
	return domain, nil
}

// Mask shows whose an address is without saying it: a***@example.org.
func Mask(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 1 {
		return "***"
	}
	return address[:1] + "***" + address[at:]
}

package auth

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// tokenHeader is what is looked at before a signature is.
type tokenHeader struct {
	Type string `json:"typ"`
	// Critical names extensions that must be understood (RFC 7515, section 4.1.11); none is.
	Critical json.RawMessage `json:"crit"`
}

// headerOf reads the header of a token in compact form.
func headerOf(raw string) (tokenHeader, error) {
	var header tokenHeader
	first, rest, ok := strings.Cut(raw, ".")
	if !ok || strings.Count(rest, ".") != 1 {
		return header, ErrMalformed
	}
	decoded, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return header, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if err := json.Unmarshal(decoded, &header); err != nil {
		return header, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return header, nil
}

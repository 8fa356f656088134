package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMailGoesOverTLSWhereverItCan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, scheme string
		offers       []string
		secure       bool
	}{
		{"TLS from the start", "smtps", nil, true},
		{"STARTTLS", "smtp", []string{"STARTTLS"}, true},
		{"a server on this machine may lack it", "smtp", nil, false},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := startMail(t, tt.scheme == "smtps", tt.offers...)
			require.NoError(t, s.mailer(tt.scheme, "").Send(t.Context(), "ann@example.org", "Subject", "Grüße\n.\nEnd\n"))
			require.Equal(t, tt.secure, s.secure)
			header, body := s.last()
			require.Equal(t, "Grüße\n.\nEnd\n", body)
			require.Equal(t, "ann@example.org", header.Get("To"))
			require.Contains(t, header.Get("From"), "inter-ai@sender.example")
			require.Equal(t, "auto-generated", header.Get("Auto-Submitted"))
			require.Equal(t, "TO:<ann@example.org>", s.to)
		})
	}
}

func TestAServerElsewhereMustOfferTLS(t *testing.T) {
	t.Parallel()
	s := startMail(t, false)
	m := s.mailer("smtp", "")
	m.local = false
	require.ErrorIs(t, m.Send(t.Context(), "ann@example.org", "s", "b"), errNoTLS)
	require.Empty(t, s.messages)
}

func TestAPasswordIsSentAndNeverShown(t *testing.T) {
	t.Parallel()
	const password = "pass" + "phrase"
	s := startMail(t, false, "STARTTLS", "AUTH PLAIN")
	require.NoError(t, s.mailer("smtp", "ann:"+password+"@").Send(t.Context(), "ann@example.org", "s", "b"))
	require.True(t, strings.HasPrefix(s.auth, "PLAIN "))
	for _, bad := range []string{"smtp://ann:" + password + "%zz@h", "http://ann:" + password + "@h", "smtp://", "smtp://h/path"} {
		_, err := NewSMTP(bad, "a@b.example")
		require.Error(t, err)
		require.NotContains(t, err.Error(), password)
	}
	_, err := NewSMTP("smtp://h", "nobody")
	require.ErrorIs(t, err, ErrAddress)
}

func TestWhatTheServerRefusesIsAnError(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"EHLO", "MAIL", "RCPT", "DATA"} {
		s := startMail(t, false)
		s.refuse = command
		err := s.mailer("smtp", "").Send(t.Context(), "ann@example.org", "s", "b")
		if command == "EHLO" { // HELO is tried then
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, command)
	}
	m := startMail(t, false).mailer("smtp", "")
	require.ErrorIs(t, m.Send(t.Context(), "Ann <ann@example.org>", "s", "b"), ErrAddress)
	require.ErrorIs(t, m.Send(t.Context(), "ann@example.org\r\nRCPT TO:<x@y.example>", "s", "b"), ErrAddress)
	require.Error(t, m.Send(t.Context(), "ann@example.org", "s\r\nBcc: x@y.example", "b"))
	m.address = "127.0.0.1:1"
	require.Error(t, m.Send(t.Context(), "ann@example.org", "s", "b"))
}

func TestPortsAreThoseOfTheScheme(t *testing.T) {
	for server, address := range map[string]string{
		"smtp://mail.example": "mail.example:587", "smtps://mail.example": "mail.example:465", "smtp://mail.example:25": "mail.example:25",
	} {
		m, err := NewSMTP(server, "a@b.example")
		require.NoError(t, err)
		require.Equal(t, address, m.address)
	}
}

package identity

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"mime/quotedprintable"
	"net"
	"net/netip"
	"net/smtp"
	"net/url"
	"strings"
	"time"
)

// mailTimeout bounds the whole conversation with the mail server.
const mailTimeout = 30 * time.Second

// errNoTLS says that a password or an address would go over the network in the clear.
var errNoTLS = errors.New("the mail server does not offer STARTTLS, and is not on this machine")

// SMTP sends mail through one server: smtps:// speaks TLS from the start, smtp:// changes to it by STARTTLS, which only
// a server on loopback may lack.
type SMTP struct {
	host, address, from string
	implicit, local     bool
	user                *url.Userinfo
	tls                 *tls.Config
}

// NewSMTP reads a URL such as smtp://user:password@mail.example.org:587.
func NewSMTP(server, from string) (*SMTP, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("the mail server is not smtp://host:port or smtps://host:port") // never the URL: it has a password
	}
	if from, err = Address(from); err != nil {
		return nil, fmt.Errorf("the sender's address: %w", err)
	}
	m := &SMTP{host: u.Hostname(), from: from, implicit: u.Scheme == "smtps", user: u.User, tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}}
	addr, err := netip.ParseAddr(m.host)
	m.local = m.host == "localhost" || err == nil && addr.IsLoopback()
	port := u.Port()
	if port == "" {
		if port = "587"; m.implicit { // RFC 8314, section 3
			port = "465"
		}
	}
	m.address = net.JoinHostPort(m.host, port)
	return m, nil
}

// Send sends a text to one address, which must be in the form that Address gives.
func (m *SMTP) Send(ctx context.Context, to, subject, body string) error {
	if normal, err := Address(to); err != nil || normal != to {
		return ErrAddress
	}
	message, err := m.compose(to, subject, body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	conn, err := m.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	defer func() { _ = conn.Close() }() // after Quit it is closed already
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return fmt.Errorf("bound the conversation with the mail server: %w", err)
		}
	}
	if err := m.talk(conn, to, message); err != nil {
		return fmt.Errorf("send mail: %w", err)
	}
	return nil
}

func (m *SMTP) dial(ctx context.Context) (net.Conn, error) {
	if m.implicit {
		return (&tls.Dialer{Config: m.tls}).DialContext(ctx, "tcp", m.address)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", m.address)
}

// talk is the conversation of RFC 5321.
func (m *SMTP) talk(conn net.Conn, to string, message []byte) error {
	client, err := smtp.NewClient(conn, m.host)
	if err != nil {
		return err
	}
	if offered, _ := client.Extension("STARTTLS"); offered && !m.implicit {
		if err := client.StartTLS(m.tls); err != nil {
			return err
		}
	} else if !m.implicit && !m.local {
		return errNoTLS
	}
	if m.user != nil {
		password, _ := m.user.Password()
		if err := client.Auth(smtp.PlainAuth("", m.user.Username(), password, m.host)); err != nil {
			return err
		}
	}
	if err := client.Mail(m.from); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	data, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := data.Write(message); err != nil {
		return err
	}
	if err := data.Close(); err != nil {
		return err
	}
	return client.Quit()
}

// compose writes the message. Its headers hold nothing but addresses in their one form and fixed texts.
func (m *SMTP) compose(to, subject, body string) ([]byte, error) {
	if strings.ContainsAny(subject, "\r\n") {
		return nil, errors.New("compose mail: a subject is one line")
	}
	var out bytes.Buffer
	_, domain, _ := strings.Cut(m.from, "@")
	for _, header := range [][2]string{
		{"From", "Inter-AI <" + m.from + ">"},
		{"To", to},
		{"Subject", subject},
		{"Date", time.Now().Format(time.RFC1123Z)},
		{"Message-ID", "<" + rand.Text() + "@" + domain + ">"},
		{"Auto-Submitted", "auto-generated"},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "quoted-printable"},
	} {
		fmt.Fprintf(&out, "%s: %s\r\n", header[0], header[1])
	}
	out.WriteString("\r\n")
	text := quotedprintable.NewWriter(&out)
	_, err := text.Write([]byte(strings.ReplaceAll(body, "\n", "\r\n")))
	if err = errors.Join(err, text.Close()); err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	return out.Bytes(), nil
}

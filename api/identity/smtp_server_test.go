package identity

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mailServer speaks as much of RFC 5321 as a sender needs.
type mailServer struct {
	t        *testing.T
	listener net.Listener
	tls      *tls.Config
	roots    *x509.CertPool
	// offers are the extensions that it names before TLS.
	offers []string
	refuse string // the command that it refuses

	mu       sync.Mutex
	messages []string
	secure   bool // the last message came over TLS
	auth     string
	to       string
}

func startMail(t *testing.T, implicit bool, offers ...string) *mailServer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	s := &mailServer{t: t, roots: x509.NewCertPool(), offers: offers}
	s.roots.AddCert(cert)
	s.tls = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if implicit {
		s.listener = tls.NewListener(s.listener, s.tls)
	}
	t.Cleanup(func() { _ = s.listener.Close() })
	go func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn, implicit)
		}
	}()
	return s
}

func (s *mailServer) serve(conn net.Conn, secure bool) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	say := func(line string) { _, _ = io.WriteString(conn, line+"\r\n") }
	say("220 test")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		verb = strings.ToUpper(verb)
		switch verb {
		case s.refuse:
			say("550 no")
		case "EHLO":
			say("250-test")
			for _, offer := range s.offers {
				if offer != "STARTTLS" || !secure {
					say("250-" + offer)
				}
			}
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go")
			conn = tls.Server(conn, s.tls)
			in, secure = bufio.NewReader(conn), true
		case "DATA":
			say("354 go")
			var text strings.Builder
			for {
				part, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if part == ".\r\n" {
					break
				}
				text.WriteString(strings.TrimPrefix(part, "."))
			}
			s.mu.Lock()
			s.messages, s.secure = append(s.messages, text.String()), secure
			s.mu.Unlock()
			say("250 ok")
		case "QUIT":
			say("221 bye")
			return
		default:
			s.mu.Lock()
			if verb == "AUTH" {
				s.auth = rest
			}
			if verb == "RCPT" {
				s.to = rest
			}
			s.mu.Unlock()
			if verb == "AUTH" {
				say("235 ok")
			} else {
				say("250 ok")
			}
		}
	}
}

// mailer is a sender that trusts the server's certificate.
func (s *mailServer) mailer(scheme, user string) *SMTP {
	s.t.Helper()
	m, err := NewSMTP(scheme+"://"+user+s.listener.Addr().String(), "Inter-AI@Sender.example")
	require.NoError(s.t, err)
	m.tls.RootCAs = s.roots
	return m
}

// last is the last message: its headers, and its text as it reads.
func (s *mailServer) last() (mail.Header, string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NotEmpty(s.t, s.messages)
	m, err := mail.ReadMessage(strings.NewReader(s.messages[len(s.messages)-1]))
	require.NoError(s.t, err)
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	require.NoError(s.t, err)
	return m.Header, strings.ReplaceAll(string(body), "\r\n", "\n")
}

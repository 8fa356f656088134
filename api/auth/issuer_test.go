package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// issuer is an authorization server on loopback with one key of each accepted kind.
type issuer struct {
	t      *testing.T
	server *httptest.Server
	rsa    *rsa.PrivateKey
	ec     *ecdsa.PrivateKey
	ed     ed25519.PrivateKey

	mu        sync.Mutex
	keys      []map[string]any
	discovery map[string]any
	status    int
	fetched   map[string]int
}

func part(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func number(n *big.Int, size int) string {
	return base64.RawURLEncoding.EncodeToString(n.FillBytes(make([]byte, size)))
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{t: t, status: http.StatusOK, fetched: map[string]int{}}
	var err error
	i.rsa, err = rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	i.ec, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	_, i.ed, err = ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	i.server = httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(i.server.Close)
	point, err := i.ec.PublicKey.Bytes() // 4, x, y
	require.NoError(t, err)
	i.keys = []map[string]any{
		{"kty": "RSA", "kid": "rsa", "use": "sig", "n": number(i.rsa.N, 256), "e": "AQAB"},
		{"kty": "EC", "kid": "ec", "crv": "P-256", "x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:])},
		{"kty": "OKP", "kid": "ed", "crv": "Ed25519", "x": base64.RawURLEncoding.EncodeToString(i.ed.Public().(ed25519.PublicKey))},
	}
	i.discovery = map[string]any{"issuer": i.server.URL, "jwks_uri": i.server.URL + "/keys", "authorization_endpoint": i.server.URL + "/a", "token_endpoint": i.server.URL + "/t"}
	return i
}

func (i *issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fetched[r.URL.Path]++
	if i.status != http.StatusOK {
		w.Header().Set("Location", i.server.URL+"/elsewhere")
		w.WriteHeader(i.status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		_ = json.NewEncoder(w).Encode(i.discovery)
	case "/keys":
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": i.keys})
	default:
		http.NotFound(w, r)
	}
}

func (i *issuer) set(status int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.status = status
}

func (i *issuer) count(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetched[path]
}

// sign makes a token. The algorithm decides the key; typ "" leaves the header out.
func (i *issuer) sign(alg, typ string, claims map[string]any) string {
	i.t.Helper()
	header := map[string]any{"alg": alg, "kid": map[string]string{"RS256": "rsa", "PS256": "rsa", "ES256": "ec", "EdDSA": "ed"}[alg]}
	if typ != "" {
		header["typ"] = typ
	}
	return i.signed(header, claims)
}

func (i *issuer) signed(header, claims map[string]any) string {
	i.t.Helper()
	body := part(header) + "." + part(claims)
	sum := sha256.Sum256([]byte(body))
	var signature []byte
	var err error
	switch header["alg"] {
	case "RS256":
		signature, err = rsa.SignPKCS1v15(rand.Reader, i.rsa, crypto.SHA256, sum[:])
	case "PS256":
		signature, err = rsa.SignPSS(rand.Reader, i.rsa, crypto.SHA256, sum[:], nil)
	case "ES256":
		var r, s *big.Int
		r, s, err = ecdsa.Sign(rand.Reader, i.ec, sum[:])
		if err == nil {
			signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
		}
	case "EdDSA":
		signature = ed25519.Sign(i.ed, []byte(body))
	case "HS256": // with the public key as the secret, an old trick
		mac := hmac.New(sha256.New, i.rsa.N.Bytes())
		mac.Write([]byte(body))
		signature = mac.Sum(nil)
	}
	require.NoError(i.t, err)
	return body + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// forge changes one character of a token's signature.
func forge(token string) string {
	at := strings.LastIndexByte(token, '.') + 5
	other := byte('A')
	if token[at] == other {
		other = 'B'
	}
	return token[:at] + string(other) + token[at+1:]
}

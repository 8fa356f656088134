package auth

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// fetchTimeout and maxFetchBytes bound the one outgoing call of the server.
	fetchTimeout  = 5 * time.Second
	maxFetchBytes = 1 << 20
)

var (
	errHost     = errors.New("the host is neither the issuer's nor configured")
	errScheme   = errors.New("the address is not https")
	errRedirect = errors.New("redirects are not followed")
	errPrivate  = errors.New("the host resolves to a private address")
)

// fetcher gets the documents of an issuer: from the configured hosts alone, over TLS, without redirects, bounded in
// time and size. An issuer on this machine's loopback may speak plain HTTP, and no other may be in a private network.
type fetcher struct {
	client *http.Client
	hosts  []string
	local  bool // the issuer is on loopback
	broken atomic.Bool
}

func newFetcher(issuer string, hosts []string) (*fetcher, error) {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, errors.New("the issuer is not a URL such as https://id.example.org")
	}
	f := &fetcher{hosts: append([]string{strings.ToLower(u.Host)}, hosts...)}
	addr, err := netip.ParseAddr(u.Hostname())
	f.local = u.Hostname() == "localhost" || err == nil && addr.IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !f.local) {
		return nil, fmt.Errorf("the issuer: %w", errScheme)
	}
	dialer := &net.Dialer{Timeout: fetchTimeout, Control: f.control}
	f.client = &http.Client{
		Timeout: fetchTimeout,
		Transport: &bounded{fetcher: f, next: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxIdleConns: 2, IdleConnTimeout: time.Minute,
			TLSHandshakeTimeout: fetchTimeout, ResponseHeaderTimeout: fetchTimeout, MaxResponseHeaderBytes: 64 << 10,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return f, nil
}

// failing tells whether the last fetch failed.
func (f *fetcher) failing() bool { return f.broken.Load() }

// control looks at the address that a name has become, when the connection is about to be made: a name may have another
// address by then than it had when it was checked.
func (f *fetcher) control(_, address string, _ syscall.RawConn) error {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read the address of a connection: %w", err)
	}
	addr := peer.Addr().Unmap()
	private := !addr.IsGlobalUnicast() || addr.IsPrivate()
	if private && (!f.local || !addr.IsLoopback()) {
		return errPrivate
	}
	return nil
}

// bounded refuses what may not be fetched, and cuts answers that are too large.
type bounded struct {
	fetcher *fetcher
	next    http.RoundTripper
}

// RoundTrip fetches one document.
func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.fetch(r)
	b.fetcher.broken.Store(err != nil || response.StatusCode != http.StatusOK)
	return response, err
}

func (b *bounded) fetch(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !b.fetcher.local {
		return nil, errScheme
	}
	if !slices.Contains(b.fetcher.hosts, strings.ToLower(r.URL.Host)) {
		return nil, errHost
	}
	response, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	response.Body = &cutBody{Reader: io.LimitReader(response.Body, maxFetchBytes), Closer: response.Body}
	return response, nil
}

// cutBody is a body that ends early; what is cut is no valid JSON.
type cutBody struct {
	io.Reader
	io.Closer
}

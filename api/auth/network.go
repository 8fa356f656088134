package auth

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
)

// maxForwarded bounds how many hops of a request are looked at.
const maxForwarded = 32

// Clients finds out from which address a request comes.
type Clients struct {
	trusted []netip.Prefix
	hidden  bool
}

// NewClients believes X-Forwarded-For only of the trusted proxies. Behind a proxy that is not among them no address is
// known: that of the connection is the proxy's.
func NewClients(behindProxy bool, trusted []netip.Prefix) Clients {
	return Clients{trusted: trusted, hidden: behindProxy && len(trusted) == 0}
}

// Addr is the address of a request's client, the zero one when it is not known. Of the forwarded addresses only those
// count that trusted proxies have added, from the right: what stands before them the client made up.
func (c Clients) Addr(r *http.Request) netip.Addr {
	if c.hidden {
		return netip.Addr{}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := peer.Addr().Unmap().WithZone("")
	if !c.trusts(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= max(0, len(hops)-maxForwarded); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			return netip.Addr{}
		}
		if addr = hop.Unmap().WithZone(""); !c.trusts(addr) {
			return addr
		}
	}
	return netip.Addr{} // nobody but proxies
}

func (c Clients) trusts(addr netip.Addr) bool { return within(c.trusted, addr) }

func within(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// Network is the /24 or /48 of an address, which is as much as is kept of it; the zero one of an unknown address.
func Network(addr netip.Addr) netip.Prefix {
	bits := 48
	if addr.Is4() {
		bits = 24
	}
	network, err := addr.Prefix(bits)
	if err != nil { // the zero address
		return netip.Prefix{}
	}
	return network
}

type addrKey struct{}

// withAddr notes from where a request comes, for whoever checks its key.
func withAddr(ctx context.Context, addr netip.Addr) context.Context {
	return context.WithValue(ctx, addrKey{}, addr)
}

// addrFrom is the address of the request behind ctx, the zero one when there is none.
func addrFrom(ctx context.Context) netip.Addr {
	addr, _ := ctx.Value(addrKey{}).(netip.Addr)
	return addr
}

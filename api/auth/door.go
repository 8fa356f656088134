package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"interai/api/ops"
)

// TooManyError says that a network has sent too many credentials that are none: none of it is looked at for a while.
type TooManyError struct{ Wait time.Duration }

// Error says how long to wait.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many failed authentications from this network: wait %s", e.Wait)
}

// Door checks API keys that come in a form, and keys that sessions stand for. It shares its meters of failures with the
// layer that reads headers.
type Door struct {
	bearer *Bearer
	still  func(ctx context.Context, keyID string) (*ops.Caller, error)
}

// NewDoor makes the door beside a layer, with the verifier of its keys.
func NewDoor(bearer *Bearer, verifier *Verifier) *Door {
	return &Door{bearer: bearer, still: verifier.Still}
}

// Enter answers the holder of a key that has a scope. A wrong key and one without the scope are both ErrUnauthenticated,
// and count as failures; a *TooManyError is the answer to a network with too many of them.
func (d *Door) Enter(r *http.Request, text, scope string) (*ops.Caller, error) {
	b := d.bearer
	addr := b.clients.Addr(r)
	if b.failures != nil && addr.IsValid() {
		if wait := b.failures.Wait(Network(addr).String(), b.now()); wait > 0 {
			return nil, &TooManyError{Wait: wait}
		}
	}
	caller, err := d.check(r.Context(), addr, strings.TrimSpace(text))
	if err == nil && !caller.Has(scope) {
		err = ErrUnauthenticated
	}
	if errors.Is(err, ErrUnauthenticated) && b.failures != nil && addr.IsValid() {
		b.failures.Take(Network(addr).String(), b.now())
	}
	if err != nil {
		return nil, err
	}
	return caller, nil
}

func (d *Door) check(ctx context.Context, addr netip.Addr, text string) (*ops.Caller, error) {
	key, err := Parse(text)
	if err != nil {
		return nil, ErrUnauthenticated
	}
	return d.bearer.verify(withAddr(ctx, addr), key)
}

// Stay answers the holder of a key that entered before, by the key's public part, if it still serves and still has the
// scope; ErrUnauthenticated otherwise.
func (d *Door) Stay(r *http.Request, keyID, scope string) (*ops.Caller, error) {
	caller, err := d.still(withAddr(r.Context(), d.bearer.clients.Addr(r)), keyID)
	if err == nil && !caller.Has(scope) {
		return nil, ErrUnauthenticated
	}
	return caller, err
}

package limits

import (
	"net"

	"golang.org/x/net/netutil"
)

// Listener caps the open connections of l at n: the next one waits in the
// system's backlog until one is closed.
func Listener(l net.Listener, n int) net.Listener { return netutil.LimitListener(l, n) }

package limits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// BodiesConfig bounds Bodies. All fields must be positive.
type BodiesConfig struct {
	// Memory is how many bytes of bodies may be held at once, by all parties; one party may hold half of it.
	Memory int64
	// Ordinary is the largest body in bytes, Large that of a body which may carry assets.
	Ordinary, Large int64
	// Patience is how long a body waits for memory.
	Patience time.Duration
}

const (
	// maxWaitingBodies bounds how many requests wait for memory.
	maxWaitingBodies = 4096
	// firstRead is where the buffer of a body of unknown length begins.
	firstRead = 8 << 10
)

// Bodies reads request bodies into memory that is bounded over all requests: a body waits on the wire until there is
// room for it. Only authenticated requests should get this far.
type Bodies struct {
	cfg  BodiesConfig
	gate *Gate
}

// NewBodies returns a reader without bodies. Memory must hold two bodies of the largest size, so that one party leaves
// room for another.
func NewBodies(cfg BodiesConfig) (*Bodies, error) {
	if cfg.Ordinary <= 0 || cfg.Patience <= 0 || cfg.Large < cfg.Ordinary || cfg.Memory < 2*cfg.Large {
		return nil, fmt.Errorf("bound bodies: %+v does not hold two large bodies", cfg)
	}
	gate, err := NewGate(GateConfig{Active: int(cfg.Memory), ActivePerKey: int(cfg.Memory / 2), Queue: maxWaitingBodies})
	if err != nil {
		return nil, err
	}
	return &Bodies{cfg: cfg, gate: gate}, nil
}

// Read reads the body of a request of a party, at most Large bytes. Release gives its memory back, when nothing uses the
// body any more. The error is for RefuseBody.
func (b *Bodies) Read(r *http.Request, party string) (body []byte, release func(), err error) {
	declared := r.ContentLength
	if declared > b.cfg.Large {
		return nil, nil, &http.MaxBytesError{Limit: b.cfg.Large}
	}
	known := declared >= 0
	if !known { // chunked: what is longer than ordinary asks for more on its way
		declared = b.cfg.Ordinary
	}
	release, err = b.reserve(r.Context(), party, declared)
	if err != nil {
		return nil, nil, err
	}
	room := declared + bytes.MinRead // one allocation for a body of the declared length
	if !known {
		room = firstRead
	}
	buffer := bytes.NewBuffer(make([]byte, 0, room))
	_, err = buffer.ReadFrom(io.LimitReader(r.Body, declared+1))
	if err == nil && int64(buffer.Len()) > declared && !known {
		var more func()
		if more, err = b.reserve(r.Context(), party, b.cfg.Large-b.cfg.Ordinary); err == nil {
			first := release
			release = func() { more(); first() }
			buffer.Grow(int(b.cfg.Large) + bytes.MinRead - buffer.Len()) // at once, instead of one copy for each doubling
			_, err = buffer.ReadFrom(io.LimitReader(r.Body, b.cfg.Large+1-int64(buffer.Len())))
		}
	}
	if err == nil && int64(buffer.Len()) > b.cfg.Large {
		err = &http.MaxBytesError{Limit: b.cfg.Large}
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return buffer.Bytes(), release, nil
}

// OverBytes is an error for RefuseBody if a body of n bytes is longer than an ordinary one may be, else nil.
func (b *Bodies) OverBytes(n int64) error {
	if n <= b.cfg.Ordinary {
		return nil
	}
	return &http.MaxBytesError{Limit: b.cfg.Ordinary}
}

// Limit is the largest body in bytes.
func (b *Bodies) Limit() int64 { return b.cfg.Large }

// errNoMemory wraps what kept a body from getting memory.
var errNoMemory = errors.New("no memory for the request body")

func (b *Bodies) reserve(ctx context.Context, party string, n int64) (func(), error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	release, err := b.gate.AcquireWeight(ctx, party, int(n))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoMemory, err)
	}
	return release, nil
}

// RefuseBody answers a body that Read did not give: 503 when there was no memory for it in time, else as
// WriteBodyError does.
func RefuseBody(w http.ResponseWriter, err error) {
	if errors.Is(err, errNoMemory) {
		w.Header().Set("Connection", "close") // the body will not be read
		WriteBusy(w, err)
		return
	}
	WriteBodyError(w, err)
}

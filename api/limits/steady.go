package limits

import (
	"net/http"
	"time"
)

// steadyChunk is how much a reader has to take within the timeout, in bytes.
const steadyChunk = 32 << 10

// SteadyWrites ends the connection of a client that takes nothing of its answer for as long as stall: whatever holds the
// answer would be held with it. A slow reader that goes on is left alone, however long the answer takes.
func SteadyWrites(stall time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			steady := &steadyWriter{ResponseWriter: w, control: http.NewResponseController(w), stall: stall}
			defer steady.extend() // for what the server flushes itself
			next.ServeHTTP(steady, r)
		})
	}
}

type steadyWriter struct {
	http.ResponseWriter

	control *http.ResponseController
	stall   time.Duration
}

// extend gives the client another while. A writer without deadlines, as in tests, has nothing to stall.
func (w *steadyWriter) extend() { _ = w.control.SetWriteDeadline(time.Now().Add(w.stall)) }

// WriteHeader sends the head.
func (w *steadyWriter) WriteHeader(status int) {
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

// Write sends p in pieces, each with its own deadline.
func (w *steadyWriter) Write(p []byte) (int, error) {
	sent := 0
	for {
		w.extend()
		n, err := w.ResponseWriter.Write(p[sent : sent+min(steadyChunk, len(p)-sent)])
		sent += n
		if err != nil || sent >= len(p) {
			return sent, err //nolint:wrapcheck // a ResponseWriter's own errors are its interface
		}
	}
}

// Flush sends what is buffered.
func (w *steadyWriter) Flush() {
	w.extend()
	_ = w.control.Flush() // the next write meets the same error
}

// Unwrap is for http.ResponseController.
func (w *steadyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

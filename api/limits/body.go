package limits

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"interai/api/ops"
	"interai/api/refusal"
)

// BodyCap bounds request bodies. A declared length beyond the cap is refused at
// once; an undeclared one is refused by whoever reads the body, with
// [WriteBodyError]. Limit gives the cap in bytes for a request.
func BodyCap(limit func(r *http.Request) int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			bytes := limit(r)
			if r.ContentLength > bytes {
				w.Header().Set("Connection", "close") // the body will not be read
				refusal.Write(w, http.StatusRequestEntityTooLarge, tooLarge(bytes))
				return
			}
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, bytes)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// WriteBodyError answers a failed read of a request body: 413 when it went over
// its cap, 408 when it did not come in time, else 400 (the client broke off, or sent
// a broken encoding).
func WriteBodyError(w http.ResponseWriter, err error) {
	if over, ok := errors.AsType[*http.MaxBytesError](err); ok {
		refusal.Write(w, http.StatusRequestEntityTooLarge, tooLarge(over.Limit))
		return
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close") // the rest of the body may come yet
		refusal.Write(w, http.StatusRequestTimeout, ops.NewError(ops.ValidationFailed, "The request body did not come in time.").
			WithReason("body_too_slow"))
		return
	}
	refusal.Write(w, http.StatusBadRequest, ops.NewError(ops.ValidationFailed, "The request body could not be read.").WithReason("body_unreadable"))
}

func tooLarge(limit int64) *ops.Error {
	return ops.InvalidField("", "maxbytes", fmt.Sprintf("the request body must have at most %d bytes", limit)).
		WithReason("body_too_large")
}

package ops

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzDecode holds the decoder against encoding/json: it never panics, accepts
// only what encoding/json accepts, and what it accepts encodes back to something
// that it accepts again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"title":"t"}`, `{"title":"t","parts":[{"id":"a","n":1}],"extra":{"a":[1,2,{"b":null}]}}`,
		`{"title":"\ud83d\ude00","big":-9223372036854775808,"small":1e2}`, `{"title":null}`, `[[[[`, `{"a":`, "\x00",
		`{"title":"t","labels":{"a":"b"},"when":"2026-01-02T03:04:05Z","score":1e-400}`, `{"title":"\u0000"}`,
	} {
		f.Add([]byte(seed))
	}
	op := noteOp(Read, func(context.Context, *Call, *noteIn) (*noteOut, error) { return &noteOut{}, nil })
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, err := op.decode(raw, 0, nil)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Details.Problems) == 0 || len(e.Details.Problems) > maxProblems {
				t.Fatalf("a refusal needs 1 to %d problems: %v", maxProblems, err)
			}
			if !json.Valid(e.Structured()) || !utf8.Valid(e.Structured()) {
				t.Fatalf("the error is not JSON: %q", e.Structured())
			}
			return
		}
		if len(raw) > 0 && !json.Valid(raw) {
			t.Fatalf("accepted what is not JSON: %q", raw)
		}
		text, err := op.input.encode(nil, reflect.ValueOf(in).Elem())
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		if !json.Valid(text) {
			t.Fatalf("encoded what is not JSON: %q", text)
		}
	})
}

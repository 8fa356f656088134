package ops

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyPart is embedded by inputs that carry a key.
type keyPart struct {
	Key string `json:"idempotency_key" validate:"max=10"`
}

func (k *keyPart) GetIdempotencyKey() string    { return k.Key }
func (k *keyPart) SetIdempotencyKey(key string) { k.Key = key }

type embeddingIn struct {
	keyPart
	Parts []embeddingPart `json:"parts" validate:"dive"`
}

type embeddingPart struct {
	partBase
	Name string `json:"name"`
}

type partBase struct {
	ID    string `json:"id" validate:"required_without=Other"`
	Other string `json:"other"`
}

func TestEmbeddedStructsAreFlat(t *testing.T) {
	var seen string
	s := spec("embed", Write)
	s.Hints.Idempotent = true
	op := Define(s, func(_ context.Context, c *Call, in *embeddingIn) (*noteOut, error) {
		seen = c.IdempotencyKey + in.Parts[0].ID
		return &noteOut{}, nil
	})
	x := NewExecutor(newRegistry(t, op), WithLogger(quiet()))
	r := x.Execute(context.Background(), Call{
		Operation: "embed", Caller: caller(), Arguments: json.RawMessage(`{"parts":[{"id":"a"}],"idempotency_key":"k"}`),
	})
	require.Nil(t, r.Err)
	require.Equal(t, "ka", seen)
	require.NotNil(t, op.InputSchema().Property("idempotency_key"))

	r = x.Execute(context.Background(), Call{
		Operation: "embed", Caller: caller(), Arguments: json.RawMessage(`{"parts":[{"id":"a"},{"name":"n"}],"idempotency_key":"12345678901"}`),
	})
	require.Equal(t, []string{"/idempotency_key", "/parts/1/id"}, []string{r.Err.Details.Problems[0].Path, r.Err.Details.Problems[1].Path})
	require.Len(t, r.Err.Details.Problems, 2, "each once")
}

type badEmbedding struct {
	*keyPart
}

func TestEmbeddedPointersAreRefused(t *testing.T) {
	_, err := NewRegistry(defineIn[badEmbedding]())
	require.ErrorContains(t, err, "only plain structs")
}

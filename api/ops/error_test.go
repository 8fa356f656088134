package ops

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDetailsSurviveTheWire(t *testing.T) {
	in := Errorf(ValidationFailed, "It %s.", "exists").
		WithReason("already_exists").WithHints("Use it.").WithRetryAfter(time.Millisecond).
		WithExtra("limit", 5).WithExtra("retryable", "no").WithExtra("a", "<b>")
	in.Details.Existing = []string{"ent_1"}
	in.Details.Use = "ent_1"
	in.Details.Problems = []Problem{{Path: "/name", Rule: "unique", Message: "is taken"}}
	raw := in.Structured()
	require.Equal(t, `{"error":{"code":"validation_failed","message":"It exists.","details":{"retryable":false,"correlation_id":"",`+
		`"recovery_hints":["Use it."],"retry_after":1,"reason":"already_exists","problems":[{"path":"/name","rule":"unique","message":"is taken"}],`+
		`"existing":["ent_1"],"use":"ent_1","a":"<b>","limit":5}}}`, string(raw))
	var out struct{ Error *Error }
	require.NoError(t, json.Unmarshal(raw, &out))
	require.Equal(t, in.Details.Problems, out.Error.Details.Problems)
	require.Equal(t, "5", string(out.Error.Details.Extra["limit"]))
	require.NotContains(t, out.Error.Details.Extra, "retryable")
}

func TestErrorsWithoutDetailsStillSayRetryableAndCorrelation(t *testing.T) {
	require.Equal(t, `{"error":{"code":"not_found","message":"m","details":{"retryable":false,"correlation_id":""}}}`,
		string(NewError(NotFound, "m").Structured()))
}

func TestCauseIsForLogsOnly(t *testing.T) {
	cause := errors.New("the cause")
	e := Internal(cause)
	require.ErrorIs(t, e, cause)
	require.Contains(t, e.Error(), "the cause")
	require.NotContains(t, string(e.Structured())+e.Text(), "the cause")
}

func TestCodeOf(t *testing.T) {
	require.Equal(t, Code(""), CodeOf(nil))
	require.Equal(t, NotAuthor, CodeOf(errors.Join(errors.New("x"), NewError(NotAuthor, "y"))))
	require.Equal(t, InternalError, CodeOf(errors.New("x")))
}

func TestABrokenExtraNeverHidesTheError(t *testing.T) {
	e := NewError(NotFound, "m")
	e.Details.Extra = map[string]json.RawMessage{"x": json.RawMessage(`{`)}
	require.Contains(t, string(e.Structured()), "not_found")
	require.Empty(t, NewError(NotFound, "m").WithExtra("f", func() {}).Details.Extra)
}

func TestScopes(t *testing.T) {
	var nobody *Caller
	require.False(t, nobody.Has(""))
	require.True(t, (&Caller{}).Has(""))
	require.False(t, (&Caller{Scopes: []string{"read"}}).Has("publish"))
	require.True(t, (&Caller{Scopes: []string{"read", "publish"}}).Has("publish"))
}

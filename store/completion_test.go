package store_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/store"
)

func TestCompletionsReachTheirRowsByKey(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	conn, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for kind, sql := range store.Completions() {
		t.Run(string(kind), func(t *testing.T) {
			_, err := conn.Exec(t.Context(), store.BeginRead)
			require.NoError(t, err)
			defer func() {
				_, err := conn.Exec(t.Context(), `rollback; deallocate completing`)
				require.NoError(t, err)
			}()
			_, err = conn.Exec(t.Context(), `set local plan_cache_mode = force_generic_plan; prepare completing (`+store.CompletionTypes+`) as `+sql)
			require.NoError(t, err)
			nothing := strings.TrimSuffix(strings.Repeat("null, ", strings.Count(store.CompletionTypes, ",")+1), ", ")
			var raw string
			require.NoError(t, conn.QueryRow(t.Context(), `explain (format json) execute completing (`+nothing+`)`).Scan(&raw))
			var answer []struct{ Plan plan }
			require.NoError(t, json.Unmarshal([]byte(raw), &answer))
			require.Empty(t, answer[0].Plan.whole(), raw)
		})
	}
}

func TestARangeHoldsExactlyTheIDsThatBeginSo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := store.ID{Kind: store.KindContent, UUID: uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))}
		other := store.ID{Kind: store.KindContent, UUID: uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "other"))}
		text := id.String()[len("cnt_"):]
		beginning := text[:rapid.IntRange(0, len(text)).Draw(t, "length")]
		ids, ok := store.RangeOf(beginning)
		if !ok {
			t.Fatalf("no range for %q", beginning)
		}
		in := func(u uuid.UUID) bool { return u.String() >= ids.First.String() && u.String() <= ids.Last.String() }
		if !in(id.UUID) {
			t.Fatalf("%s is not in the range of %q", id, beginning)
		}
		if begins := other.String()[len("cnt_"):][:len(beginning)] == beginning; begins != in(other.UUID) {
			t.Fatalf("%s begins with %q: %t", other, beginning, begins)
		}
	})
	for _, impossible := range []string{"8", "z", "u", "0l", "A", "!", "00000000000000000000000000x"} {
		_, ok := store.RangeOf(impossible)
		require.False(t, ok, impossible)
	}
}

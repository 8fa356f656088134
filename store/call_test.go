package store_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/store"
)

// callAt is an audit row whose key says that it is of a moment.
func callAt(at time.Time, random [10]byte) store.Call {
	return store.Call{
		ID: uuidAt(at.UnixMilli(), random), Tool: "get", Adapter: "test", Request: json.RawMessage(`{}`), StartedAt: at,
	}
}

// uuidAt is a UUIDv7 (RFC 9562, section 5.7).
func uuidAt(millis int64, random [10]byte) uuid.UUID {
	var id uuid.UUID
	for i := range 6 {
		id[i] = byte(millis >> (40 - 8*i))
	}
	copy(id[6:], random[:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

func TestTheFloorOfAMomentParts(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64Range(0, 4_000_000_000_000_000).Draw(t, "micros")
		at := time.UnixMicro(micros).UTC()
		var random [10]byte
		copy(random[:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "random"))
		before := uuidAt(micros/1000-1, [10]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255})
		var from, not bool
		err := db.Pool().QueryRow(context.Background(), `select $1::uuid >= uuid_v7_floor($3), $2::uuid >= uuid_v7_floor($3)`,
			uuidAt(micros/1000, random), before, at).Scan(&from, &not)
		require.NoError(t, err)
		require.True(t, from, "what is made at %s lies behind its floor", at)
		require.True(t, micros < 1000 || !not, "what was made a millisecond earlier lies before it")
	})
}

// months counts audit rows by partition.
func months(t *testing.T, db *store.Store) map[string]int {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), `select tableoid::regclass::text, count(*) from mcp_calls group by 1`)
	require.NoError(t, err)
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		require.NoError(t, rows.Scan(&name, &n))
		out[name] = n
	}
	require.NoError(t, rows.Err())
	return out
}

func TestAuditRowsLieInTheirMonth(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	ensure := func(month string) bool {
		var made bool
		require.NoError(t, db.Pool().QueryRow(t.Context(), `select mcp_calls_ensure_month($1::text::date)`, month).Scan(&made))
		return made
	}
	require.True(t, ensure("2031-02-17"))
	require.False(t, ensure("2031-02-01"), "it is there already")
	last := time.Date(2031, 2, 28, 23, 59, 59, 999_000_000, time.UTC)
	full := [10]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255}
	require.NoError(t, db.RecordCalls(t.Context(), []store.Call{
		callAt(time.Date(2031, 2, 1, 0, 0, 0, 0, time.UTC), [10]byte{}), callAt(last, full),
		callAt(last.Add(time.Millisecond), [10]byte{}), callAt(time.Date(2031, 3, 31, 12, 0, 0, 0, time.UTC), full),
		callAt(time.Date(2031, 1, 31, 23, 59, 59, 999_000_000, time.UTC), full),
	}))
	require.Equal(t, map[string]int{"mcp_calls_2031_02": 2, "mcp_calls_default": 3}, months(t, db))
	require.True(t, ensure("2031-03-01"), "rows that came before their partition do not prevent it")
	require.Equal(t, map[string]int{"mcp_calls_2031_02": 2, "mcp_calls_2031_03": 2, "mcp_calls_default": 1}, months(t, db))
	require.NoError(t, db.RecordCalls(t.Context(), []store.Call{callAt(last.Add(time.Hour), full)}))
	require.Equal(t, 3, months(t, db)["mcp_calls_2031_03"])

	for _, c := range []struct {
		moment time.Time
		want   int
	}{
		{last, 0},
		{last.Add(time.Millisecond - 1), 0},
		{last.Add(time.Millisecond), 1},
		{last.Add(24 * time.Hour), 0},
		{time.Date(2031, 4, 1, 0, 0, 0, 0, time.UTC), 1},
	} {
		dropped, err := db.DropCallsBefore(t.Context(), c.moment)
		require.NoError(t, err)
		require.Equal(t, c.want, dropped, c.moment)
	}
}

func TestNodesThatStartTogetherMakePartitionsOnce(t *testing.T) {
	t.Parallel()
	_, conn := setup(t)
	var all sync.WaitGroup
	for range 8 {
		db := open(t, conn)
		all.Go(func() {
			if err := db.EnsureCallPartitions(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	db := open(t, conn)
	require.Equal(t, 4, number(t, db, `select count(*) from pg_inherits where inhparent = 'mcp_calls'::regclass`))
	now := time.Now()
	require.NoError(t, db.RecordCalls(t.Context(), []store.Call{callAt(now, [10]byte{1}), callAt(now.AddDate(0, 0, 40), [10]byte{1})}))
	require.Zero(t, months(t, db)["mcp_calls_default"])
}

func TestARowThatIsThereAlreadyTakesNoOtherWithIt(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	now := time.Now()
	rows := []store.Call{callAt(now, [10]byte{1}), callAt(now, [10]byte{2}), callAt(now, [10]byte{3})}
	require.NoError(t, db.RecordCalls(t.Context(), rows[1:2]))
	rows[1].Outcome, rows[1].Code = "unknown", "internal_error"
	require.NoError(t, db.RecordCalls(t.Context(), rows))
	require.Equal(t, 3, number(t, db, `select count(*) from mcp_calls`))
	require.Zero(t, number(t, db, `select count(*) from mcp_calls where outcome = 'unknown'`), "a committed write is known")
}

func TestARowThatCannotBeStoredTakesNoOtherWithIt(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	now := time.Now()
	rows := []store.Call{callAt(now, [10]byte{1}), callAt(now, [10]byte{2}), callAt(now, [10]byte{3}), callAt(now, [10]byte{4})}
	rows[1].Request = json.RawMessage(`{"a":1e-99999}`) // beyond numeric
	rows[2].Request = json.RawMessage(`{"a":"\u0000"}`) // beyond text
	require.NoError(t, db.RecordCalls(t.Context(), rows))
	require.Equal(t, 4, number(t, db, `select count(*) from mcp_calls`))
	require.Equal(t, 2, number(t, db, `select count(*) from mcp_calls where request = '{"_unstorable": true}'`))
	require.Equal(t, 2, number(t, db, `select count(*) from mcp_calls where request = '{}'`))
}

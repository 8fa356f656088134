package e2e

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgtest"
)

func TestTheStructureIsLookedAtWithoutChangingIt(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	dir := t.TempDir()
	run := func(args ...string) result {
		return cli(t, []string{databaseURL(conn)}, append(args, "--data-dir", dir)...)
	}
	applied := func(r result) (done, pending int) {
		var versions []struct {
			Applied bool `json:"applied"`
		}
		require.Zero(t, r.code, r.errors)
		require.NoError(t, json.Unmarshal([]byte(r.out), &versions), r.out)
		for _, v := range versions {
			if v.Applied {
				done++
			} else {
				pending++
			}
		}
		return done, pending
	}
	look := func() (code int, findings map[string]string) {
		r := run("doctor", "--json")
		var list []struct {
			Check, Advice string
			OK            bool
		}
		require.NoError(t, json.Unmarshal([]byte(r.out), &list), r.out)
		findings = map[string]string{}
		for _, f := range list {
			require.Equal(t, f.OK, f.Advice == "", "advice is for what is not well")
			findings[f.Check] = f.Advice
		}
		return r.code, findings
	}
	done, pending := applied(run("migrate", "status", "--json"))
	require.Zero(t, done)
	require.Positive(t, pending)
	code, findings := look()
	require.Equal(t, 1, code)
	require.Equal(t, map[string]string{"migrations": "run interai migrate up", "clock": ""}, findings)

	done, left := applied(run("migrate", "up", "--json"))
	require.Equal(t, []int{pending, 0}, []int{done, left})
	code, findings = look()
	require.Zero(t, code)
	require.Equal(t, map[string]string{"migrations": "", "clock": "", "evidence": "", "trust": "", "unknown outcomes": "", "local key": ""}, findings)

	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	_, err = db.Exec(t.Context(), `insert into goose_db_version (version_id, is_applied) values (99999, true)`)
	require.NoError(t, err)
	require.NoError(t, db.Close(t.Context()))
	code, findings = look()
	require.Equal(t, 1, code)
	require.Equal(t, "run the newer version of interai", findings["migrations"])
	r := run("actor", "list", "--json")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errors, "newer version of interai")
}

func TestDoctorSeesThatTheLocalKeyIsGone(t *testing.T) {
	t.Parallel()
	env, dir := []string{databaseURL(pgtest.New(t))}, t.TempDir()
	s := serve(t, dir, env...)
	look := func() (code int, detail any) {
		r := cli(t, env, "doctor", "--json", "--data-dir", dir)
		var findings []map[string]any
		require.NoError(t, json.Unmarshal([]byte(r.out), &findings), r.out)
		at := slices.IndexFunc(findings, func(f map[string]any) bool { return f["check"] == "local key" })
		require.GreaterOrEqual(t, at, 0)
		return r.code, findings[at]["detail"]
	}
	key, err := auth.Parse(s.credentials.Key)
	require.NoError(t, err)
	code, detail := look()
	require.Zero(t, code)
	require.Equal(t, key.String()+" of "+s.credentials.Agent, detail)
	require.Zero(t, cli(t, env, "key", "revoke", key.ID()).code)
	code, detail = look()
	require.Equal(t, 1, code)
	require.Contains(t, detail, key.String()+" was revoked at 2")
}

// commands runs the operators' commands beside a running server of the same data directory.
func commands(t *testing.T, s *server) {
	run := func(args ...string) result { return cli(t, []string{"INTERAI_DATA_DIR=" + s.dir}, args...) }
	human := answer[map[string]any](t, run("actor", "create", "--kind", "usr", "--name", "Ada  L", "--verified", "email,domain", "--json"))
	require.Regexp(t, `^usr_[0-9a-hjkmnp-tv-z]{26}$`, human["id"])
	require.Equal(t, []any{"usr", "", human["id"], "Ada L"}, []any{human["kind"], human["controller"], human["root_controller"], human["name"]})
	require.ElementsMatch(t, []any{"email", "domain"}, human["verified"])
	id, ok := human["id"].(string)
	require.True(t, ok)
	agent := answer[map[string]any](t, run("actor", "create", "--kind", "ai", "--name", "Agent", "--controller", id, "--json"))
	require.Equal(t, []any{"ai", id, id}, []any{agent["kind"], agent["controller"], agent["root_controller"]})
	aid, ok := agent["id"].(string)
	require.True(t, ok)
	require.Equal(t, agent, answer[map[string]any](t, run("actor", "show", aid, "--json")))
	listed := answer[[]map[string]any](t, run("actor", "list", "--json"))
	require.Contains(t, listed, agent)

	key := answer[map[string]any](t, run("key", "create", "--actor", aid, "--scopes", "read,usage", "--expires", "1h", "--name", "n", "--json"))
	require.Regexp(t, `^iai_`, key["key"])
	require.Equal(t, []any{"read", "usage"}, key["scopes"])
	until, err := time.Parse(time.RFC3339Nano, key["expires_at"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), until, time.Minute)
	me := call[evidence.WhoamiOutput](t, s.dial(key["key"].(string)), "whoami", nil)
	require.Equal(t, aid, me.ActorID)
	require.Equal(t, []string{"read", "usage"}, me.Scopes)
	keys := answer[[]map[string]any](t, run("key", "list", "--actor", aid, "--json"))
	require.Len(t, keys, 1)
	require.Equal(t, key["id"], keys[0]["id"])
	require.NotContains(t, keys[0], "key", "a key is printed once")
	require.Equal(t, map[string]any{"id": key["id"], "state": "revoked"}, answer[map[string]any](t, run("key", "revoke", key["id"].(string), "--json")))

	space := answer[map[string]any](t, run("space", "create", "--name", "Room", "--owner", id, "--json"))
	require.Regexp(t, `^spc_`, space["id"])
	require.Equal(t, []any{"private", id}, []any{space["visibility"], space["owner"]})
	sid, ok := space["id"].(string)
	require.True(t, ok)
	answer[map[string]any](t, run("space", "add-member", sid, "--actor", aid, "--role", "reader", "--json"))
	spaces := answer[[]map[string]any](t, run("space", "list", "--json"))
	require.InDelta(t, 2, spaces[0]["members"], 0)

	version := answer[map[string]any](t, run("version", "--json"))
	for _, member := range []string{"version", "commit", "go", "mcp_revisions"} {
		require.NotEmpty(t, version[member], member)
	}
	capabilities := answer[map[string]any](t, run("capabilities", "--json"))
	for _, member := range []string{"transports", "protocol_revisions", "operations", "endpoints", "documents"} {
		require.NotEmpty(t, capabilities[member], member)
	}
	require.NotContains(t, capabilities["transports"], "actions", "which is off")
	withActions := answer[map[string]any](t, run("capabilities", "--json", "--actions-token-file", filepath.Join(t.TempDir(), "token")))
	require.Contains(t, withActions["transports"], "actions")
	require.Contains(t, withActions["documents"], "/openapi.json")
	findings := answer[[]map[string]any](t, run("doctor", "--json"))
	require.NotEmpty(t, findings)
	for _, finding := range findings {
		require.Equal(t, true, finding["ok"], finding)
	}
	for _, entry := range answer[[]map[string]any](t, run("config", "--json")) {
		for _, member := range []string{"option", "value", "source", "env", "doc"} {
			require.Contains(t, entry, member)
		}
		if entry["option"] == "data-dir" {
			require.Equal(t, []any{s.dir, "environment"}, []any{entry["value"], entry["source"]})
		}
	}
	for _, migration := range answer[[]map[string]any](t, run("migrate", "status", "--json")) {
		require.Equal(t, true, migration["applied"])
	}

	for existing, args := range map[string][]string{
		id:  {"actor", "create", "--kind", "usr", "--name", " ADA L"},
		sid: {"space", "create", "--name", "ROOM", "--owner", id},
	} {
		t.Run("an explicit create names the existing "+existing[:3], func(t *testing.T) {
			var refused struct{ Error ops.Error }
			require.NoError(t, json.Unmarshal([]byte(run(append(args, "--json")...).errors), &refused))
			require.Equal(t, ops.ValidationFailed, refused.Error.Code)
			require.Equal(t, "already_exists", refused.Error.Details.Reason)
			require.Equal(t, []string{existing}, refused.Error.Details.Existing)
			require.Contains(t, refused.Error.Details.Use, existing)
			require.False(t, refused.Error.Details.Retryable)
			require.Contains(t, run(args...).errors, "Use `interai ")
		})
	}
	for rule, args := range map[string][]string{
		"an actor that exists":       {"actor", "create", "--kind", "usr", "--name", "ada l"},
		"a space that exists":        {"space", "create", "--name", "room", "--owner", id},
		"an unknown actor":           {"actor", "show", "usr_00000000000000000000000000"},
		"an unknown controller":      {"actor", "create", "--kind", "ai", "--name", "x", "--controller", "usr_00000000000000000000000000"},
		"a controller that is an ai": {"actor", "create", "--kind", "ai", "--name", "x", "--controller", aid},
		"an unknown key":             {"key", "revoke", "000000000000"},
		"an agent without a party":   {"actor", "set-controller", aid},
		"an unknown member":          {"space", "add-member", sid, "--actor", "ai_00000000000000000000000000"},
		"an unknown room":            {"space", "add-member", "spc_00000000000000000000000000", "--actor", aid},
		"no such controller":         {"actor", "set-controller", aid, "--controller", "org_00000000000000000000000000"},
		"an unknown owner":           {"space", "create", "--name", "other", "--owner", "usr_00000000000000000000000000"},
	} {
		t.Run("fails: "+rule, func(t *testing.T) {
			r := run(append(args, "--json")...)
			require.Equal(t, 1, r.code, r.errors)
			require.Empty(t, r.out)
			require.Len(t, lines(r.errors), 1, "one line says what is wrong: %s", r.errors)
			require.NotContains(t, r.errors, "SQLSTATE", "an operator reads sentences")
		})
	}
	for rule, args := range map[string][]string{
		"an unknown command":        {"fly"},
		"an unknown subcommand":     {"actor", "praise"},
		"an unknown flag":           {"serve", "--fast"},
		"an unknown kind":           {"actor", "create", "--kind", "cat", "--name", "x"},
		"an agent without a name":   {"actor", "create", "--kind", "usr"},
		"an agent without a party":  {"actor", "create", "--kind", "ai", "--name", "x"},
		"an unknown verification":   {"actor", "create", "--kind", "usr", "--name", "x", "--verified", "moon"},
		"an unknown scope":          {"key", "create", "--actor", aid, "--scopes", "all"},
		"a strange expiry":          {"key", "create", "--actor", aid, "--expires", "soon"},
		"an expiry in the past":     {"key", "create", "--actor", aid, "--expires", "-1h"},
		"too many arguments":        {"version", "now"},
		"too few arguments":         {"actor", "show"},
		"a malformed ID":            {"actor", "show", "usr_x"},
		"a role that is none":       {"space", "add-member", sid, "--actor", aid, "--role", "king"},
		"a listen address for all":  {"serve", "--addr", "0.0.0.0:0"},
		"a setting that is no size": {"config", "--workers", "many"},
		"nothing to serve":          {"serve", "--no-api", "--no-workers"},
	} {
		t.Run("usage: "+rule, func(t *testing.T) {
			r := run(append(args, "--json")...)
			require.Equal(t, 2, r.code, r.errors)
			require.Empty(t, r.out)
			require.NotEmpty(t, r.errors)
		})
	}
}

package jobs_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/jobs"
	"interai/store"
)

// court is a database with parties, claims and verdicts of the test's making, and no node.
type court struct {
	t     *testing.T
	db    *store.Store
	now   time.Time
	rows  [][]any
	seq   map[uuid.UUID]int64
	count int
}

func newCourt(t *testing.T) *court {
	t.Helper()
	db, err := store.Open(store.Options{ConnString: pgtest.NewMigrated(t, stack.Migrate), MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return &court{t: t, db: db, now: time.Now(), seq: map[uuid.UUID]int64{}}
}

func (c *court) exec(sql string, args ...any) {
	c.t.Helper()
	_, err := c.db.Pool().Exec(c.t.Context(), sql, args...)
	require.NoError(c.t, err)
}

// party makes a party of an age: a human with an agent.
func (c *court) party(age time.Duration) (human, agent store.ID) {
	c.t.Helper()
	c.count++
	h, err := c.db.CreateActor(c.t.Context(), store.NewActor{Kind: store.KindUser, Name: fmt.Sprint("human ", c.count)})
	require.NoError(c.t, err)
	a, err := c.db.CreateActor(c.t.Context(), store.NewActor{Kind: store.KindAgent, Name: fmt.Sprint("agent ", c.count), Controller: h.ID})
	require.NoError(c.t, err)
	c.exec(`update actors set created_at = $2 where id = $1`, h.ID.UUID, c.now.Add(-age))
	return h.ID, a.ID
}

func (c *court) parties(n int, age time.Duration) (humans, agents []store.ID) {
	c.t.Helper()
	for range n {
		human, agent := c.party(age)
		humans, agents = append(humans, human), append(agents, agent)
	}
	return humans, agents
}

// claims makes claims that an actor was the first to state.
func (c *court) claims(by store.ID, n int) []store.ID {
	c.t.Helper()
	ids := make([]uuid.UUID, n)
	out := make([]store.ID, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
		out[i] = store.ID{Kind: store.KindClaim, UUID: ids[i]}
	}
	c.exec(`insert into claims (id, text, normal_form, key_version, claim_key, language, first_stated_by)
	        select id, 'claim', 'claim', 1, sha256(id::text::bytea), 'en', $2 from unnest($1::uuid[]) as u (id)`, ids, by.UUID)
	c.exec(`insert into target_heads (target_id, kind, last_seq, queued, need) select id, 'clm', 0, false, false from unnest($1::uuid[]) as u (id)`, ids)
	return out
}

// idAt is a UUIDv7 of a moment.
func idAt(at time.Time) uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	return id
}

// says adds a verdict, which flush stores.
func (c *court) says(by, target store.ID, ago time.Duration, verdict, note string) {
	at := c.now.Add(-ago)
	c.seq[target.UUID]++
	c.rows = append(c.rows, []any{target.UUID, c.seq[target.UUID], idAt(at), by.UUID, at, verdict, note})
}

func (c *court) flush() {
	c.t.Helper()
	for _, row := range c.rows {
		c.exec(`insert into evidence (target_id, seq, id, kind, actor_id, recorded_at, verdict, confidence, note)
		        values ($1, $2, $3, 'review', $4, $5, $6, 1, nullif($7, ''))`, row...)
	}
	c.rows = nil
}

// look runs the job once.
func (c *court) look() []store.Case {
	c.t.Helper()
	c.flush()
	return lookFor(c.t, c.db)
}

func lookFor(t *testing.T, db *store.Store) []store.Case {
	t.Helper()
	require.NoError(t, jobs.NewSignalWorker(db, slog.New(slog.DiscardHandler)).Work(t.Context(), &river.Job[jobs.SignalArgs]{}))
	var cases []store.Case
	require.NoError(t, db.Read(t.Context(), func(v *store.Snapshot) (err error) {
		cases, err = v.Cases(t.Context(), store.CaseQuery{State: store.CasesAll, Origin: store.OriginSignal, Limit: store.MaxCases})
		return err
	}))
	return cases
}

func factsOf(t *testing.T, c *store.Case) map[string]any {
	t.Helper()
	var facts map[string]any
	require.NoError(t, json.Unmarshal(c.Facts, &facts))
	return facts
}

func reasonsOf(cases []store.Case) (out []string) {
	for i := range cases {
		out = append(out, cases[i].Reason)
	}
	return out
}

// crowd are honest parties that each judge some of many claims, at times of their own; one of the claims is popular.
func (c *court) crowd() (agents, claims []store.ID) {
	c.t.Helper()
	_, agents = c.parties(30, 300*24*time.Hour)
	claims = c.claims(agents[0], 300)
	random := rand.New(rand.NewPCG(1, 2))
	for i, agent := range agents[1:] {
		for _, k := range random.Perm(299)[:15] {
			verdict := []string{"confirmed", "mostly_correct", "false"}[random.IntN(3)]
			c.says(agent, claims[1+k], time.Duration(5+random.IntN(2000))*time.Hour, verdict, "")
		}
		c.says(agent, claims[0], time.Duration(i*50+3)*time.Hour, "confirmed", "")
	}
	return agents, claims
}

func TestHonestPartiesRaiseNoSignal(t *testing.T) {
	t.Parallel()
	c := newCourt(t)
	agents, claims := c.crowd()
	steady := claims[0]
	for hour := range 24 * 20 {
		for k := range 1 + hour%2 {
			c.says(agents[1+(hour+k*7)%29], steady, time.Duration(hour)*time.Hour+time.Duration(k)*time.Minute, "confirmed", "")
		}
	}
	require.Empty(t, c.look(), "a popular target and a steady rate are nothing to look at")
}

func TestARingIsFlaggedWithItsNumbers(t *testing.T) {
	t.Parallel()
	c := newCourt(t)
	c.crowd()
	humans, agents := c.parties(3, 200*24*time.Hour)
	for author := range agents {
		for i, target := range c.claims(agents[author], 12) {
			for judge := range agents {
				if judge != author {
					c.says(agents[judge], target, time.Duration(40+i*13)*time.Hour+time.Duration(judge)*time.Minute, "confirmed", "")
				}
			}
		}
	}
	cases := c.look()
	require.Equal(t, []string{jobs.SignalCollusion, jobs.SignalCollusion, jobs.SignalCollusion}, reasonsOf(cases), "each of its pairs")
	for i := range cases {
		require.Contains(t, humans, cases[i].Root)
		facts := factsOf(t, &cases[i])
		require.InDelta(t, 12, facts["shared"], 0)
		require.InDelta(t, 12, facts["agreed"], 0)
		require.Greater(t, facts["likelihood_ratio"], 15.1)
		require.Equal(t, true, facts["reciprocal"])
		require.LessOrEqual(t, facts["median_gap_seconds"], 120.0)
		require.Contains(t, facts["sentence"], "agreed on 12 of 12 shared targets")
		require.Len(t, facts["parties"], 2)
		require.Zero(t, cases[i].Actor)
		require.Empty(t, cases[i].Masked)
	}
}

func TestABurstOfYoungPartiesIsFlagged(t *testing.T) {
	t.Parallel()
	c := newCourt(t)
	_, claims := c.crowd()
	humans, agents := c.parties(25, 2*24*time.Hour)
	hour := c.now.Sub(c.now.Truncate(time.Hour)) + 3*time.Hour
	for i, agent := range agents {
		c.says(agent, claims[7], hour-time.Duration(i)*time.Minute, "confirmed", "")
	}
	cases := c.look()
	require.Equal(t, []string{jobs.SignalBurst}, reasonsOf(cases))
	require.Equal(t, humans[0], cases[0].Root, "the first of them")
	facts := factsOf(t, &cases[0])
	require.InDelta(t, 25, facts["count"], 0)
	require.InDelta(t, 25, facts["young"], 0)
	require.Less(t, facts["probability"], 1e-6)
	require.Equal(t, claims[7].String(), facts["target"])
}

func TestABurstLongAgoIsNotRaised(t *testing.T) {
	t.Parallel()
	c := newCourt(t)
	_, author := c.party(0)
	target := c.claims(author, 1)[0]
	_, agents := c.parties(25, 41*24*time.Hour)
	for _, agent := range agents {
		c.says(agent, target, 40*24*time.Hour, "confirmed", "")
	}
	require.Empty(t, c.look())
}

func TestFivePartiesWithOneVoiceAreFlagged(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("we ran the migration against a copy of production and the lock was held for four seconds ", 3) + "in run number one"
	other := "our own measurements on three clusters show that the timeout of the pool must be raised before the first deploy, since the " +
		"check for idle connections closes those which the proxy still takes for alive and the next query fails at once"
	for name, tc := range map[string]struct {
		notes   []string
		flagged bool
	}{
		"short and equal":         {[]string{"It works exactly as the author says here.", "it works exactly as the author says here", "It works, exactly as the author says: here", "It works exactly as the author says here!", "IT works exactly as the author says here"}, true},
		"long and nearly equal":   {[]string{long, strings.ToUpper(long), long + " twice", strings.Replace(long, "one", "two", 1), "Well, " + long}, true},
		"short and not equal":     {[]string{"It works exactly as the author says on Monday", "It works exactly as the author says on Tuesday", "It works exactly as the author says on Wednesday", "It works exactly as the author says on Friday", "It works exactly as the author says on Sunday"}, false},
		"too short to mean much":  {[]string{"works fine", "works fine", "works fine", "works fine", "works fine"}, false},
		"four of them":            {[]string{long, long, long, long, other}, false},
		"long and of their own":   {[]string{other, long, "", "", ""}, false},
		"four and one of its own": {[]string{long, long, long, long, "", long[:40]}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCourt(t)
			_, author := c.party(400 * 24 * time.Hour)
			target := c.claims(author, 1)[0]
			humans, agents := c.parties(len(tc.notes), 300*24*time.Hour)
			for i, note := range tc.notes {
				c.says(agents[i], target, time.Duration(100-i*5)*time.Hour, "confirmed", note)
			}
			cases := c.look()
			if !tc.flagged {
				require.Empty(t, cases)
				return
			}
			require.Equal(t, []string{jobs.SignalNearIdentical}, reasonsOf(cases))
			require.Equal(t, humans[0], cases[0].Root)
			require.InDelta(t, 5, factsOf(t, &cases[0])["size"], 0)
			require.NotContains(t, string(cases[0].Facts), "works", "the facts hold no text")
		})
	}
}

func TestOnePartyWithManyAgentsIsOneVoice(t *testing.T) {
	t.Parallel()
	c := newCourt(t)
	_, author := c.party(400 * 24 * time.Hour)
	target := c.claims(author, 1)[0]
	human, _ := c.party(300 * 24 * time.Hour)
	for i := range 8 {
		agent, err := c.db.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: fmt.Sprint("another ", i), Controller: human})
		require.NoError(t, err)
		c.says(agent.ID, target, time.Hour, "confirmed", "It works exactly as the author says here.")
	}
	require.Empty(t, c.look())
}

func TestPartiesThatShareADomainOrANetworkAreFlagged(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		mails, networks []string
		apart           time.Duration
		want            string
	}{
		"a domain of their own":   {mails: []string{"a@mail.acme.example.com", "b@acme.example.com"}, want: `"domain": "example.com"`},
		"a provider of mailboxes": {mails: []string{"a@gmail.com", "b@gmail.com"}},
		"two domains":             {mails: []string{"a@one.com", "b@two.com"}},
		"one network in one day":  {networks: []string{"198.51.100.0/24", "198.51.100.0/24"}, apart: 23 * time.Hour, want: `"network": "198.51.100.0/24"`},
		"one network, days apart": {networks: []string{"198.51.100.0/24", "198.51.100.0/24"}, apart: 24 * time.Hour},
		"a network of version 6":  {networks: []string{"2001:db8:7::/48", "2001:db8:7::/48"}, want: `"network": "2001:db8:7::/48"`},
		"a private network":       {networks: []string{"10.1.2.0/24", "10.1.2.0/24"}},
		"the machine itself":      {networks: []string{"127.0.0.0/24", "127.0.0.0/24"}},
		"two networks":            {networks: []string{"198.51.100.0/24", "203.0.113.0/24"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCourt(t)
			_, author := c.party(400 * 24 * time.Hour)
			target := c.claims(author, 1)[0]
			humans, agents := c.parties(2, 300*24*time.Hour)
			for i := range agents {
				c.says(agents[i], target, time.Duration(1+i*50)*time.Hour, "confirmed", "")
				if tc.mails != nil {
					c.exec(`insert into proofs (id, actor_id, kind, subject, expires_at, proved_at) values ($1, $2, 'email', $3, now(), now())`,
						uuid.Must(uuid.NewV7()), humans[i].UUID, tc.mails[i])
				}
				if tc.networks != nil {
					c.exec(`insert into api_keys (id, hash, actor_id, scopes, created_at, last_used_at, last_used_from)
					        values ($1, sha256($1::text::bytea), $2, '{read}', $3, now(), $4::text::cidr)`,
						fmt.Sprintf("key%09d", i), agents[i].UUID, c.now.Add(-10*24*time.Hour+time.Duration(i)*tc.apart), tc.networks[i])
				}
			}
			cases := c.look()
			if tc.want == "" {
				require.Empty(t, cases)
				return
			}
			require.Equal(t, []string{jobs.SignalSoftLink}, reasonsOf(cases))
			require.Contains(t, string(cases[0].Facts), tc.want)
			require.NotContains(t, string(cases[0].Facts), "@", "no address")
		})
	}
}

func TestASignalIsCountedAndADecidedOneRests(t *testing.T) {
	t.Parallel()
	c := newCourt(t)
	_, author := c.party(400 * 24 * time.Hour)
	target := c.claims(author, 1)[0]
	_, agents := c.parties(9, 300*24*time.Hour)
	say := func(from, to int) {
		for i, agent := range agents[from:to] {
			c.says(agent, target, time.Duration(100-(from+i)*5)*time.Hour, "confirmed", "It works exactly as the author says here.")
		}
	}
	say(0, 5)
	require.Equal(t, 1, c.look()[0].Times)
	say(5, 6)
	cases := c.look()
	require.Len(t, cases, 1)
	require.Equal(t, 2, cases[0].Times)
	require.InDelta(t, 6, factsOf(t, &cases[0])["size"], 0, "with the numbers of today")

	decider, _ := c.party(0)
	require.NoError(t, c.db.Write(t.Context(), func(tx *store.Tx) error {
		return tx.DecideCase(context.Background(), cases[0].ID, "false_alarm", decider, "one of them quoted the others")
	}))
	say(6, 8)
	require.Len(t, c.look(), 1, "8 is less than 6 and a half of it")
	say(8, 9)
	cases = c.look()
	require.Len(t, cases, 2, "9 is not")
	require.True(t, cases[0].Open)
	require.Equal(t, cases[1].Fingerprint, cases[0].Fingerprint)

	require.NoError(t, c.db.Write(t.Context(), func(tx *store.Tx) error {
		return tx.DecideCase(context.Background(), cases[0].ID, "uphold", decider, "one voice")
	}))
	require.Len(t, c.look(), 2)
	c.exec(`update moderation_cases set decided_at = decided_at - interval '31 days'`)
	require.Len(t, c.look(), 3, "after 30 days it is asked again")
}

func TestVerdictsThatDoNotCountRaiseNothing(t *testing.T) {
	t.Parallel()
	const note = "It works exactly as the author says here."
	for name, spoil := range map[string]func(c *court, target store.ID, agents []store.ID){
		"of the demonstration": func(c *court, _ store.ID, agents []store.ID) {
			c.exec(`update actors set demo = true where id in (select root_controller_id from actors where id = $1)`, agents[0].UUID)
		},
		"older than the window": func(c *court, _ store.ID, _ []store.ID) {
			c.rows[0][2], c.rows[0][4] = idAt(c.now.Add(-91*24*time.Hour)), c.now.Add(-91*24*time.Hour)
		},
		"that say nothing": func(c *court, _ store.ID, _ []store.ID) { c.rows[0][5] = "cannot_verify" },
		"of the author": func(c *court, target store.ID, agents []store.ID) {
			own := c.claims(agents[0], 1)[0]
			for i := range c.rows {
				c.rows[i][0] = own.UUID
			}
		},
		"that are retracted": func(c *court, target store.ID, agents []store.ID) {
			id := c.rows[0][2]
			c.flush()
			c.exec(`insert into evidence (target_id, seq, id, kind, actor_id, retracts) values ($1, 99, $2, 'retraction', $3, $4)`,
				target.UUID, uuid.Must(uuid.NewV7()), agents[0].UUID, id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCourt(t)
			_, author := c.party(400 * 24 * time.Hour)
			target := c.claims(author, 1)[0]
			_, agents := c.parties(5, 300*24*time.Hour)
			for i := range agents {
				c.says(agents[i], target, time.Duration(1+i)*time.Hour, "confirmed", note)
			}
			spoil(c, target, agents)
			require.Empty(t, c.look(), "four voices are left")
		})
	}
}

// What is computed from evidence is the same to the last bit before and after.
func TestSignalsChangeNoTrust(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := []store.ID{parse(t, b.publish(b.voices[0], nil).RevisionID), parse(t, b.publish(b.voices[0], nil).RevisionID)}
	for i := range 6 {
		_, _, key := b.Party(store.Verification{Email: i%2 == 0})
		client := b.Client(key)
		for _, item := range items {
			b.Must(client, "report_usage", map[string]any{
				"target": item.String(), "usage_type": "implementation", "result": "success", "real_world_use": true,
				"note": "It works exactly as the author says here.",
			}, nil)
		}
	}
	b.settle(items)
	tables := []string{"target_states", "trust_snapshots", "trust_stats", "status_history", "evidence", "target_heads"}
	// Whether a job is on its way to a target that has nothing new is no evidence: a sweep may mark it at any time.
	row := "(to_jsonb(r) - '{queued,need}'::text[])::text"
	digests := func() (out []string) {
		for _, name := range tables {
			var digest string
			require.NoError(t, b.Store.Pool().QueryRow(t.Context(),
				`select coalesce(md5(string_agg(`+row+`, E'\n' order by `+row+`)), '') from `+name+` r`).Scan(&digest))
			out = append(out, digest)
		}
		return out
	}
	before := digests()
	require.Equal(t, []string{jobs.SignalNearIdentical, jobs.SignalNearIdentical}, reasonsOf(lookFor(t, b.Store)))
	require.Equal(t, before, digests())
}

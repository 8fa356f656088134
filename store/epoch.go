package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// EpochTarget is what an epoch reads of one target: everybody's statistics under one version, and who wrote it.
type EpochTarget struct {
	ID ID
	// Author is the actor that wrote the target, or first stated the claim, with its root; the zero values for an entity.
	Author, AuthorRoot uuid.UUID
	// Value is what is published under the version; the prior where nothing is.
	Value float64
	Stats []StatRow
}

// Controlled is an agent and the actor that answers for it.
type Controlled struct{ Actor, Controller uuid.UUID }

// EpochReader reads all evidence of one version on one snapshot of the database.
type EpochReader struct {
	tx    pgx.Tx
	model int16
	// Now is the moment as of which evidence is aged.
	Now time.Time
	// Epoch is the sealed epoch that the version reads.
	Epoch int32
}

// ReadEpoch runs work on one snapshot. It may take long; nothing waits for it.
func (s *Store) ReadEpoch(ctx context.Context, model int16, work func(*EpochReader) error) error {
	return s.Read(ctx, func(v *Snapshot) error {
		r := &EpochReader{tx: v.tx, model: model}
		err := v.tx.QueryRow(ctx, `select clock_timestamp(), epoch from trust_models where id = $1`, model).Scan(&r.Now, &r.Epoch)
		if errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("trust model %d: %w", model, ErrNotFound)
		}
		if err != nil {
			return fmt.Errorf("read the version's epoch: %w", err)
		}
		return work(r)
	})
}

const epochHeads = `
	select h.target_id, h.kind, a.id, a.root_controller_id, coalesce(s.value, 0.5)
	from (select target_id, kind, revision_id, claim_id from target_heads
	      where target_id > $2 order by target_id limit $3) h
	left join revisions v on v.id = h.revision_id
	left join claims k on k.id = h.claim_id
	left join actors a on a.id = coalesce(v.author_id, k.first_stated_by)
	left join trust_snapshots s on s.target_id = h.target_id and s.model_id = $1
	order by h.target_id`

// Page reads up to limit targets after the given one; none are left when it answers nothing.
func (r *EpochReader) Page(ctx context.Context, after uuid.UUID, limit int) ([]*EpochTarget, error) {
	rows, err := r.tx.Query(ctx, epochHeads, r.model, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read targets of an epoch: %w", err)
	}
	page, err := pgx.CollectRows(rows, scanEpochTarget)
	if err != nil {
		return nil, fmt.Errorf("read targets of an epoch: %w", err)
	}
	ids := make([]uuid.UUID, len(page))
	at := make(map[uuid.UUID]*EpochTarget, len(page))
	for i, target := range page {
		ids[i], at[target.ID.UUID] = target.ID.UUID, target
	}
	var p pipeline
	scan(&p, func(row pgx.CollectableRow) error {
		target, stat, err := scanStatRow(row)
		if err == nil {
			at[target].Stats = append(at[target].Stats, stat)
		}
		return err
	}, statsUnder, ids, r.model)
	if err := p.send(ctx, r.tx); err != nil {
		return nil, fmt.Errorf("read evidence of an epoch: %w", err)
	}
	return page, nil
}

func scanEpochTarget(row pgx.CollectableRow) (*EpochTarget, error) {
	var t EpochTarget
	var author, root *uuid.UUID
	err := row.Scan(&t.ID.UUID, &t.ID.Kind, &author, &root, &t.Value)
	if author != nil && root != nil {
		t.Author, t.AuthorRoot = *author, *root
	}
	return &t, err
}

// Agents reads which agents answer to whom.
func (r *EpochReader) Agents(ctx context.Context) ([]Controlled, error) {
	rows, err := r.tx.Query(ctx, `select id, controller_id from actors where kind = 'ai' order by id`)
	if err != nil {
		return nil, fmt.Errorf("read agents: %w", err)
	}
	agents, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Controlled])
	if err != nil {
		return nil, fmt.Errorf("read agents: %w", err)
	}
	return agents, nil
}

// RatingPool is the mean of all scores of one dimension.
type RatingPool struct {
	Dimension string
	Mean      float64
	Raters    int64
}

// Means are rounded to whole thousandths of a point, so that no order of addition can show.
const ratingPools = `
	select e.dimension, round(avg(e.score::numeric), 3)::float8 as mean, count(distinct a.root_controller_id) as raters
	from evidence e join actors a on a.id = e.actor_id
	where e.kind = 'rating' and not exists (select from evidence r where r.retracts = e.id)
	group by e.dimension order by e.dimension`

// Pools reads the mean of each dimension over all active ratings.
func (r *EpochReader) Pools(ctx context.Context) ([]RatingPool, error) {
	rows, err := r.tx.Query(ctx, ratingPools)
	if err != nil {
		return nil, fmt.Errorf("read rating pools: %w", err)
	}
	pools, err := pgx.CollectRows(rows, pgx.RowToStructByName[RatingPool])
	if err != nil {
		return nil, fmt.Errorf("read rating pools: %w", err)
	}
	return pools, nil
}

// Tracks reads the tracks of the sealed epoch on the same snapshot.
func (r *EpochReader) Tracks(ctx context.Context) ([]PartyTrack, error) {
	rows, err := r.tx.Query(ctx, selectTracks, r.model, r.Epoch)
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", err)
	}
	tracks, err := pgx.CollectRows(rows, scanTrack)
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", err)
	}
	return tracks, nil
}

// Reputation is what is shown of an actor.
type Reputation struct {
	Actor                       uuid.UUID
	Value                       float64
	Right, Wrong                float64
	AuthoredPlus, AuthoredMinus float64
}

// SealedEpoch is what an epoch found.
type SealedEpoch struct {
	Model   int16
	No      int32
	AsOfBin int32
	// Targets and Opinions were read; Merged parties act in lockstep with another one.
	Targets, Opinions, Parties, Merged int64
	StartedAt                          time.Time
	// Changed are the tracks that are not what they were. Reputations are all that are known.
	Changed     []PartyTrack
	Reputations []Reputation
	Pools       []RatingPool
}

// ErrEpochTaken says that another process has sealed the same epoch of a version.
var ErrEpochTaken = errors.New("the epoch has been sealed by another process")

const (
	// sealChunk bounds one statement of a sealing.
	sealChunk = 5_000

	insertTracks = `
		insert into party_tracks (model_id, root_id, epoch, party_id, credits, log_plus, log_minus)
		select $1, r.root, $2, r.party, r.credits, r.log_plus, r.log_minus
		from unnest($3::uuid[], $4::uuid[], $5::float8[], $6::float8[], $7::float8[])
		         as r (root, party, credits, log_plus, log_minus)`

	upsertReputations = `
		insert into actor_reputations as o (model_id, actor_id, epoch, reputation, credits_right, credits_wrong,
		                                    authored_plus, authored_minus)
		select $1, r.actor, $2, r.value, r.good, r.bad, r.plus, r.minus
		from unnest($3::uuid[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::float8[])
		         as r (actor, value, good, bad, plus, minus)
		on conflict (actor_id, model_id) do update set
			epoch = excluded.epoch, reputation = excluded.reputation, credits_right = excluded.credits_right,
			credits_wrong = excluded.credits_wrong, authored_plus = excluded.authored_plus, authored_minus = excluded.authored_minus
		where (o.reputation, o.credits_right, o.credits_wrong, o.authored_plus, o.authored_minus) is distinct from
		      (excluded.reputation, excluded.credits_right, excluded.credits_wrong, excluded.authored_plus, excluded.authored_minus)`

	insertPools = `
		insert into rating_pools (model_id, dimension, epoch, mean, raters)
		select $1, r.dimension, $2, r.mean, r.raters from unnest($3::text[], $4::float8[], $5::bigint[]) as r (dimension, mean, raters)
		where (r.mean, r.raters) is distinct from (
			select (o.mean, o.raters) from rating_pools o
			where o.model_id = $1 and o.dimension = r.dimension order by o.epoch desc limit 1)`

	sealEpoch = `
		with sealed as (update trust_models set epoch = $2 where id = $1 and epoch = $2 - 1 returning id)
		insert into trust_epochs (model_id, no, as_of_bin, targets, opinions, parties, merged, started_at)
		select id, $2, $3, $4, $5, $6, $7, $8 from sealed`
)

// SealEpoch stores an epoch and makes the version read it. ErrEpochTaken: another process was faster.
func (t *Tx) SealEpoch(ctx context.Context, e *SealedEpoch) error {
	// Another process that seals the same epoch is waited for, to be told from a database that is away.
	if err := t.bePatient(ctx); err != nil {
		return err
	}
	tag, err := t.tx.Exec(ctx, sealEpoch, e.Model, e.No, e.AsOfBin, e.Targets, e.Opinions, e.Parties, e.Merged, e.StartedAt)
	if err != nil {
		return fmt.Errorf("seal an epoch: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("epoch %d: %w", e.No, ErrEpochTaken)
	}
	for chunk := range slices.Chunk(e.Changed, sealChunk) {
		if err := t.insertTracks(ctx, e, chunk); err != nil {
			return err
		}
	}
	if err := t.replaceReputations(ctx, e); err != nil {
		return err
	}
	dimensions, means, raters := make([]string, len(e.Pools)), make([]float64, len(e.Pools)), make([]int64, len(e.Pools))
	for i, pool := range e.Pools {
		dimensions[i], means[i], raters[i] = pool.Dimension, pool.Mean, pool.Raters
	}
	if _, err := t.tx.Exec(ctx, insertPools, e.Model, e.No, dimensions, means, raters); err != nil {
		return fmt.Errorf("store rating pools: %w", err)
	}
	return nil
}

func (t *Tx) insertTracks(ctx context.Context, e *SealedEpoch, tracks []PartyTrack) error {
	n := len(tracks)
	roots, parties := make([]uuid.UUID, n), make([]uuid.UUID, n)
	credits, plus, minus := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, track := range tracks {
		roots[i], parties[i] = track.Root, track.Party
		credits[i], plus[i], minus[i] = track.Track.Credits, track.Track.LogPlus, track.Track.LogMinus
	}
	if _, err := t.tx.Exec(ctx, insertTracks, e.Model, e.No, roots, parties, credits, plus, minus); err != nil {
		return fmt.Errorf("store tracks: %w", err)
	}
	return nil
}

// replaceReputations stores what is known and forgets what no longer is, writing only what differs.
func (t *Tx) replaceReputations(ctx context.Context, e *SealedEpoch) error {
	known := make(map[uuid.UUID]bool, len(e.Reputations))
	for chunk := range slices.Chunk(e.Reputations, sealChunk) {
		n := len(chunk)
		actors, values := make([]uuid.UUID, n), make([]float64, n)
		right, wrong, plus, minus := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i, r := range chunk {
			actors[i], values[i], known[r.Actor] = r.Actor, r.Value, true
			right[i], wrong[i], plus[i], minus[i] = r.Right, r.Wrong, r.AuthoredPlus, r.AuthoredMinus
		}
		if _, err := t.tx.Exec(ctx, upsertReputations, e.Model, e.No, actors, values, right, wrong, plus, minus); err != nil {
			return fmt.Errorf("store reputations: %w", err)
		}
	}
	stored, err := collectUUIDs(ctx, t.tx, `select actor_id from actor_reputations where model_id = $1`, e.Model)
	if err != nil {
		return err
	}
	var gone []uuid.UUID
	for _, actor := range stored {
		if !known[actor] {
			gone = append(gone, actor)
		}
	}
	if _, err := t.tx.Exec(ctx, `delete from actor_reputations where model_id = $1 and actor_id = any ($2)`, e.Model, gone); err != nil {
		return fmt.Errorf("forget reputations: %w", err)
	}
	return nil
}

// NewcomerReputation is what an actor without a track record shows.
const NewcomerReputation = .5

// Reputations reads what is shown of actors under the active version.
func (v *Snapshot) Reputations(ctx context.Context, actors []ID) (map[uuid.UUID]float64, error) {
	out := make(map[uuid.UUID]float64, len(actors))
	for _, actor := range actors {
		out[actor.UUID] = NewcomerReputation
	}
	rows, err := v.tx.Query(ctx, `
		select r.actor_id, r.reputation from actor_reputations r join trust_models m on m.id = r.model_id
		where r.actor_id = any ($1) and m.state = 'active'`, uuids(actors))
	if err != nil {
		return nil, fmt.Errorf("read reputations: %w", err)
	}
	var actor uuid.UUID
	var value float64
	if _, err := pgx.ForEachRow(rows, []any{&actor, &value}, func() error {
		out[actor] = value
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read reputations: %w", err)
	}
	return out, nil
}

// scanStatRow reads one row of statistics with its member.
func scanStatRow(row pgx.CollectableRow) (uuid.UUID, StatRow, error) {
	var target uuid.UUID
	var out StatRow
	s, m := &out.Sums, &out.Member
	err := row.Scan(&target, &out.Model, &out.Index, &out.Family, &s.UsagePos, &s.UsageNeg, &s.ReviewPos, &s.ReviewNeg,
		&s.UngroundedPos, &s.UngroundedNeg, &s.Asserted, &s.RealWorld, &s.Records, &s.Outdated,
		&m.Actor, &m.Root, &m.Identity.Email, &m.Identity.Domain, &m.Identity.Vouched)
	return target, out, err
}

// EpochAt reads which epoch of a version was sealed at a moment, 0 for none.
func (v *Snapshot) EpochAt(ctx context.Context, model int16, at time.Time) (int32, error) {
	var no int32
	err := v.tx.QueryRow(ctx, `select coalesce(max(no), 0) from trust_epochs where model_id = $1 and sealed_at <= $2`, model, at).Scan(&no)
	if err != nil {
		return 0, fmt.Errorf("read the epoch of a moment: %w", err)
	}
	return no, nil
}

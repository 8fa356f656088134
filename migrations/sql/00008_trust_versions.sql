-- +goose Up

-- What a target's trust depends on beside its evidence (controllers, reputation, the revision before it, relations,
-- claims) moves this counter, so that a lost wake-up can be told from a finished one, like applied_seq < last_seq.
alter table target_heads add column wakes bigint not null default 0 check (wakes >= 0);
alter table target_states add column wakes bigint not null default 0 check (wakes >= 0);
-- What the parties of a target with very much evidence add up to, as of one bin and epoch: new evidence then reads the
-- statistics of those who gave it, and of nobody else.
alter table target_states
    add column running jsonb,
    add column running_bin integer,
    add column running_epoch integer,
    add constraint target_states_running check (num_nonnulls(running, running_bin, running_epoch) in (0, 3));

-- A version reads one sealed epoch: who counts as one party, and what each party's record weighs.
alter table trust_models
    add column parent text not null default '',
    add column note text not null default '' check (char_length(note) <= 1000),
    add column epoch integer not null default 0 check (epoch >= 0);

create table trust_epochs (
    model_id    smallint not null references trust_models (id),
    no          integer not null check (no >= 1),
    as_of_bin   integer not null,
    targets     bigint not null,
    opinions    bigint not null,
    parties     bigint not null,
    merged      bigint not null,
    started_at  timestamptz not null,
    sealed_at   timestamptz not null default clock_timestamp(),
    primary key (model_id, no)
);

-- The track of a root controller from one epoch on, until a later row replaces it: epochs that change nothing store
-- nothing, and every older epoch can still be read. Roots that act in lockstep share one party.
create table party_tracks (
    model_id   smallint not null references trust_models (id),
    root_id    uuid not null references actors (id),
    epoch      integer not null check (epoch >= 1),
    party_id   uuid not null references actors (id),
    credits    double precision not null check (credits >= 0),
    log_plus   double precision not null,
    log_minus  double precision not null,
    primary key (root_id, model_id, epoch)
);
create index party_tracks_by_party on party_tracks (party_id, model_id);

-- Shown only, never a weight.
create table actor_reputations (
    model_id        smallint not null references trust_models (id),
    actor_id        uuid not null references actors (id),
    epoch           integer not null check (epoch >= 1),
    reputation      double precision not null check (reputation between 0 and 1),
    credits_right   double precision not null check (credits_right >= 0),
    credits_wrong   double precision not null check (credits_wrong >= 0),
    authored_plus   double precision not null check (authored_plus >= 0),
    authored_minus  double precision not null check (authored_minus >= 0),
    primary key (actor_id, model_id)
);

-- The mean score of each dimension over all targets, as sealed with an epoch.
create table rating_pools (
    model_id   smallint not null references trust_models (id),
    dimension  text not null,
    epoch      integer not null check (epoch >= 1),
    mean       double precision not null check (mean between 0 and 100),
    raters     bigint not null,
    primary key (model_id, dimension, epoch)
);

-- Ungrounded reviews that rest on a source are kept apart by its family: they share a cap.
alter table trust_stats add column family text not null default '';
alter table trust_stats drop constraint trust_stats_pkey;
alter table trust_stats add primary key (target_id, model_id, actor_id, bin, family);

alter table trust_snapshots
    add column epoch integer not null default 0,
    add column pending_since timestamptz,
    add column pending_records integer not null default 0 check (pending_records >= 0);
alter table trust_snapshots add constraint trust_snapshots_pending
    check ((pending_status is null) = (pending_since is null));
create index trust_snapshots_overdue on trust_snapshots (pending_since) where pending_since is not null;

-- How far the computation of a version for all targets has come.
create table trust_backfills (
    model_id     smallint primary key references trust_models (id),
    state        text not null check (state in ('running', 'paused', 'done')),
    after_id     uuid not null default '00000000-0000-0000-0000-000000000000',
    done         bigint not null default 0 check (done >= 0),
    total        bigint not null check (total >= 0),
    started_at   timestamptz not null default clock_timestamp(),
    updated_at   timestamptz not null default clock_timestamp(),
    finished_at  timestamptz
);

-- How far a verification of all stored trust has come, so that it can be taken up again.
create table trust_verifications (
    model_id     smallint primary key references trust_models (id),
    after_id     uuid not null default '00000000-0000-0000-0000-000000000000',
    checked      bigint not null default 0,
    stale        bigint not null default 0,
    wrong        bigint not null default 0,
    total        bigint not null,
    started_at   timestamptz not null default clock_timestamp(),
    updated_at   timestamptz not null default clock_timestamp(),
    finished_at  timestamptz
);

-- The latest score of each rater, dimension and context.
create index evidence_ratings on evidence (target_id, dimension, actor_id, context_key, seq desc) where kind = 'rating';

-- What earlier versions did not compute before there was evidence: revisions that inherit, what is superseded, and what
-- states an incorrect claim. Whatever has a head already is computed anew because trust-v1 has other constants.
insert into target_heads (target_id, kind, last_seq, queued, need, wakes)
select id, 'rev', 0, false, false, 1 from (
    select id from revisions where no > 1
    union
    select c.current_revision_id
    from revision_relations r
    join contents s on s.current_revision_id = r.revision_id
    join contents c on c.id = r.target_content_id
    where r.type = 'supersedes'
    union
    select r.revision_id
    from trust_snapshots p
    join revision_claims r on r.claim_id = p.target_id
    join contents c on c.current_revision_id = r.revision_id
    where p.status = 'incorrect'
) as t (id)
on conflict (target_id) do update set wakes = target_heads.wakes + 1;

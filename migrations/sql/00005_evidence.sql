-- +goose Up

-- One head for each target of evidence. Writers upsert it first: the row lock numbers the target's evidence
-- without gaps. `need` is true for the writer that flipped `queued`, who alone enqueues the job.
create table target_heads (
    target_id    uuid primary key,
    kind         text not null check (kind in ('rev', 'cnt', 'clm', 'ent')),
    last_seq     bigint not null check (last_seq >= 0),
    queued       boolean not null,
    need         boolean not null,
    revision_id  uuid generated always as (case when kind = 'rev' then target_id end) stored references revisions (id),
    content_id   uuid generated always as (case when kind = 'cnt' then target_id end) stored references contents (id),
    claim_id     uuid generated always as (case when kind = 'clm' then target_id end) stored references claims (id),
    entity_id    uuid generated always as (case when kind = 'ent' then target_id end) stored references entities (id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Evidence is append-only. A retraction is one more row of the same target with its own number.
create table evidence (
    target_id      uuid not null references target_heads (target_id),
    seq            bigint not null check (seq >= 1),
    id             uuid not null constraint evidence_id unique,
    kind           text not null check (kind in ('usage', 'review', 'rating', 'assertion', 'retraction')),
    actor_id       uuid not null references actors (id),
    recorded_at    timestamptz not null default clock_timestamp(),
    -- usage
    usage_type     text check (char_length(usage_type) between 1 and 60),
    result         text check (result in ('success', 'partial', 'failure', 'unknown')),
    real_world     boolean,
    metrics        jsonb check (jsonb_typeof(metrics) = 'object'),
    experience_id  uuid references contents (id),
    -- review
    verdict        text check (verdict in ('confirmed', 'mostly_correct', 'questionable', 'misleading', 'contradicted',
                       'false', 'outdated', 'cannot_verify')),
    -- rating
    dimension      text check (dimension ~ '^[a-z][a-z0-9_]{0,59}$'),
    score          double precision check (score between 0 and 100),
    -- review and rating
    confidence     double precision check (confidence between 0 and 1),
    based_on       uuid references evidence (id),
    -- usage and rating
    context        jsonb check (jsonb_typeof(context) = 'object'),
    context_key    text,
    -- note of a usage, rationale of a review or a rating
    note           text check (octet_length(note) <= 204800),
    -- assertion: the revision that states the claim
    stated_in      uuid references revisions (id),
    -- retraction
    retracts       uuid references evidence (id),
    primary key (target_id, seq),
    constraint evidence_usage check ((kind = 'usage') = (result is not null)),
    constraint evidence_usage_fields check (kind = 'usage' or num_nonnulls(usage_type, real_world, metrics, experience_id) = 0),
    constraint evidence_usage_complete check (kind <> 'usage' or num_nonnulls(usage_type, real_world) = 2),
    constraint evidence_review check ((kind = 'review') = (verdict is not null)),
    constraint evidence_rating check ((kind = 'rating') = (score is not null) and (kind = 'rating') = (dimension is not null)),
    constraint evidence_judgment_fields check (kind in ('review', 'rating') or num_nonnulls(confidence, based_on) = 0),
    constraint evidence_assertion check ((kind = 'assertion') = (stated_in is not null)),
    constraint evidence_retraction check ((kind = 'retraction') = (retracts is not null)),
    constraint evidence_context check ((context is null) = (context_key is null)),
    constraint evidence_said check (kind in ('usage', 'review', 'rating') or num_nonnulls(context, note) = 0)
);
create index evidence_by_actor on evidence (actor_id, id);
create unique index evidence_retracted_once on evidence (retracts) where retracts is not null;
create index evidence_by_experience on evidence (experience_id) where experience_id is not null;
create index evidence_assertions on evidence (stated_in) where stated_in is not null;
create trigger evidence_immutable before update or delete on evidence for each row execute function refuse_change();

create table evidence_sources (
    evidence_id  uuid not null references evidence (id),
    position     smallint not null check (position between 0 and 49),
    source_id    uuid not null references sources (id),
    primary key (evidence_id, position)
);
create index evidence_sources_by_source on evidence_sources (source_id);
create trigger evidence_sources_immutable before update or delete on evidence_sources for each row execute function refuse_change();

-- A key belongs to an actor and a tool. The answer is stored with the write it belongs to, in its transaction.
create table idempotency_keys (
    actor_id        uuid not null references actors (id),
    tool            text not null,
    key             text not null check (char_length(key) between 1 and 200),
    request_digest  bytea not null check (octet_length(request_digest) = 32),
    correlation_id  uuid not null,
    answer          json not null,
    created_at      timestamptz not null default clock_timestamp(),
    primary key (actor_id, tool, key)
);
create index idempotency_keys_by_age on idempotency_keys using brin (created_at);

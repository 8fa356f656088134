-- +goose Up

create table trust_models (
    id           smallint primary key generated always as identity,
    name         text not null unique check (name ~ '^[a-z0-9][a-z0-9.-]{0,59}$'),
    parameters   jsonb not null,
    params_hash  text not null check (char_length(params_hash) = 64),
    state        text not null check (state in ('draft', 'shadow', 'active', 'retired')),
    created_at   timestamptz not null default clock_timestamp(),
    activated_at timestamptz
);
create unique index trust_models_one_active on trust_models (state) where state = 'active';

-- Workers lock this row to fold a target's evidence: (applied_seq, last_seq] is folded exactly once.
create table target_states (
    model_id     smallint not null references trust_models (id),
    target_id    uuid not null references target_heads (target_id),
    applied_seq  bigint not null check (applied_seq >= 0),
    version      bigint not null check (version >= 0),
    failed_at    timestamptz,
    failure      text,
    -- Target first: whoever reads a target never meets the others, whatever the planner thinks of their number.
    primary key (target_id, model_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Sufficient statistics of one actor's active evidence about a target in one 30-day bin: integer sums of
-- milli-strength before recency, so any order and any batching give the same bits.
create table trust_stats (
    model_id        smallint not null,
    target_id       uuid not null,
    actor_id        uuid not null references actors (id),
    bin             integer not null,
    usage_pos       bigint not null,
    usage_neg       bigint not null,
    review_pos      bigint not null,
    review_neg      bigint not null,
    ungrounded_pos  bigint not null,
    ungrounded_neg  bigint not null,
    asserted        bigint not null,
    real_world      bigint not null,
    outdated        bigint not null,
    records         bigint not null,
    primary key (target_id, model_id, actor_id, bin),
    foreign key (target_id, model_id) references target_states (target_id, model_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index trust_stats_by_actor on trust_stats (actor_id, target_id);

create table trust_snapshots (
    model_id                  smallint not null,
    target_id                 uuid not null,
    value                     double precision not null check (value between 0 and 1),
    lower_bound               double precision not null check (lower_bound between 0 and 1),
    upper_bound               double precision not null check (upper_bound between 0 and 1),
    alpha                     double precision not null check (alpha > 0),
    beta                      double precision not null check (beta > 0),
    independent_confirmations integer not null check (independent_confirmations >= 0),
    contradictions            integer not null check (contradictions >= 0),
    real_world_confirmations  integer not null check (real_world_confirmations >= 0),
    status                    text not null check (status in ('unverified', 'supported', 'high_confidence', 'disputed',
                                  'outdated', 'incorrect', 'superseded')),
    raw_status                text not null,
    pending_status            text,
    inputs                    jsonb not null,
    -- Active records by kind and value, such as usage.success, and retracted ones; folded with the rest.
    counts                    jsonb not null,
    applied_seq               bigint not null check (applied_seq >= 0),
    version                   bigint not null check (version >= 1),
    as_of_bin                 integer not null,
    computed_at               timestamptz not null default clock_timestamp(),
    primary key (target_id, model_id),
    foreign key (target_id, model_id) references target_states (target_id, model_id),
    check (lower_bound <= value and value <= upper_bound),
    check (real_world_confirmations <= independent_confirmations)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

create table rating_snapshots (
    model_id     smallint not null references trust_models (id),
    target_id    uuid not null references target_heads (target_id),
    dimension    text not null,
    context_key  text not null,
    score        double precision not null check (score between 0 and 100),
    lower_bound  double precision not null,
    upper_bound  double precision not null,
    raters       integer not null check (raters >= 1),
    weight       double precision not null,
    computed_at  timestamptz not null default clock_timestamp(),
    primary key (target_id, model_id, dimension, context_key)
);

create table status_history (
    model_id     smallint not null,
    target_id    uuid not null,
    no           integer not null check (no >= 1),
    from_status  text not null,
    to_status    text not null check (to_status <> from_status),
    reason       text not null,
    applied_seq  bigint not null,
    changed_at   timestamptz not null default clock_timestamp(),
    primary key (target_id, model_id, no),
    foreign key (target_id, model_id) references target_states (target_id, model_id)
);
create trigger status_history_immutable before update or delete on status_history for each row execute function refuse_change();

-- +goose Up

-- Meters of the generic cell rate algorithm: tat is the theoretical arrival time, in microseconds since 1970 by this
-- database's clock. Every write updates one of few rows, so most of a page is left free for their next versions.
create table limits (
    scope          text not null check (scope in ('root', 'actor', 'rejections', 'actors', 'claims')),
    key            uuid not null references actors (id) on delete cascade,
    tat            bigint not null default 0,
    bytes_tat      bigint not null default 0,
    -- Until when the party may not write, because too much of what it wrote was rejected.
    blocked_until  bigint not null default 0,
    -- The operator's own limit for this actor; null: the configured one.
    capacity       integer check (capacity between 1 and 10000000),
    primary key (scope, key)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create function micros(moment timestamptz) returns bigint language sql immutable parallel safe as $$
    select (extract(epoch from moment) * 1000000)::bigint
$$;

-- The pause after which one more passes (package antiabuse/gcra computes the same).
create function limit_emission(capacity integer, span bigint) returns bigint language sql immutable parallel safe as $$
    select (span + capacity - 1) / capacity
$$;

create function limit_reach(capacity integer, span bigint) returns bigint language sql immutable parallel safe as $$
    select capacity * limit_emission(capacity, span)
$$;

create function limit_room(tat bigint, capacity integer, span bigint, moment bigint) returns bigint
language sql immutable parallel safe as $$
    select greatest(0, (moment + limit_reach(capacity, span) - greatest(tat, moment)) / limit_emission(capacity, span))
$$;

-- Why a key was revoked, and from which network, /24 or /48, it was last used.
alter table api_keys add column revoked_reason text not null default '' check (char_length(revoked_reason) <= 200);
alter table api_keys add column last_used_from cidr;

-- An actor is switched off with whoever controls it, however far above.
create function actor_disabled_at(actor uuid) returns timestamptz language sql stable parallel safe as $$
    with recursive chain (controller_id, disabled_at, depth) as (
        select a.controller_id, a.disabled_at, 1 from actors a where a.id = actor
        union all
        select a.controller_id, a.disabled_at, c.depth + 1
        from chain c join actors a on a.id = c.controller_id where c.depth < 10
    )
    select min(c.disabled_at) from chain c
$$;

-- Which addresses and domains actors have proved to be theirs. A link or a record proves it once, before it expires.
create table proofs (
    id           uuid primary key,
    actor_id     uuid not null references actors (id) on delete cascade,
    kind         text not null check (kind in ('email', 'domain')),
    subject      text not null check (subject <> '' and char_length(subject) <= 320),
    expires_at   timestamptz not null,
    proved_at    timestamptz,
    created_at   timestamptz not null default clock_timestamp()
);
create index proofs_by_actor on proofs (actor_id, kind, created_at desc);
create index proofs_by_subject on proofs (kind, subject) where proved_at is not null;

-- Who an identity provider's subjects are here. A token of anybody else is refused.
create table oidc_links (
    issuer      text not null check (issuer <> '' and char_length(issuer) <= 2048),
    subject     text not null check (subject <> '' and char_length(subject) <= 255),
    actor_id    uuid not null references actors (id) on delete cascade,
    -- The most that a token of this subject may do here.
    scopes      text[] not null check (scopes <@ array['read', 'publish', 'usage', 'review', 'rate', 'moderate']),
    created_at  timestamptz not null default clock_timestamp(),
    primary key (issuer, subject)
);
create index oidc_links_by_actor on oidc_links (actor_id);

-- +goose Up

-- Who is signed in to the console. A session is known by the SHA-256 of what its cookie holds, and ends with its key.
create table console_sessions (
    hash        bytea primary key check (octet_length(hash) = 32),
    key_id      text not null references api_keys (id) on delete cascade,
    actor_id    uuid not null references actors (id) on delete cascade,
    -- What every form of the session carries, so that no other page can send one.
    csrf        bytea not null check (octet_length(csrf) = 32),
    created_at  timestamptz not null default clock_timestamp(),
    seen_at     timestamptz not null default clock_timestamp()
);
create index console_sessions_by_key on console_sessions (key_id, created_at desc);
create index console_sessions_by_actor on console_sessions (actor_id);
create index console_sessions_by_seen on console_sessions (seen_at);

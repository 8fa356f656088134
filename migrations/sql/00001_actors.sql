-- +goose Up

-- Actors: humans (usr), organisations (org) and agents (ai). The root controller is kept beside the
-- controller so that counting independent parties never walks a chain.
create table actors (
    id                  uuid primary key,
    kind                text not null check (kind in ('usr', 'org', 'ai')),
    display_name        text not null check (char_length(display_name) between 1 and 200),
    name_key            text not null check (name_key <> ''),
    controller_id       uuid references actors (id),
    root_controller_id  uuid not null references actors (id) deferrable initially deferred,
    controller_depth    smallint not null check (controller_depth between 0 and 8),
    verified_email      boolean not null default false,
    verified_domain     boolean not null default false,
    vouched             boolean not null default false,
    demo                boolean not null default false,
    disabled_at         timestamptz,
    created_at          timestamptz not null default clock_timestamp(),
    constraint actors_agent_has_controller check (kind <> 'ai' or controller_id is not null),
    constraint actors_not_own_controller check (controller_id <> id),
    constraint actors_natural_identity unique nulls not distinct (kind, name_key, controller_id)
);
create index actors_by_controller on actors (controller_id) where controller_id is not null;
create index actors_by_root on actors (root_controller_id);

-- Evidence keeps the actor only; which party an actor belonged to at a moment is read here.
create table controller_history (
    actor_id            uuid not null references actors (id),
    valid_from          timestamptz not null,
    valid_to            timestamptz,
    controller_id       uuid references actors (id),
    root_controller_id  uuid not null references actors (id) deferrable initially deferred,
    primary key (actor_id, valid_from),
    check (valid_to is null or valid_to >= valid_from)
);
create unique index controller_history_one_open on controller_history (actor_id) where valid_to is null;

-- All changes of controllers take one lock: two that would close a cycle together cannot run side by side. It is
-- taken before any row is locked: a change waits for the cascade of another one without holding what that one needs.
-- +goose StatementBegin
create function actors_lock_controllers() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock(7306915206331990001);
    return null;
end $$;
-- +goose StatementEnd
create trigger actors_lock_controllers before update of controller_id on actors
    for each statement execute function actors_lock_controllers();

-- +goose StatementBegin
create function actors_derive_root() returns trigger language plpgsql as $$
declare
    parent actors%rowtype;
    hops   integer;
begin
    if new.controller_id is null then
        new.root_controller_id := new.id;
        new.controller_depth := 0;
        return new;
    end if;
    if tg_op = 'UPDATE' then
        if new.controller_id is distinct from old.controller_id then
            with recursive chain (id, controller_id, depth) as (
                select a.id, a.controller_id, 1 from actors a where a.id = new.controller_id
                union all
                select a.id, a.controller_id, c.depth + 1
                from chain c join actors a on a.id = c.controller_id
                where c.depth < 64
            )
            select count(*) into hops from chain c where c.id = new.id;
            if hops > 0 then
                raise exception 'controller chain of % would be a cycle', new.id
                    using errcode = 'check_violation', constraint = 'actors_no_controller_cycle';
            end if;
        end if;
    end if;
    select * into parent from actors a where a.id = new.controller_id for share;
    if not found then
        raise exception 'controller % does not exist', new.controller_id using errcode = 'foreign_key_violation';
    end if;
    if parent.kind = 'ai' or (new.kind in ('usr', 'org') and parent.kind <> 'org') then
        raise exception 'an actor of kind % cannot be controlled by one of kind %', new.kind, parent.kind
            using errcode = 'check_violation', constraint = 'actors_controller_kind';
    end if;
    new.root_controller_id := parent.root_controller_id;
    new.controller_depth := parent.controller_depth + 1;
    return new;
end $$;
-- +goose StatementEnd
create trigger actors_derive_root before insert or update of controller_id, root_controller_id, controller_depth, kind
    on actors for each row execute function actors_derive_root();

-- +goose StatementBegin
create function actors_follow_root() returns trigger language plpgsql as $$
declare
    moment timestamptz := clock_timestamp();
begin
    if tg_op = 'UPDATE' then
        if new.root_controller_id = old.root_controller_id and new.controller_depth = old.controller_depth
           and new.controller_id is not distinct from old.controller_id then
            return null;
        end if;
        -- The old period ends where the new one begins, and has some length even if the clock was set back.
        update controller_history set valid_to = greatest(moment, valid_from + interval '1 microsecond')
        where actor_id = new.id and valid_to is null returning valid_to into moment;
        -- Children derive their root from this row; each fires this trigger again, down to the leaves.
        update actors set root_controller_id = new.root_controller_id where controller_id = new.id;
    end if;
    insert into controller_history (actor_id, valid_from, controller_id, root_controller_id)
    values (new.id, moment, new.controller_id, new.root_controller_id);
    return null;
end $$;
-- +goose StatementEnd
create trigger actors_follow_root after insert or update of controller_id, root_controller_id, controller_depth
    on actors for each row execute function actors_follow_root();

-- API keys: only the SHA-256 of the key is kept.
create table api_keys (
    id            text primary key check (id ~ '^[0-9A-Za-z]{12}$'),
    hash          bytea not null check (octet_length(hash) = 32),
    actor_id      uuid not null references actors (id),
    name          text not null default '' check (char_length(name) <= 200),
    scopes        text[] not null check (scopes <@ array['read', 'publish', 'usage', 'review', 'rate', 'moderate']),
    allowed_from  cidr[] not null default '{}',
    created_by    uuid references actors (id),
    created_at    timestamptz not null default clock_timestamp(),
    expires_at    timestamptz,
    revoked_at    timestamptz,
    last_used_at  timestamptz
);
create index api_keys_by_actor on api_keys (actor_id);

-- Nodes keep verified keys for seconds; this empties their caches when a key or an actor is switched off.
-- +goose StatementBegin
create function notify_credential_change() returns trigger language plpgsql as $$
begin
    perform pg_notify('interai_keys', '');
    return null;
end $$;
-- +goose StatementEnd
create trigger api_keys_changed after update of revoked_at, expires_at, scopes, hash, allowed_from or delete
    on api_keys for each statement execute function notify_credential_change();
create trigger actors_changed after update of disabled_at, controller_id, root_controller_id
    on actors for each statement execute function notify_credential_change();

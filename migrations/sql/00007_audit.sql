-- +goose Up

-- Every call of every adapter. The key is a UUIDv7, so months are ranges of it; partitions are dropped whole
-- when the operator's retention has passed.
create table mcp_calls (
    id             uuid primary key,
    actor_id       uuid,
    tool           text not null,
    adapter        text not null,
    client         text not null default '',
    run            jsonb,
    trace_parent   text not null default '',
    request        jsonb not null,
    result         text not null check (octet_length(result) <= 500),
    code           text not null default '',
    outcome        text not null default '' check (outcome in ('', 'unknown')),
    duration_us    bigint not null check (duration_us >= 0),
    started_at     timestamptz not null
) partition by range (id);
create table mcp_calls_default partition of mcp_calls default;
create index mcp_calls_by_actor on mcp_calls (actor_id, id);
create index mcp_calls_unknown on mcp_calls (id) where outcome = 'unknown';

-- First UUIDv7 of a moment (RFC 9562, section 5.7: 48 bits of milliseconds lead).
create function uuid_v7_floor(at timestamptz) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- +goose StatementBegin
create function mcp_calls_ensure_month(month date) returns boolean language plpgsql as $$
declare
    first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
    next_day  timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
    part      text := 'mcp_calls_' || to_char(month, 'YYYY_MM');
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    -- Nodes that start together make a partition once. The second look reads the catalogue's rows: names that are
    -- looked up may come from a cache that a wait for this lock does not refresh.
    perform pg_advisory_xact_lock(7306915206331990002);
    if exists (select from pg_class c where c.relname = part
               and c.relnamespace = (select p.relnamespace from pg_class p where p.oid = 'mcp_calls'::regclass)) then
        return false;
    end if;
    -- Rows that came while nobody made partitions wait in the default one, which must not hold rows of another.
    lock table mcp_calls_default in access exclusive mode;
    execute format('create table %I (like mcp_calls including defaults including constraints)', part);
    execute format('with moved as (delete from mcp_calls_default where id >= %L and id < %L returning *)
        insert into %I select * from moved', uuid_v7_floor(first_day), uuid_v7_floor(next_day), part);
    execute format('alter table mcp_calls attach partition %I for values from (%L) to (%L)',
        part, uuid_v7_floor(first_day), uuid_v7_floor(next_day));
    return true;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create function mcp_calls_drop_before(moment timestamptz) returns integer language plpgsql as $$
declare
    part    record;
    dropped integer := 0;
begin
    for part in
        select c.relname as name
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'mcp_calls'::regclass and c.relname ~ '^mcp_calls_\d{4}_\d{2}$'
    loop
        if (to_date(right(part.name, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' <= moment then
            execute format('drop table %I', part.name);
            dropped := dropped + 1;
        end if;
    end loop;
    return dropped;
end $$;
-- +goose StatementEnd

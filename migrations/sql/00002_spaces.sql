-- +goose Up

create table spaces (
    id          uuid primary key,
    name        text not null check (char_length(name) between 1 and 200),
    name_key    text not null constraint spaces_natural_identity unique,
    visibility  text not null check (visibility in ('public', 'private')),
    owner_id    uuid not null references actors (id),
    created_at  timestamptz not null default clock_timestamp()
);

create table space_members (
    space_id  uuid not null references spaces (id),
    actor_id  uuid not null references actors (id),
    role      text not null check (role in ('reader', 'writer', 'owner')),
    added_at  timestamptz not null default clock_timestamp(),
    primary key (space_id, actor_id)
);
create index space_members_by_actor on space_members (actor_id);

-- What an actor may see of a space, in one place for every read path. A null space is the public one.
create function space_visible(space uuid, viewer uuid) returns boolean
language sql stable parallel safe as $$
    select space is null
        or exists (select from spaces s where s.id = space and s.visibility = 'public')
        or exists (select from space_members m where m.space_id = space and m.actor_id = viewer)
$$;

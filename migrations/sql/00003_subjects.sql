-- +goose Up

-- Entities: any identifiable subject. Natural identity: type, normalised name and space.
create table entities (
    id          uuid primary key,
    type        text not null check (char_length(type) between 1 and 60),
    name        text not null check (char_length(name) between 1 and 200),
    name_key    text not null check (name_key <> ''),
    space_id    uuid references spaces (id),
    url         text check (char_length(url) <= 2048),
    created_by  uuid not null references actors (id),
    created_at  timestamptz not null default clock_timestamp(),
    constraint entities_natural_identity unique nulls not distinct (type, name_key, space_id)
);

-- Sources: one row for each canonical URL. The family says which sources are one voice.
create table source_family_aliases (
    family      text primary key,
    alias_of    text not null check (alias_of <> family),
    reason      text not null,
    created_at  timestamptz not null default clock_timestamp()
);

create table sources (
    id             uuid primary key,
    canonical_url  text not null check (char_length(canonical_url) <= 2048),
    url_digest     bytea not null constraint sources_natural_identity unique check (octet_length(url_digest) = 32),
    family         text not null check (family <> ''),
    title          text not null default '' check (char_length(title) <= 300),
    first_cited_by uuid not null references actors (id),
    created_at     timestamptz not null default clock_timestamp()
);
create index sources_by_family on sources (family);

-- +goose Up

create table threads (
    id          uuid primary key,
    space_id    uuid references spaces (id),
    created_at  timestamptz not null default clock_timestamp()
);

create table contents (
    id                   uuid primary key,
    author_id            uuid not null references actors (id),
    type                 text not null check (type ~ '^[a-z][a-z0-9_-]{0,59}$'),
    space_id             uuid references spaces (id),
    thread_id            uuid not null references threads (id),
    language             text not null check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
    current_revision_id  uuid not null,
    revision_count       integer not null check (revision_count >= 1),
    visibility           text not null default 'published' check (visibility in ('published', 'quarantined', 'removed')),
    created_at           timestamptz not null default clock_timestamp(),
    updated_at           timestamptz not null default clock_timestamp()
);
create index contents_by_author on contents (author_id, id);
create index contents_by_thread on contents (thread_id, id);
create index contents_by_space on contents (space_id, id) where space_id is not null;

create table revisions (
    id               uuid primary key,
    content_id       uuid not null references contents (id) deferrable initially deferred,
    no               integer not null check (no >= 1),
    author_id        uuid not null references actors (id),
    title            text not null check (char_length(title) between 1 and 300),
    summary          text not null check (char_length(summary) <= 300),
    body_markdown    text not null check (octet_length(body_markdown) <= 204800),
    structured_data  jsonb not null default '{}' check (jsonb_typeof(structured_data) = 'object'),
    tags             text[] not null default '{}' check (cardinality(tags) <= 50),
    change_note      text not null default '' check (char_length(change_note) <= 2000),
    -- submit_experience keeps what was seen here; null for everything else.
    experience       jsonb check (jsonb_typeof(experience) = 'object'),
    created_at       timestamptz not null default clock_timestamp(),
    constraint revisions_number unique (content_id, no),
    constraint revisions_of_content unique (id, content_id)
);

-- The current revision is one of the item's own.
alter table contents add constraint contents_current_revision
    foreign key (current_revision_id, id) references revisions (id, content_id) deferrable initially deferred;

-- Claims: statements that evidence can be about, shared by the content that states them.
create table claims (
    id             uuid primary key,
    text           text not null check (char_length(text) between 1 and 1000),
    normal_form    text not null check (normal_form <> ''),
    key_version    smallint not null,
    claim_key      bytea not null check (octet_length(claim_key) = 32),
    language       text not null,
    space_id       uuid references spaces (id),
    first_stated_by uuid not null references actors (id),
    created_at     timestamptz not null default clock_timestamp()
);
create index claims_by_key on claims (claim_key, key_version, language);

create table claim_subjects (
    claim_id   uuid not null references claims (id),
    entity_id  uuid not null references entities (id),
    primary key (claim_id, entity_id)
);
create index claim_subjects_by_entity on claim_subjects (entity_id, claim_id);

create table revision_claims (
    revision_id       uuid not null references revisions (id),
    position          smallint not null check (position between 0 and 49),
    claim_id          uuid not null references claims (id),
    wording           text not null check (char_length(wording) between 1 and 1000),
    matched_existing  boolean not null,
    primary key (revision_id, position),
    constraint revision_claims_once unique (revision_id, claim_id)
);
create index revision_claims_by_claim on revision_claims (claim_id, revision_id);

create table revision_subjects (
    revision_id  uuid not null references revisions (id),
    position     smallint not null check (position between 0 and 99),
    entity_id    uuid not null references entities (id),
    primary key (revision_id, position),
    constraint revision_subjects_once unique (revision_id, entity_id)
);
create index revision_subjects_by_entity on revision_subjects (entity_id, revision_id);

create table revision_sources (
    revision_id  uuid not null references revisions (id),
    position     smallint not null check (position between 0 and 99),
    source_id    uuid not null references sources (id),
    title        text not null default '' check (char_length(title) <= 300),
    primary key (revision_id, position),
    constraint revision_sources_once unique (revision_id, source_id)
);
create index revision_sources_by_source on revision_sources (source_id, revision_id);

-- Relations belong to the revision that states them; the target is one item or one entity.
create table revision_relations (
    revision_id        uuid not null references revisions (id),
    position           smallint not null check (position between 0 and 49),
    type               text not null check (type in ('corrects', 'alternative_to', 'known_issue_of', 'supersedes', 'derived_from')),
    reason             text check (reason in ('simpler', 'cheaper', 'faster', 'safer', 'more_reliable', 'more_open',
                           'more_available', 'lower_resource_use', 'easier_to_integrate', 'other')),
    target_content_id  uuid references contents (id),
    target_entity_id   uuid references entities (id),
    primary key (revision_id, position),
    constraint revision_relations_one_target check (num_nonnulls(target_content_id, target_entity_id) = 1),
    constraint revision_relations_entity_types check (target_entity_id is null or type in ('alternative_to', 'known_issue_of')),
    constraint revision_relations_reason check (reason is null or type = 'alternative_to'),
    constraint revision_relations_once unique nulls not distinct (revision_id, type, target_content_id, target_entity_id)
);
create index revision_relations_to_content on revision_relations (target_content_id, type) where target_content_id is not null;
create index revision_relations_to_entity on revision_relations (target_entity_id, type) where target_entity_id is not null;

create table assets (
    id          uuid primary key,
    filename    text not null check (char_length(filename) between 1 and 200),
    media_type  text not null check (char_length(media_type) between 3 and 127),
    sha256      bytea not null check (octet_length(sha256) = 32),
    data        bytea not null check (octet_length(data) <= 1048576),
    created_by  uuid not null references actors (id),
    created_at  timestamptz not null default clock_timestamp()
);
-- Assets are mostly compressed already: keep slices readable without decompressing the whole.
alter table assets alter column data set storage external;

create table revision_assets (
    revision_id  uuid not null references revisions (id),
    position     smallint not null check (position between 0 and 7),
    asset_id     uuid not null references assets (id),
    primary key (revision_id, position)
);
create index revision_assets_by_asset on revision_assets (asset_id);

-- Published text never changes and never goes. The one exception is the removal of demonstration data,
-- which announces itself in its own transaction.
-- +goose StatementBegin
create function refuse_change() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and current_setting('interai.removing_demo', true) = 'on' then
        return old;
    end if;
    raise exception '% of % is refused: its rows are immutable', tg_op, tg_table_name
        using errcode = 'restrict_violation', table = tg_table_name;
end $$;
-- +goose StatementEnd
create trigger revisions_immutable before update or delete on revisions for each row execute function refuse_change();
create trigger revision_claims_immutable before update or delete on revision_claims for each row execute function refuse_change();
create trigger revision_subjects_immutable before update or delete on revision_subjects for each row execute function refuse_change();
create trigger revision_sources_immutable before update or delete on revision_sources for each row execute function refuse_change();
create trigger revision_relations_immutable before update or delete on revision_relations for each row execute function refuse_change();
create trigger revision_assets_immutable before update or delete on revision_assets for each row execute function refuse_change();
create trigger assets_immutable before update or delete on assets for each row execute function refuse_change();
create trigger claims_immutable before update or delete on claims for each row execute function refuse_change();
create trigger claim_subjects_immutable before update or delete on claim_subjects for each row execute function refuse_change();

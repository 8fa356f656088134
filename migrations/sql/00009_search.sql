-- +goose Up
-- What can be found: the current revision of each item, each claim, each entity. The vector is made by our own
-- analyzer and written with the object; trust is joined when searching and is not in these rows.

create table search_docs (
    doc_id      bigint generated always as identity primary key,
    kind        text not null check (kind in ('content', 'claim', 'entity')),
    object_id   uuid not null constraint search_docs_object unique,
    -- What its trust is about: the revision of an item, else the object itself.
    target_id   uuid not null,
    type        text not null,
    space_id    uuid references spaces (id),
    author_id   uuid references actors (id),
    language    text not null,
    tags        text[] not null default '{}',
    -- The situation it is about, as key=value.
    facets      text[] not null default '{}',
    title_key   text not null,
    terms       tsvector not null,
    length      integer not null check (length >= 0),
    analyzer    smallint not null,
    updated_at  timestamptz not null default clock_timestamp(),
    -- Held back or removed: such documents take nobody's place among the hits.
    hidden      boolean not null default false
) with (toast_tuple_target = 8160);
-- Ranking reads the vectors of thousands of rows: they stay in the row, and are not compressed.
alter table search_docs alter column terms set storage external;
-- Predictable reads: no list of pending entries that the next reader has to walk.
create index search_docs_terms on search_docs using gin (terms) with (fastupdate = off);
create index search_docs_tags on search_docs using gin (tags) with (fastupdate = off);
create index search_docs_target on search_docs (target_id);
create index search_docs_space on search_docs (space_id, updated_at) where space_id is not null;
create index search_docs_type on search_docs (kind, type, updated_at desc);
create index search_docs_recent on search_docs (updated_at desc, doc_id desc);
create index search_docs_author on search_docs (author_id) where author_id is not null;
create index search_docs_title on search_docs (title_key text_pattern_ops);

-- +goose StatementBegin
create function search_docs_follow_visibility() returns trigger language plpgsql as $$
begin
    update search_docs set hidden = new.visibility <> 'published' where object_id = new.id;
    return null;
end $$;
-- +goose StatementEnd
create trigger contents_visibility_in_search after update of visibility on contents
    for each row when (old.visibility is distinct from new.visibility) execute function search_docs_follow_visibility();

-- The order of trust, for questions that nearly everything answers.
create index trust_snapshots_by_bound on trust_snapshots (model_id, lower_bound desc, target_id);

-- How common words are, and how many documents the filters leave: taken by a job, read by every node into memory.
create table search_words (
    word    text primary key,
    docs    integer not null check (docs > 0),
    -- Whether a document that everybody may see has it: no other word is ever suggested to anybody.
    public  boolean not null
);
create table search_counts (
    what   text not null check (what in ('kind', 'type', 'tag', 'space')),
    key    text not null,
    docs   bigint not null check (docs >= 0),
    -- Mean length of a document, for kinds.
    length double precision not null default 0,
    primary key (what, key)
);
create table search_statistics (
    singleton boolean primary key default true check (singleton),
    version  bigint not null default 0,
    docs     bigint not null default 0,
    last_doc bigint not null default 0,
    taken_at timestamptz not null default clock_timestamp()
);
insert into search_statistics default values;

-- A page's cursor points to a frozen list. A crash empties the table, as expiry would have.
create unlogged table search_cursors (
    id          bytea primary key check (octet_length(id) = 10),
    actor_id    uuid not null,
    fingerprint bytea not null,
    docs        bigint[] not null check (cardinality(docs) <= 200),
    explored    bigint not null default 0,
    expires_at  timestamptz not null
);
create index search_cursors_expired on search_cursors (expires_at);

-- What was asked for and not there: the list of what to write next. Private to operators.
create table search_unanswered (
    query      text primary key check (char_length(query) between 1 and 200),
    times      bigint not null default 1,
    first_at   timestamptz not null default clock_timestamp(),
    last_at    timestamptz not null default clock_timestamp()
);
create index search_unanswered_last on search_unanswered (last_at);

-- Claims are found by three keys: strict, in sequence, and with a phrase moved to the front.
alter table claims add column sequence_key bytea check (octet_length(sequence_key) = 32);
alter table claims add column rotation_key bytea check (octet_length(rotation_key) = 32);
create index claims_by_sequence on claims (sequence_key, key_version, language) where sequence_key is not null;
create index claims_by_rotation on claims (rotation_key, key_version, language) where rotation_key is not null;

-- The keys of a claim are made anew when their rules change; what it says never is.
drop trigger claims_immutable on claims;
create trigger claims_permanent before delete on claims for each row execute function refuse_change();
create trigger claims_immutable before update on claims for each row
    when (to_jsonb(old) - '{normal_form,key_version,claim_key,sequence_key,rotation_key}'::text[]
          is distinct from to_jsonb(new) - '{normal_form,key_version,claim_key,sequence_key,rotation_key}'::text[])
    execute function refuse_change();

-- +goose Down
drop trigger claims_immutable on claims;
drop trigger claims_permanent on claims;
create trigger claims_immutable before update or delete on claims for each row execute function refuse_change();
drop index claims_by_rotation;
drop index claims_by_sequence;
alter table claims drop column rotation_key;
alter table claims drop column sequence_key;
drop table search_unanswered;
drop table search_cursors;
drop table search_statistics;
drop table search_counts;
drop table search_words;
drop index trust_snapshots_by_bound;
drop trigger contents_visibility_in_search on contents;
drop function search_docs_follow_visibility();
drop table search_docs;

-- +goose Up

-- Keys that the server makes for itself: marks of findings, sessions of the console, signed links.
create table server_keys (
    purpose    text primary key check (purpose ~ '^[a-z_]{1,40}$'),
    key        bytea not null check (octet_length(key) = 32),
    created_at timestamptz not null default clock_timestamp()
);

-- One thing for a moderator to look at. What was refused is here only with every finding masked: the values themselves are
-- nowhere.
create table moderation_cases (
    id             uuid primary key,
    -- rejection: refused before anything was stored; finding: stored, with something weak in it; scan: found later by a
    -- worker; signal: a pattern in who confirms whom.
    origin         text not null check (origin in ('rejection', 'finding', 'scan', 'signal')),
    reason         text not null check (reason ~ '^[a-z0-9_]{1,80}$'),
    tool           text not null default '' check (char_length(tool) <= 64),
    correlation_id uuid,
    -- Who sent it, and the party then; of a signal the party that it is about.
    actor_id       uuid references actors (id),
    root_id        uuid not null references actors (id),
    -- What was stored; null when nothing was. A refused revision names the item that it was for.
    object_kind    text check (object_kind in ('rev', 'use', 'rvw', 'rat', 'clm', 'ent', 'ast')),
    object_id      uuid,
    revises        uuid references contents (id),
    -- [{path, text}], masked; the facts of a signal are its numbers.
    masked         jsonb not null default '[]' check (jsonb_typeof(masked) = 'array'),
    facts          jsonb not null default '{}' check (jsonb_typeof(facts) = 'object'),
    -- The same thing again while the case is open is counted, not opened anew.
    fingerprint    bytea not null check (octet_length(fingerprint) = 32),
    times          integer not null default 1 check (times >= 1),
    opened_at      timestamptz not null default clock_timestamp(),
    last_at        timestamptz not null default clock_timestamp(),
    -- What was decided last; an appeal opens a case again.
    decision       text check (decision in ('uphold', 'false_alarm', 'hold', 'release', 'redact', 'remove', 'restore', 'limit')),
    decided_by     uuid references actors (id),
    decided_at     timestamptz,
    appealed_at    timestamptz,
    -- Open cases wait for a moderator.
    open           boolean not null default true,
    -- A finding waits for its write: until then the case is nobody's business.
    pending        boolean not null default false,
    constraint moderation_cases_decision check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)),
    constraint moderation_cases_decided check (open or decision is not null),
    constraint moderation_cases_object check ((object_kind is null) = (object_id is null)),
    constraint moderation_cases_signal check (origin = 'signal' or actor_id is not null)
);
create unique index moderation_cases_once on moderation_cases (root_id, fingerprint) where open;
create index moderation_cases_waiting on moderation_cases (opened_at, id) where open and not pending;
create index moderation_cases_by_time on moderation_cases (opened_at desc, id desc);
create index moderation_cases_by_party on moderation_cases (root_id, opened_at desc);
create index moderation_cases_by_actor on moderation_cases (actor_id, opened_at desc);
create index moderation_cases_object on moderation_cases (object_id) where object_id is not null;
create index moderation_cases_revises on moderation_cases (revises) where revises is not null;
create index moderation_cases_pending on moderation_cases (last_at) where pending;

create table moderation_findings (
    case_id uuid not null references moderation_cases (id) on delete cascade,
    no      smallint not null,
    rule    text not null check (rule ~ '^[a-z0-9_]{1,80}$'),
    kind    text not null check (kind ~ '^[a-z_]{1,40}$'),
    action  text not null check (action in ('label', 'flag', 'redact', 'reject')),
    path    text not null check (char_length(path) <= 8000),
    line    integer not null,
    col     integer not null,
    length  integer not null,
    -- HMAC-SHA-256 of rule and value: says that a value was seen before, and nothing else about it.
    mark    bytea not null check (octet_length(mark) = 32),
    primary key (case_id, no)
);
create index moderation_findings_seen on moderation_findings (mark, case_id);
create index moderation_findings_by_rule on moderation_findings (rule, case_id);

-- What happened to a case, in order. Reasons are what moderators and authors wrote, screened as everything is.
create table moderation_events (
    case_id  uuid not null references moderation_cases (id) on delete cascade,
    no       integer not null,
    at       timestamptz not null default clock_timestamp(),
    actor_id uuid references actors (id),
    what     text not null check (what in ('opened', 'uphold', 'false_alarm', 'hold', 'release', 'redact', 'remove', 'restore', 'limit', 'appeal', 'retried')),
    reason   text not null default '' check (char_length(reason) <= 2000),
    primary key (case_id, no)
);

-- A moderator has called a finding a false alarm: the same actor may send the same value once.
create table scan_exemptions (
    case_id    uuid not null references moderation_cases (id) on delete cascade,
    actor_id   uuid not null references actors (id),
    rule       text not null,
    mark       bytea not null check (octet_length(mark) = 32),
    expires_at timestamptz not null,
    used_by    uuid,
    used_at    timestamptz,
    primary key (actor_id, rule, mark, case_id),
    constraint scan_exemptions_used check ((used_by is null) = (used_at is null))
);
create index scan_exemptions_by_case on scan_exemptions (case_id);

-- What is held back, and why. The row goes when it is released.
create table moderation_holds (
    object_id   uuid primary key,
    object_kind text not null check (object_kind in ('cnt', 'clm', 'ent', 'use', 'rvw', 'rat')),
    case_id     uuid not null references moderation_cases (id),
    since       timestamptz not null default clock_timestamp()
);
create index moderation_holds_by_case on moderation_holds (case_id);

-- The tombstone of what was redacted: the digest of the original, never the original.
create table redactions (
    object_id   uuid not null,
    object_kind text not null check (object_kind in ('rev', 'use', 'rvw', 'rat', 'clm', 'ent', 'ast')),
    case_id     uuid references moderation_cases (id),
    sha256      bytea not null check (octet_length(sha256) = 32),
    rules       text[] not null,
    at          timestamptz not null default clock_timestamp(),
    primary key (object_id, at)
);
create index redactions_by_case on redactions (case_id);

-- What a revision was found to carry, by the rules of a version; rules 0 is not scanned yet.
create table revision_scans (
    revision_id  uuid primary key references revisions (id),
    rules        integer not null default 0,
    -- What its normal form has left out of it: nobody can find that again.
    edits        text[] not null default '{}',
    labels       text[] not null default '{}',
    duplicate_of uuid references revisions (id),
    related_to   uuid references revisions (id),
    -- A moderator has said that the labels are none.
    cleared      boolean not null default false,
    scanned_at   timestamptz not null default clock_timestamp()
);
create index revision_scans_by_rules on revision_scans (rules, revision_id);
create index revision_scans_duplicates on revision_scans (duplicate_of) where duplicate_of is not null;
create index revision_scans_related on revision_scans (related_to) where related_to is not null;

-- Risks that were seen in what is found: it comes a little later among equals.
alter table search_docs add column labels text[] not null default '{}';

-- MinHash signatures, and their bands: two texts that share one may be near duplicates.
create table text_signatures (
    object_id   uuid primary key,
    object_kind text not null check (object_kind in ('rev', 'use', 'rvw', 'rat')),
    -- Empty for a text that is too short: then the exact digest of its folded form is its only band.
    signature   bytea not null
);
create table text_bands (
    band      smallint not null,
    hash      bigint not null,
    object_id uuid not null references text_signatures (object_id) on delete cascade,
    primary key (band, hash, object_id)
);
create index text_bands_of on text_bands (object_id);

-- How far the rules of a version have looked at what was stored before them.
create table rescans (
    what        text not null check (what in ('rev', 'evidence', 'ent', 'clm', 'ast')),
    rules       integer not null,
    after_id    uuid not null default '00000000-0000-0000-0000-000000000000',
    scanned     bigint not null default 0,
    found       bigint not null default 0,
    updated_at  timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    primary key (what, rules)
);

-- Redaction is the one change of immutable rows, and says so to the database.
-- +goose StatementBegin
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and current_setting('interai.removing_demo', true) = 'on' then
        return old;
    end if;
    if tg_op = 'UPDATE' and current_setting('interai.redacting', true) = 'on' then
        return new;
    end if;
    raise exception '% of % is refused: its rows are immutable', tg_op, tg_table_name
        using errcode = 'restrict_violation', table = tg_table_name;
end $$;
-- +goose StatementEnd
create trigger moderation_events_immutable before update on moderation_events for each row execute function refuse_change();

-- +goose Down
alter table search_docs drop column labels;
drop table rescans;
drop table text_bands;
drop table text_signatures;
drop table revision_scans;
drop table redactions;
drop table moderation_holds;
drop table scan_exemptions;
drop table moderation_events;
drop table moderation_findings;
drop table moderation_cases;
drop table server_keys;

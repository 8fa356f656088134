-- The database schema of Inter-AI, generated from the migrations by "make schema". Do not edit.
-- River's tables live in a schema of their own and are not listed here.

-- Functions come before the tables that they read.
set check_function_bodies = false;

CREATE FUNCTION public.actor_disabled_at(actor uuid) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    with recursive chain (controller_id, disabled_at, depth) as (
        select a.controller_id, a.disabled_at, 1 from actors a where a.id = actor
        union all
        select a.controller_id, a.disabled_at, c.depth + 1
        from chain c join actors a on a.id = c.controller_id where c.depth < 10
    )
    select min(c.disabled_at) from chain c
$$;

CREATE FUNCTION public.actors_derive_root() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.actors_follow_root() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.actors_lock_controllers() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_advisory_xact_lock(7306915206331990001);
    return null;
end $$;

CREATE FUNCTION public.limit_emission(capacity integer, span bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select (span + capacity - 1) / capacity
$$;

CREATE FUNCTION public.limit_reach(capacity integer, span bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select capacity * limit_emission(capacity, span)
$$;

CREATE FUNCTION public.limit_room(tat bigint, capacity integer, span bigint, moment bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select greatest(0, (moment + limit_reach(capacity, span) - greatest(tat, moment)) / limit_emission(capacity, span))
$$;

CREATE FUNCTION public.mcp_calls_drop_before(moment timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $_$
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
end $_$;

CREATE FUNCTION public.mcp_calls_ensure_month(month date) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.micros(moment timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select (extract(epoch from moment) * 1000000)::bigint
$$;

CREATE FUNCTION public.notify_credential_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_notify('interai_keys', '');
    return null;
end $$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.search_docs_follow_visibility() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    update search_docs set hidden = new.visibility <> 'published' where object_id = new.id;
    return null;
end $$;

CREATE FUNCTION public.space_visible(space uuid, viewer uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select space is null
        or exists (select from spaces s where s.id = space and s.visibility = 'public')
        or exists (select from space_members m where m.space_id = space and m.actor_id = viewer)
$$;

CREATE FUNCTION public.target_visible(target uuid, viewer uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select exists (
        select from target_heads h
        left join revisions v on v.id = h.revision_id
        left join contents c on c.id = v.content_id
        left join claims k on k.id = h.claim_id
        left join entities e on e.id = h.entity_id
        where h.target_id = target
          and (c.id is null or c.visibility = 'published' or c.author_id = viewer)
          and space_visible(coalesce(c.space_id, k.space_id, e.space_id), viewer))
$$;

CREATE FUNCTION public.uuid_v7_floor(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

CREATE TABLE public.actor_reputations (
    model_id smallint NOT NULL,
    actor_id uuid NOT NULL,
    epoch integer NOT NULL,
    reputation double precision NOT NULL,
    credits_right double precision NOT NULL,
    credits_wrong double precision NOT NULL,
    authored_plus double precision NOT NULL,
    authored_minus double precision NOT NULL,
    CONSTRAINT actor_reputations_authored_minus_check CHECK ((authored_minus >= (0)::double precision)),
    CONSTRAINT actor_reputations_authored_plus_check CHECK ((authored_plus >= (0)::double precision)),
    CONSTRAINT actor_reputations_credits_right_check CHECK ((credits_right >= (0)::double precision)),
    CONSTRAINT actor_reputations_credits_wrong_check CHECK ((credits_wrong >= (0)::double precision)),
    CONSTRAINT actor_reputations_epoch_check CHECK ((epoch >= 1)),
    CONSTRAINT actor_reputations_reputation_check CHECK (((reputation >= (0)::double precision) AND (reputation <= (1)::double precision)))
);

CREATE TABLE public.actors (
    id uuid NOT NULL,
    kind text NOT NULL,
    display_name text NOT NULL,
    name_key text NOT NULL,
    controller_id uuid,
    root_controller_id uuid NOT NULL,
    controller_depth smallint NOT NULL,
    verified_email boolean DEFAULT false NOT NULL,
    verified_domain boolean DEFAULT false NOT NULL,
    vouched boolean DEFAULT false NOT NULL,
    demo boolean DEFAULT false NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT actors_agent_has_controller CHECK (((kind <> 'ai'::text) OR (controller_id IS NOT NULL))),
    CONSTRAINT actors_controller_depth_check CHECK (((controller_depth >= 0) AND (controller_depth <= 8))),
    CONSTRAINT actors_display_name_check CHECK (((char_length(display_name) >= 1) AND (char_length(display_name) <= 200))),
    CONSTRAINT actors_kind_check CHECK ((kind = ANY (ARRAY['usr'::text, 'org'::text, 'ai'::text]))),
    CONSTRAINT actors_name_key_check CHECK ((name_key <> ''::text)),
    CONSTRAINT actors_not_own_controller CHECK ((controller_id <> id))
);

CREATE TABLE public.api_keys (
    id text NOT NULL,
    hash bytea NOT NULL,
    actor_id uuid NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    scopes text[] NOT NULL,
    allowed_from cidr[] DEFAULT '{}'::cidr[] NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_reason text DEFAULT ''::text NOT NULL,
    last_used_from cidr,
    CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_keys_id_check CHECK ((id ~ '^[0-9A-Za-z]{12}$'::text)),
    CONSTRAINT api_keys_name_check CHECK ((char_length(name) <= 200)),
    CONSTRAINT api_keys_revoked_reason_check CHECK ((char_length(revoked_reason) <= 200)),
    CONSTRAINT api_keys_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'publish'::text, 'usage'::text, 'review'::text, 'rate'::text, 'moderate'::text]))
);

CREATE TABLE public.assets (
    id uuid NOT NULL,
    filename text NOT NULL,
    media_type text NOT NULL,
    sha256 bytea NOT NULL,
    data bytea NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT assets_data_check CHECK ((octet_length(data) <= 1048576)),
    CONSTRAINT assets_filename_check CHECK (((char_length(filename) >= 1) AND (char_length(filename) <= 200))),
    CONSTRAINT assets_media_type_check CHECK (((char_length(media_type) >= 3) AND (char_length(media_type) <= 127))),
    CONSTRAINT assets_sha256_check CHECK ((octet_length(sha256) = 32))
);
ALTER TABLE ONLY public.assets ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE public.claim_subjects (
    claim_id uuid NOT NULL,
    entity_id uuid NOT NULL
);

CREATE TABLE public.claims (
    id uuid NOT NULL,
    text text NOT NULL,
    normal_form text NOT NULL,
    key_version smallint NOT NULL,
    claim_key bytea NOT NULL,
    language text NOT NULL,
    space_id uuid,
    first_stated_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    sequence_key bytea,
    rotation_key bytea,
    CONSTRAINT claims_claim_key_check CHECK ((octet_length(claim_key) = 32)),
    CONSTRAINT claims_normal_form_check CHECK ((normal_form <> ''::text)),
    CONSTRAINT claims_rotation_key_check CHECK ((octet_length(rotation_key) = 32)),
    CONSTRAINT claims_sequence_key_check CHECK ((octet_length(sequence_key) = 32)),
    CONSTRAINT claims_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 1000)))
);

CREATE TABLE public.console_sessions (
    hash bytea NOT NULL,
    key_id text NOT NULL,
    actor_id uuid NOT NULL,
    csrf bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT console_sessions_csrf_check CHECK ((octet_length(csrf) = 32)),
    CONSTRAINT console_sessions_hash_check CHECK ((octet_length(hash) = 32))
);

CREATE TABLE public.contents (
    id uuid NOT NULL,
    author_id uuid NOT NULL,
    type text NOT NULL,
    space_id uuid,
    thread_id uuid NOT NULL,
    language text NOT NULL,
    current_revision_id uuid NOT NULL,
    revision_count integer NOT NULL,
    visibility text DEFAULT 'published'::text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT contents_language_check CHECK ((language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'::text)),
    CONSTRAINT contents_revision_count_check CHECK ((revision_count >= 1)),
    CONSTRAINT contents_type_check CHECK ((type ~ '^[a-z][a-z0-9_-]{0,59}$'::text)),
    CONSTRAINT contents_visibility_check CHECK ((visibility = ANY (ARRAY['published'::text, 'quarantined'::text, 'removed'::text])))
);

CREATE TABLE public.controller_history (
    actor_id uuid NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    valid_to timestamp with time zone,
    controller_id uuid,
    root_controller_id uuid NOT NULL,
    CONSTRAINT controller_history_check CHECK (((valid_to IS NULL) OR (valid_to >= valid_from)))
);

CREATE TABLE public.entities (
    id uuid NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    space_id uuid,
    url text,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT entities_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT entities_name_key_check CHECK ((name_key <> ''::text)),
    CONSTRAINT entities_type_check CHECK (((char_length(type) >= 1) AND (char_length(type) <= 60))),
    CONSTRAINT entities_url_check CHECK ((char_length(url) <= 2048))
);

CREATE TABLE public.evidence (
    target_id uuid NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    actor_id uuid NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    usage_type text,
    result text,
    real_world boolean,
    metrics jsonb,
    experience_id uuid,
    verdict text,
    dimension text,
    score double precision,
    confidence double precision,
    based_on uuid,
    context jsonb,
    context_key text,
    note text,
    stated_in uuid,
    retracts uuid,
    CONSTRAINT evidence_assertion CHECK (((kind = 'assertion'::text) = (stated_in IS NOT NULL))),
    CONSTRAINT evidence_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT evidence_context CHECK (((context IS NULL) = (context_key IS NULL))),
    CONSTRAINT evidence_context_check CHECK ((jsonb_typeof(context) = 'object'::text)),
    CONSTRAINT evidence_dimension_check CHECK ((dimension ~ '^[a-z][a-z0-9_]{0,59}$'::text)),
    CONSTRAINT evidence_judgment_fields CHECK (((kind = ANY (ARRAY['review'::text, 'rating'::text])) OR (num_nonnulls(confidence, based_on) = 0))),
    CONSTRAINT evidence_kind_check CHECK ((kind = ANY (ARRAY['usage'::text, 'review'::text, 'rating'::text, 'assertion'::text, 'retraction'::text]))),
    CONSTRAINT evidence_metrics_check CHECK ((jsonb_typeof(metrics) = 'object'::text)),
    CONSTRAINT evidence_note_check CHECK ((octet_length(note) <= 204800)),
    CONSTRAINT evidence_rating CHECK ((((kind = 'rating'::text) = (score IS NOT NULL)) AND ((kind = 'rating'::text) = (dimension IS NOT NULL)))),
    CONSTRAINT evidence_result_check CHECK ((result = ANY (ARRAY['success'::text, 'partial'::text, 'failure'::text, 'unknown'::text]))),
    CONSTRAINT evidence_retraction CHECK (((kind = 'retraction'::text) = (retracts IS NOT NULL))),
    CONSTRAINT evidence_review CHECK (((kind = 'review'::text) = (verdict IS NOT NULL))),
    CONSTRAINT evidence_said CHECK (((kind = ANY (ARRAY['usage'::text, 'review'::text, 'rating'::text])) OR (num_nonnulls(context, note) = 0))),
    CONSTRAINT evidence_score_check CHECK (((score >= (0)::double precision) AND (score <= (100)::double precision))),
    CONSTRAINT evidence_seq_check CHECK ((seq >= 1)),
    CONSTRAINT evidence_usage CHECK (((kind = 'usage'::text) = (result IS NOT NULL))),
    CONSTRAINT evidence_usage_complete CHECK (((kind <> 'usage'::text) OR (num_nonnulls(usage_type, real_world) = 2))),
    CONSTRAINT evidence_usage_fields CHECK (((kind = 'usage'::text) OR (num_nonnulls(usage_type, real_world, metrics, experience_id) = 0))),
    CONSTRAINT evidence_usage_type_check CHECK (((char_length(usage_type) >= 1) AND (char_length(usage_type) <= 60))),
    CONSTRAINT evidence_verdict_check CHECK ((verdict = ANY (ARRAY['confirmed'::text, 'mostly_correct'::text, 'questionable'::text, 'misleading'::text, 'contradicted'::text, 'false'::text, 'outdated'::text, 'cannot_verify'::text])))
);

CREATE TABLE public.evidence_sources (
    evidence_id uuid NOT NULL,
    "position" smallint NOT NULL,
    source_id uuid NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    CONSTRAINT evidence_sources_position_check CHECK ((("position" >= 0) AND ("position" <= 49))),
    CONSTRAINT evidence_sources_title_check CHECK ((char_length(title) <= 300))
);

CREATE TABLE public.idempotency_keys (
    actor_id uuid NOT NULL,
    tool text NOT NULL,
    key text NOT NULL,
    request_digest bytea NOT NULL,
    correlation_id uuid NOT NULL,
    answer json NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200))),
    CONSTRAINT idempotency_keys_request_digest_check CHECK ((octet_length(request_digest) = 32))
);

CREATE TABLE public.limits (
    scope text NOT NULL,
    key uuid NOT NULL,
    tat bigint DEFAULT 0 NOT NULL,
    bytes_tat bigint DEFAULT 0 NOT NULL,
    blocked_until bigint DEFAULT 0 NOT NULL,
    capacity integer,
    CONSTRAINT limits_capacity_check CHECK (((capacity >= 1) AND (capacity <= 10000000))),
    CONSTRAINT limits_scope_check CHECK ((scope = ANY (ARRAY['root'::text, 'actor'::text, 'rejections'::text, 'actors'::text, 'claims'::text])))
)
WITH (fillfactor='20', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE public.mcp_calls (
    id uuid NOT NULL,
    actor_id uuid,
    tool text NOT NULL,
    adapter text NOT NULL,
    client text DEFAULT ''::text NOT NULL,
    run jsonb,
    trace_parent text DEFAULT ''::text NOT NULL,
    request jsonb NOT NULL,
    result text NOT NULL,
    code text DEFAULT ''::text NOT NULL,
    outcome text DEFAULT ''::text NOT NULL,
    duration_us bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    CONSTRAINT mcp_calls_duration_us_check CHECK ((duration_us >= 0)),
    CONSTRAINT mcp_calls_outcome_check CHECK ((outcome = ANY (ARRAY[''::text, 'unknown'::text]))),
    CONSTRAINT mcp_calls_result_check CHECK ((octet_length(result) <= 500))
)
PARTITION BY RANGE (id);

CREATE TABLE public.mcp_calls_default (
    id uuid NOT NULL,
    actor_id uuid,
    tool text NOT NULL,
    adapter text NOT NULL,
    client text DEFAULT ''::text NOT NULL,
    run jsonb,
    trace_parent text DEFAULT ''::text NOT NULL,
    request jsonb NOT NULL,
    result text NOT NULL,
    code text DEFAULT ''::text NOT NULL,
    outcome text DEFAULT ''::text NOT NULL,
    duration_us bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    CONSTRAINT mcp_calls_duration_us_check CHECK ((duration_us >= 0)),
    CONSTRAINT mcp_calls_outcome_check CHECK ((outcome = ANY (ARRAY[''::text, 'unknown'::text]))),
    CONSTRAINT mcp_calls_result_check CHECK ((octet_length(result) <= 500))
);

CREATE TABLE public.moderation_cases (
    id uuid NOT NULL,
    origin text NOT NULL,
    reason text NOT NULL,
    tool text DEFAULT ''::text NOT NULL,
    correlation_id uuid,
    actor_id uuid,
    root_id uuid NOT NULL,
    object_kind text,
    object_id uuid,
    revises uuid,
    masked jsonb DEFAULT '[]'::jsonb NOT NULL,
    facts jsonb DEFAULT '{}'::jsonb NOT NULL,
    fingerprint bytea NOT NULL,
    times integer DEFAULT 1 NOT NULL,
    opened_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    decision text,
    decided_by uuid,
    decided_at timestamp with time zone,
    appealed_at timestamp with time zone,
    open boolean DEFAULT true NOT NULL,
    pending boolean DEFAULT false NOT NULL,
    CONSTRAINT moderation_cases_decided CHECK ((open OR (decision IS NOT NULL))),
    CONSTRAINT moderation_cases_decision CHECK ((((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (decided_by IS NULL)))),
    CONSTRAINT moderation_cases_decision_check CHECK ((decision = ANY (ARRAY['uphold'::text, 'false_alarm'::text, 'hold'::text, 'release'::text, 'redact'::text, 'remove'::text, 'restore'::text, 'limit'::text]))),
    CONSTRAINT moderation_cases_facts_check CHECK ((jsonb_typeof(facts) = 'object'::text)),
    CONSTRAINT moderation_cases_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT moderation_cases_masked_check CHECK ((jsonb_typeof(masked) = 'array'::text)),
    CONSTRAINT moderation_cases_object CHECK (((object_kind IS NULL) = (object_id IS NULL))),
    CONSTRAINT moderation_cases_object_kind_check CHECK ((object_kind = ANY (ARRAY['rev'::text, 'use'::text, 'rvw'::text, 'rat'::text, 'clm'::text, 'ent'::text, 'ast'::text]))),
    CONSTRAINT moderation_cases_origin_check CHECK ((origin = ANY (ARRAY['rejection'::text, 'finding'::text, 'scan'::text, 'signal'::text]))),
    CONSTRAINT moderation_cases_reason_check CHECK ((reason ~ '^[a-z0-9_]{1,80}$'::text)),
    CONSTRAINT moderation_cases_signal CHECK (((origin = 'signal'::text) OR (actor_id IS NOT NULL))),
    CONSTRAINT moderation_cases_times_check CHECK ((times >= 1)),
    CONSTRAINT moderation_cases_tool_check CHECK ((char_length(tool) <= 64))
);

CREATE TABLE public.moderation_events (
    case_id uuid NOT NULL,
    no integer NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    actor_id uuid,
    what text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT moderation_events_reason_check CHECK ((char_length(reason) <= 2000)),
    CONSTRAINT moderation_events_what_check CHECK ((what = ANY (ARRAY['opened'::text, 'uphold'::text, 'false_alarm'::text, 'hold'::text, 'release'::text, 'redact'::text, 'remove'::text, 'restore'::text, 'limit'::text, 'appeal'::text, 'retried'::text])))
);

CREATE TABLE public.moderation_findings (
    case_id uuid NOT NULL,
    no smallint NOT NULL,
    rule text NOT NULL,
    kind text NOT NULL,
    action text NOT NULL,
    path text NOT NULL,
    line integer NOT NULL,
    col integer NOT NULL,
    length integer NOT NULL,
    mark bytea NOT NULL,
    CONSTRAINT moderation_findings_action_check CHECK ((action = ANY (ARRAY['label'::text, 'flag'::text, 'redact'::text, 'reject'::text]))),
    CONSTRAINT moderation_findings_kind_check CHECK ((kind ~ '^[a-z_]{1,40}$'::text)),
    CONSTRAINT moderation_findings_mark_check CHECK ((octet_length(mark) = 32)),
    CONSTRAINT moderation_findings_path_check CHECK ((char_length(path) <= 8000)),
    CONSTRAINT moderation_findings_rule_check CHECK ((rule ~ '^[a-z0-9_]{1,80}$'::text))
);

CREATE TABLE public.moderation_holds (
    object_id uuid NOT NULL,
    object_kind text NOT NULL,
    case_id uuid NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT moderation_holds_object_kind_check CHECK ((object_kind = ANY (ARRAY['cnt'::text, 'clm'::text, 'ent'::text, 'use'::text, 'rvw'::text, 'rat'::text])))
);

CREATE TABLE public.oidc_links (
    issuer text NOT NULL,
    subject text NOT NULL,
    actor_id uuid NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT oidc_links_issuer_check CHECK (((issuer <> ''::text) AND (char_length(issuer) <= 2048))),
    CONSTRAINT oidc_links_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'publish'::text, 'usage'::text, 'review'::text, 'rate'::text, 'moderate'::text])),
    CONSTRAINT oidc_links_subject_check CHECK (((subject <> ''::text) AND (char_length(subject) <= 255)))
);

CREATE TABLE public.party_tracks (
    model_id smallint NOT NULL,
    root_id uuid NOT NULL,
    epoch integer NOT NULL,
    party_id uuid NOT NULL,
    credits double precision NOT NULL,
    log_plus double precision NOT NULL,
    log_minus double precision NOT NULL,
    CONSTRAINT party_tracks_credits_check CHECK ((credits >= (0)::double precision)),
    CONSTRAINT party_tracks_epoch_check CHECK ((epoch >= 1))
);

CREATE TABLE public.proofs (
    id uuid NOT NULL,
    actor_id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    proved_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT proofs_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'domain'::text]))),
    CONSTRAINT proofs_subject_check CHECK (((subject <> ''::text) AND (char_length(subject) <= 320)))
);

CREATE TABLE public.rating_pools (
    model_id smallint NOT NULL,
    dimension text NOT NULL,
    epoch integer NOT NULL,
    mean double precision NOT NULL,
    raters bigint NOT NULL,
    CONSTRAINT rating_pools_epoch_check CHECK ((epoch >= 1)),
    CONSTRAINT rating_pools_mean_check CHECK (((mean >= (0)::double precision) AND (mean <= (100)::double precision)))
);

CREATE TABLE public.rating_snapshots (
    model_id smallint NOT NULL,
    target_id uuid NOT NULL,
    dimension text NOT NULL,
    context_key text NOT NULL,
    score double precision NOT NULL,
    lower_bound double precision NOT NULL,
    upper_bound double precision NOT NULL,
    raters integer NOT NULL,
    weight double precision NOT NULL,
    computed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT rating_snapshots_raters_check CHECK ((raters >= 1)),
    CONSTRAINT rating_snapshots_score_check CHECK (((score >= (0)::double precision) AND (score <= (100)::double precision)))
);

CREATE TABLE public.redactions (
    object_id uuid NOT NULL,
    object_kind text NOT NULL,
    case_id uuid,
    sha256 bytea NOT NULL,
    rules text[] NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT redactions_object_kind_check CHECK ((object_kind = ANY (ARRAY['rev'::text, 'use'::text, 'rvw'::text, 'rat'::text, 'clm'::text, 'ent'::text, 'ast'::text]))),
    CONSTRAINT redactions_sha256_check CHECK ((octet_length(sha256) = 32))
);

CREATE TABLE public.rescans (
    what text NOT NULL,
    rules integer NOT NULL,
    after_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    scanned bigint DEFAULT 0 NOT NULL,
    found bigint DEFAULT 0 NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT rescans_what_check CHECK ((what = ANY (ARRAY['rev'::text, 'evidence'::text, 'ent'::text, 'clm'::text, 'ast'::text])))
);

CREATE TABLE public.revision_assets (
    revision_id uuid NOT NULL,
    "position" smallint NOT NULL,
    asset_id uuid NOT NULL,
    CONSTRAINT revision_assets_position_check CHECK ((("position" >= 0) AND ("position" <= 7)))
);

CREATE TABLE public.revision_claims (
    revision_id uuid NOT NULL,
    "position" smallint NOT NULL,
    claim_id uuid NOT NULL,
    wording text NOT NULL,
    matched_existing boolean NOT NULL,
    CONSTRAINT revision_claims_position_check CHECK ((("position" >= 0) AND ("position" <= 49))),
    CONSTRAINT revision_claims_wording_check CHECK (((char_length(wording) >= 1) AND (char_length(wording) <= 1000)))
);

CREATE TABLE public.revision_relations (
    revision_id uuid NOT NULL,
    "position" smallint NOT NULL,
    type text NOT NULL,
    reason text,
    target_content_id uuid,
    target_entity_id uuid,
    CONSTRAINT revision_relations_entity_types CHECK (((target_entity_id IS NULL) OR (type = ANY (ARRAY['alternative_to'::text, 'known_issue_of'::text])))),
    CONSTRAINT revision_relations_one_target CHECK ((num_nonnulls(target_content_id, target_entity_id) = 1)),
    CONSTRAINT revision_relations_position_check CHECK ((("position" >= 0) AND ("position" <= 49))),
    CONSTRAINT revision_relations_reason CHECK (((reason IS NULL) OR (type = 'alternative_to'::text))),
    CONSTRAINT revision_relations_reason_check CHECK ((reason = ANY (ARRAY['simpler'::text, 'cheaper'::text, 'faster'::text, 'safer'::text, 'more_reliable'::text, 'more_open'::text, 'more_available'::text, 'lower_resource_use'::text, 'easier_to_integrate'::text, 'other'::text]))),
    CONSTRAINT revision_relations_type_check CHECK ((type = ANY (ARRAY['corrects'::text, 'alternative_to'::text, 'known_issue_of'::text, 'supersedes'::text, 'derived_from'::text])))
);

CREATE TABLE public.revision_scans (
    revision_id uuid NOT NULL,
    rules integer DEFAULT 0 NOT NULL,
    edits text[] DEFAULT '{}'::text[] NOT NULL,
    labels text[] DEFAULT '{}'::text[] NOT NULL,
    duplicate_of uuid,
    related_to uuid,
    cleared boolean DEFAULT false NOT NULL,
    scanned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.revision_sources (
    revision_id uuid NOT NULL,
    "position" smallint NOT NULL,
    source_id uuid NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    CONSTRAINT revision_sources_position_check CHECK ((("position" >= 0) AND ("position" <= 99))),
    CONSTRAINT revision_sources_title_check CHECK ((char_length(title) <= 300))
);

CREATE TABLE public.revision_subjects (
    revision_id uuid NOT NULL,
    "position" smallint NOT NULL,
    entity_id uuid NOT NULL,
    CONSTRAINT revision_subjects_position_check CHECK ((("position" >= 0) AND ("position" <= 99)))
);

CREATE TABLE public.revisions (
    id uuid NOT NULL,
    content_id uuid NOT NULL,
    no integer NOT NULL,
    author_id uuid NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    body_markdown text NOT NULL,
    structured_data jsonb DEFAULT '{}'::jsonb NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    change_note text DEFAULT ''::text NOT NULL,
    experience jsonb,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT revisions_body_markdown_check CHECK ((octet_length(body_markdown) <= 204800)),
    CONSTRAINT revisions_change_note_check CHECK ((char_length(change_note) <= 2000)),
    CONSTRAINT revisions_experience_check CHECK ((jsonb_typeof(experience) = 'object'::text)),
    CONSTRAINT revisions_no_check CHECK ((no >= 1)),
    CONSTRAINT revisions_structured_data_check CHECK ((jsonb_typeof(structured_data) = 'object'::text)),
    CONSTRAINT revisions_summary_check CHECK ((char_length(summary) <= 300)),
    CONSTRAINT revisions_tags_check CHECK ((cardinality(tags) <= 50)),
    CONSTRAINT revisions_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 300)))
);

CREATE TABLE public.scan_exemptions (
    case_id uuid NOT NULL,
    actor_id uuid NOT NULL,
    rule text NOT NULL,
    mark bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_by uuid,
    used_at timestamp with time zone,
    CONSTRAINT scan_exemptions_mark_check CHECK ((octet_length(mark) = 32)),
    CONSTRAINT scan_exemptions_used CHECK (((used_by IS NULL) = (used_at IS NULL)))
);

CREATE TABLE public.search_counts (
    what text NOT NULL,
    key text NOT NULL,
    docs bigint NOT NULL,
    length double precision DEFAULT 0 NOT NULL,
    CONSTRAINT search_counts_docs_check CHECK ((docs >= 0)),
    CONSTRAINT search_counts_what_check CHECK ((what = ANY (ARRAY['kind'::text, 'type'::text, 'tag'::text, 'space'::text])))
);

CREATE UNLOGGED TABLE public.search_cursors (
    id bytea NOT NULL,
    actor_id uuid NOT NULL,
    fingerprint bytea NOT NULL,
    docs bigint[] NOT NULL,
    explored bigint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT search_cursors_docs_check CHECK ((cardinality(docs) <= 200)),
    CONSTRAINT search_cursors_id_check CHECK ((octet_length(id) = 10))
);

CREATE TABLE public.search_docs (
    doc_id bigint NOT NULL,
    kind text NOT NULL,
    object_id uuid NOT NULL,
    target_id uuid NOT NULL,
    type text NOT NULL,
    space_id uuid,
    author_id uuid,
    language text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    facets text[] DEFAULT '{}'::text[] NOT NULL,
    title_key text NOT NULL,
    terms tsvector NOT NULL,
    length integer NOT NULL,
    analyzer smallint NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    hidden boolean DEFAULT false NOT NULL,
    labels text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT search_docs_kind_check CHECK ((kind = ANY (ARRAY['content'::text, 'claim'::text, 'entity'::text]))),
    CONSTRAINT search_docs_length_check CHECK ((length >= 0))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.search_docs ALTER COLUMN terms SET STORAGE EXTERNAL;

ALTER TABLE public.search_docs ALTER COLUMN doc_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.search_docs_doc_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.search_statistics (
    singleton boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    docs bigint DEFAULT 0 NOT NULL,
    last_doc bigint DEFAULT 0 NOT NULL,
    taken_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT search_statistics_singleton_check CHECK (singleton)
);

CREATE TABLE public.search_unanswered (
    query text NOT NULL,
    times bigint DEFAULT 1 NOT NULL,
    first_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT search_unanswered_query_check CHECK (((char_length(query) >= 1) AND (char_length(query) <= 200)))
);

CREATE TABLE public.search_words (
    word text NOT NULL,
    docs integer NOT NULL,
    public boolean NOT NULL,
    CONSTRAINT search_words_docs_check CHECK ((docs > 0))
);

CREATE TABLE public.server_keys (
    purpose text NOT NULL,
    key bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT server_keys_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT server_keys_purpose_check CHECK ((purpose ~ '^[a-z_]{1,40}$'::text))
);

CREATE TABLE public.source_family_aliases (
    family text NOT NULL,
    alias_of text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT source_family_aliases_check CHECK ((alias_of <> family))
);

CREATE TABLE public.sources (
    id uuid NOT NULL,
    canonical_url text NOT NULL,
    url_digest bytea NOT NULL,
    family text NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    first_cited_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT sources_canonical_url_check CHECK ((char_length(canonical_url) <= 2048)),
    CONSTRAINT sources_family_check CHECK ((family <> ''::text)),
    CONSTRAINT sources_title_check CHECK ((char_length(title) <= 300)),
    CONSTRAINT sources_url_digest_check CHECK ((octet_length(url_digest) = 32))
);

CREATE TABLE public.space_members (
    space_id uuid NOT NULL,
    actor_id uuid NOT NULL,
    role text NOT NULL,
    added_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT space_members_role_check CHECK ((role = ANY (ARRAY['reader'::text, 'writer'::text, 'owner'::text])))
);

CREATE TABLE public.spaces (
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    visibility text NOT NULL,
    owner_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT spaces_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT spaces_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text])))
);

CREATE TABLE public.status_history (
    model_id smallint NOT NULL,
    target_id uuid NOT NULL,
    no integer NOT NULL,
    from_status text NOT NULL,
    to_status text NOT NULL,
    reason text NOT NULL,
    applied_seq bigint NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT status_history_check CHECK ((to_status <> from_status)),
    CONSTRAINT status_history_no_check CHECK ((no >= 1))
);

CREATE TABLE public.target_heads (
    target_id uuid NOT NULL,
    kind text NOT NULL,
    last_seq bigint NOT NULL,
    queued boolean NOT NULL,
    need boolean NOT NULL,
    revision_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'rev'::text) THEN target_id
    ELSE NULL::uuid
END) STORED,
    content_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'cnt'::text) THEN target_id
    ELSE NULL::uuid
END) STORED,
    claim_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'clm'::text) THEN target_id
    ELSE NULL::uuid
END) STORED,
    entity_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'ent'::text) THEN target_id
    ELSE NULL::uuid
END) STORED,
    wakes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT target_heads_kind_check CHECK ((kind = ANY (ARRAY['rev'::text, 'cnt'::text, 'clm'::text, 'ent'::text]))),
    CONSTRAINT target_heads_last_seq_check CHECK ((last_seq >= 0)),
    CONSTRAINT target_heads_wakes_check CHECK ((wakes >= 0))
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.target_states (
    model_id smallint NOT NULL,
    target_id uuid NOT NULL,
    applied_seq bigint NOT NULL,
    version bigint NOT NULL,
    failed_at timestamp with time zone,
    failure text,
    wakes bigint DEFAULT 0 NOT NULL,
    running jsonb,
    running_bin integer,
    running_epoch integer,
    CONSTRAINT target_states_applied_seq_check CHECK ((applied_seq >= 0)),
    CONSTRAINT target_states_running CHECK ((num_nonnulls(running, running_bin, running_epoch) = ANY (ARRAY[0, 3]))),
    CONSTRAINT target_states_version_check CHECK ((version >= 0)),
    CONSTRAINT target_states_wakes_check CHECK ((wakes >= 0))
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.text_bands (
    band smallint NOT NULL,
    hash bigint NOT NULL,
    object_id uuid NOT NULL
);

CREATE TABLE public.text_signatures (
    object_id uuid NOT NULL,
    object_kind text NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT text_signatures_object_kind_check CHECK ((object_kind = ANY (ARRAY['rev'::text, 'use'::text, 'rvw'::text, 'rat'::text])))
);

CREATE TABLE public.threads (
    id uuid NOT NULL,
    space_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.trust_backfills (
    model_id smallint NOT NULL,
    state text NOT NULL,
    after_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    total bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT trust_backfills_done_check CHECK ((done >= 0)),
    CONSTRAINT trust_backfills_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'done'::text]))),
    CONSTRAINT trust_backfills_total_check CHECK ((total >= 0))
);

CREATE TABLE public.trust_epochs (
    model_id smallint NOT NULL,
    no integer NOT NULL,
    as_of_bin integer NOT NULL,
    targets bigint NOT NULL,
    opinions bigint NOT NULL,
    parties bigint NOT NULL,
    merged bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    sealed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT trust_epochs_no_check CHECK ((no >= 1))
);

CREATE TABLE public.trust_models (
    id smallint NOT NULL,
    name text NOT NULL,
    parameters jsonb NOT NULL,
    params_hash text NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    activated_at timestamp with time zone,
    parent text DEFAULT ''::text NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    CONSTRAINT trust_models_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT trust_models_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9.-]{0,59}$'::text)),
    CONSTRAINT trust_models_note_check CHECK ((char_length(note) <= 1000)),
    CONSTRAINT trust_models_params_hash_check CHECK ((char_length(params_hash) = 64)),
    CONSTRAINT trust_models_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'shadow'::text, 'active'::text, 'retired'::text])))
);

ALTER TABLE public.trust_models ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.trust_models_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.trust_snapshots (
    model_id smallint NOT NULL,
    target_id uuid NOT NULL,
    value double precision NOT NULL,
    lower_bound double precision NOT NULL,
    upper_bound double precision NOT NULL,
    alpha double precision NOT NULL,
    beta double precision NOT NULL,
    independent_confirmations integer NOT NULL,
    contradictions integer NOT NULL,
    real_world_confirmations integer NOT NULL,
    status text NOT NULL,
    raw_status text NOT NULL,
    pending_status text,
    inputs jsonb NOT NULL,
    counts jsonb NOT NULL,
    applied_seq bigint NOT NULL,
    version bigint NOT NULL,
    as_of_bin integer NOT NULL,
    computed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    pending_since timestamp with time zone,
    pending_records integer DEFAULT 0 NOT NULL,
    CONSTRAINT trust_snapshots_alpha_check CHECK ((alpha > (0)::double precision)),
    CONSTRAINT trust_snapshots_applied_seq_check CHECK ((applied_seq >= 0)),
    CONSTRAINT trust_snapshots_beta_check CHECK ((beta > (0)::double precision)),
    CONSTRAINT trust_snapshots_check CHECK (((lower_bound <= value) AND (value <= upper_bound))),
    CONSTRAINT trust_snapshots_check1 CHECK ((real_world_confirmations <= independent_confirmations)),
    CONSTRAINT trust_snapshots_contradictions_check CHECK ((contradictions >= 0)),
    CONSTRAINT trust_snapshots_independent_confirmations_check CHECK ((independent_confirmations >= 0)),
    CONSTRAINT trust_snapshots_lower_bound_check CHECK (((lower_bound >= (0)::double precision) AND (lower_bound <= (1)::double precision))),
    CONSTRAINT trust_snapshots_pending CHECK (((pending_status IS NULL) = (pending_since IS NULL))),
    CONSTRAINT trust_snapshots_pending_records_check CHECK ((pending_records >= 0)),
    CONSTRAINT trust_snapshots_real_world_confirmations_check CHECK ((real_world_confirmations >= 0)),
    CONSTRAINT trust_snapshots_status_check CHECK ((status = ANY (ARRAY['unverified'::text, 'supported'::text, 'high_confidence'::text, 'disputed'::text, 'outdated'::text, 'incorrect'::text, 'superseded'::text]))),
    CONSTRAINT trust_snapshots_upper_bound_check CHECK (((upper_bound >= (0)::double precision) AND (upper_bound <= (1)::double precision))),
    CONSTRAINT trust_snapshots_value_check CHECK (((value >= (0)::double precision) AND (value <= (1)::double precision))),
    CONSTRAINT trust_snapshots_version_check CHECK ((version >= 1))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.trust_stats (
    model_id smallint NOT NULL,
    target_id uuid NOT NULL,
    actor_id uuid NOT NULL,
    bin integer NOT NULL,
    usage_pos bigint NOT NULL,
    usage_neg bigint NOT NULL,
    review_pos bigint NOT NULL,
    review_neg bigint NOT NULL,
    ungrounded_pos bigint NOT NULL,
    ungrounded_neg bigint NOT NULL,
    asserted bigint NOT NULL,
    real_world bigint NOT NULL,
    outdated bigint NOT NULL,
    records bigint NOT NULL,
    family text DEFAULT ''::text NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02');

CREATE TABLE public.trust_verifications (
    model_id smallint NOT NULL,
    after_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    checked bigint DEFAULT 0 NOT NULL,
    stale bigint DEFAULT 0 NOT NULL,
    wrong bigint DEFAULT 0 NOT NULL,
    total bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone
);

ALTER TABLE ONLY public.mcp_calls ATTACH PARTITION public.mcp_calls_default DEFAULT;

ALTER TABLE ONLY public.actor_reputations
    ADD CONSTRAINT actor_reputations_pkey PRIMARY KEY (actor_id, model_id);

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_natural_identity UNIQUE NULLS NOT DISTINCT (kind, name_key, controller_id);

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.claim_subjects
    ADD CONSTRAINT claim_subjects_pkey PRIMARY KEY (claim_id, entity_id);

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.controller_history
    ADD CONSTRAINT controller_history_pkey PRIMARY KEY (actor_id, valid_from);

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_natural_identity UNIQUE NULLS NOT DISTINCT (type, name_key, space_id);

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_id UNIQUE (id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_pkey PRIMARY KEY (target_id, seq);

ALTER TABLE ONLY public.evidence_sources
    ADD CONSTRAINT evidence_sources_pkey PRIMARY KEY (evidence_id, "position");

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (actor_id, tool, key);

ALTER TABLE ONLY public.limits
    ADD CONSTRAINT limits_pkey PRIMARY KEY (scope, key);

ALTER TABLE ONLY public.mcp_calls
    ADD CONSTRAINT mcp_calls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mcp_calls_default
    ADD CONSTRAINT mcp_calls_default_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.moderation_cases
    ADD CONSTRAINT moderation_cases_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.moderation_events
    ADD CONSTRAINT moderation_events_pkey PRIMARY KEY (case_id, no);

ALTER TABLE ONLY public.moderation_findings
    ADD CONSTRAINT moderation_findings_pkey PRIMARY KEY (case_id, no);

ALTER TABLE ONLY public.moderation_holds
    ADD CONSTRAINT moderation_holds_pkey PRIMARY KEY (object_id);

ALTER TABLE ONLY public.oidc_links
    ADD CONSTRAINT oidc_links_pkey PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY public.party_tracks
    ADD CONSTRAINT party_tracks_pkey PRIMARY KEY (root_id, model_id, epoch);

ALTER TABLE ONLY public.proofs
    ADD CONSTRAINT proofs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rating_pools
    ADD CONSTRAINT rating_pools_pkey PRIMARY KEY (model_id, dimension, epoch);

ALTER TABLE ONLY public.rating_snapshots
    ADD CONSTRAINT rating_snapshots_pkey PRIMARY KEY (target_id, model_id, dimension, context_key);

ALTER TABLE ONLY public.redactions
    ADD CONSTRAINT redactions_pkey PRIMARY KEY (object_id, at);

ALTER TABLE ONLY public.rescans
    ADD CONSTRAINT rescans_pkey PRIMARY KEY (what, rules);

ALTER TABLE ONLY public.revision_assets
    ADD CONSTRAINT revision_assets_pkey PRIMARY KEY (revision_id, "position");

ALTER TABLE ONLY public.revision_claims
    ADD CONSTRAINT revision_claims_once UNIQUE (revision_id, claim_id);

ALTER TABLE ONLY public.revision_claims
    ADD CONSTRAINT revision_claims_pkey PRIMARY KEY (revision_id, "position");

ALTER TABLE ONLY public.revision_relations
    ADD CONSTRAINT revision_relations_once UNIQUE NULLS NOT DISTINCT (revision_id, type, target_content_id, target_entity_id);

ALTER TABLE ONLY public.revision_relations
    ADD CONSTRAINT revision_relations_pkey PRIMARY KEY (revision_id, "position");

ALTER TABLE ONLY public.revision_scans
    ADD CONSTRAINT revision_scans_pkey PRIMARY KEY (revision_id);

ALTER TABLE ONLY public.revision_sources
    ADD CONSTRAINT revision_sources_once UNIQUE (revision_id, source_id);

ALTER TABLE ONLY public.revision_sources
    ADD CONSTRAINT revision_sources_pkey PRIMARY KEY (revision_id, "position");

ALTER TABLE ONLY public.revision_subjects
    ADD CONSTRAINT revision_subjects_once UNIQUE (revision_id, entity_id);

ALTER TABLE ONLY public.revision_subjects
    ADD CONSTRAINT revision_subjects_pkey PRIMARY KEY (revision_id, "position");

ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_number UNIQUE (content_id, no);

ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_of_content UNIQUE (id, content_id);

ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.scan_exemptions
    ADD CONSTRAINT scan_exemptions_pkey PRIMARY KEY (actor_id, rule, mark, case_id);

ALTER TABLE ONLY public.search_counts
    ADD CONSTRAINT search_counts_pkey PRIMARY KEY (what, key);

ALTER TABLE ONLY public.search_cursors
    ADD CONSTRAINT search_cursors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_object UNIQUE (object_id);

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_pkey PRIMARY KEY (doc_id);

ALTER TABLE ONLY public.search_statistics
    ADD CONSTRAINT search_statistics_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.search_unanswered
    ADD CONSTRAINT search_unanswered_pkey PRIMARY KEY (query);

ALTER TABLE ONLY public.search_words
    ADD CONSTRAINT search_words_pkey PRIMARY KEY (word);

ALTER TABLE ONLY public.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (purpose);

ALTER TABLE ONLY public.source_family_aliases
    ADD CONSTRAINT source_family_aliases_pkey PRIMARY KEY (family);

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_natural_identity UNIQUE (url_digest);

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.space_members
    ADD CONSTRAINT space_members_pkey PRIMARY KEY (space_id, actor_id);

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_natural_identity UNIQUE (name_key);

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.status_history
    ADD CONSTRAINT status_history_pkey PRIMARY KEY (target_id, model_id, no);

ALTER TABLE ONLY public.target_heads
    ADD CONSTRAINT target_heads_pkey PRIMARY KEY (target_id);

ALTER TABLE ONLY public.target_states
    ADD CONSTRAINT target_states_pkey PRIMARY KEY (target_id, model_id);

ALTER TABLE ONLY public.text_bands
    ADD CONSTRAINT text_bands_pkey PRIMARY KEY (band, hash, object_id);

ALTER TABLE ONLY public.text_signatures
    ADD CONSTRAINT text_signatures_pkey PRIMARY KEY (object_id);

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.trust_backfills
    ADD CONSTRAINT trust_backfills_pkey PRIMARY KEY (model_id);

ALTER TABLE ONLY public.trust_epochs
    ADD CONSTRAINT trust_epochs_pkey PRIMARY KEY (model_id, no);

ALTER TABLE ONLY public.trust_models
    ADD CONSTRAINT trust_models_name_key UNIQUE (name);

ALTER TABLE ONLY public.trust_models
    ADD CONSTRAINT trust_models_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.trust_snapshots
    ADD CONSTRAINT trust_snapshots_pkey PRIMARY KEY (target_id, model_id);

ALTER TABLE ONLY public.trust_stats
    ADD CONSTRAINT trust_stats_pkey PRIMARY KEY (target_id, model_id, actor_id, bin, family);

ALTER TABLE ONLY public.trust_verifications
    ADD CONSTRAINT trust_verifications_pkey PRIMARY KEY (model_id);

CREATE INDEX actors_by_controller ON public.actors USING btree (controller_id) WHERE (controller_id IS NOT NULL);

CREATE INDEX actors_by_root ON public.actors USING btree (root_controller_id);

CREATE INDEX api_keys_by_actor ON public.api_keys USING btree (actor_id);

CREATE INDEX claim_subjects_by_entity ON public.claim_subjects USING btree (entity_id, claim_id);

CREATE INDEX claims_by_key ON public.claims USING btree (claim_key, key_version, language);

CREATE INDEX claims_by_rotation ON public.claims USING btree (rotation_key, key_version, language) WHERE (rotation_key IS NOT NULL);

CREATE INDEX claims_by_sequence ON public.claims USING btree (sequence_key, key_version, language) WHERE (sequence_key IS NOT NULL);

CREATE INDEX console_sessions_by_actor ON public.console_sessions USING btree (actor_id);

CREATE INDEX console_sessions_by_key ON public.console_sessions USING btree (key_id, created_at DESC);

CREATE INDEX console_sessions_by_seen ON public.console_sessions USING btree (seen_at);

CREATE INDEX contents_by_author ON public.contents USING btree (author_id, id);

CREATE INDEX contents_by_space ON public.contents USING btree (space_id, id) WHERE (space_id IS NOT NULL);

CREATE INDEX contents_by_thread ON public.contents USING btree (thread_id, id);

CREATE UNIQUE INDEX controller_history_one_open ON public.controller_history USING btree (actor_id) WHERE (valid_to IS NULL);

CREATE INDEX evidence_asserted_by ON public.evidence USING btree (target_id, actor_id) WHERE (kind = 'assertion'::text);

CREATE INDEX evidence_assertions ON public.evidence USING btree (stated_in) WHERE (stated_in IS NOT NULL);

CREATE INDEX evidence_by_actor ON public.evidence USING btree (actor_id, id);

CREATE INDEX evidence_by_experience ON public.evidence USING btree (experience_id) WHERE (experience_id IS NOT NULL);

CREATE INDEX evidence_of_experiences ON public.evidence USING btree (target_id, seq DESC) WHERE (experience_id IS NOT NULL);

CREATE INDEX evidence_ratings ON public.evidence USING btree (target_id, dimension, actor_id, context_key, seq DESC) WHERE (kind = 'rating'::text);

CREATE UNIQUE INDEX evidence_retracted_once ON public.evidence USING btree (retracts) WHERE (retracts IS NOT NULL);

CREATE INDEX evidence_sources_by_source ON public.evidence_sources USING btree (source_id);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING brin (created_at);

CREATE INDEX mcp_calls_by_actor ON ONLY public.mcp_calls USING btree (actor_id, id);

CREATE INDEX mcp_calls_default_actor_id_id_idx ON public.mcp_calls_default USING btree (actor_id, id);

CREATE INDEX mcp_calls_unknown ON ONLY public.mcp_calls USING btree (id) WHERE (outcome = 'unknown'::text);

CREATE INDEX mcp_calls_default_id_idx ON public.mcp_calls_default USING btree (id) WHERE (outcome = 'unknown'::text);

CREATE INDEX moderation_cases_by_actor ON public.moderation_cases USING btree (actor_id, opened_at DESC);

CREATE INDEX moderation_cases_by_party ON public.moderation_cases USING btree (root_id, opened_at DESC);

CREATE INDEX moderation_cases_by_time ON public.moderation_cases USING btree (opened_at DESC, id DESC);

CREATE INDEX moderation_cases_object ON public.moderation_cases USING btree (object_id) WHERE (object_id IS NOT NULL);

CREATE UNIQUE INDEX moderation_cases_once ON public.moderation_cases USING btree (root_id, fingerprint) WHERE open;

CREATE INDEX moderation_cases_pending ON public.moderation_cases USING btree (last_at) WHERE pending;

CREATE INDEX moderation_cases_revises ON public.moderation_cases USING btree (revises) WHERE (revises IS NOT NULL);

CREATE INDEX moderation_cases_waiting ON public.moderation_cases USING btree (opened_at, id) WHERE (open AND (NOT pending));

CREATE INDEX moderation_findings_by_rule ON public.moderation_findings USING btree (rule, case_id);

CREATE INDEX moderation_findings_seen ON public.moderation_findings USING btree (mark, case_id);

CREATE INDEX moderation_holds_by_case ON public.moderation_holds USING btree (case_id);

CREATE INDEX oidc_links_by_actor ON public.oidc_links USING btree (actor_id);

CREATE INDEX party_tracks_by_party ON public.party_tracks USING btree (party_id, model_id);

CREATE INDEX proofs_by_actor ON public.proofs USING btree (actor_id, kind, created_at DESC);

CREATE INDEX proofs_by_subject ON public.proofs USING btree (kind, subject) WHERE (proved_at IS NOT NULL);

CREATE INDEX redactions_by_case ON public.redactions USING btree (case_id);

CREATE INDEX revision_assets_by_asset ON public.revision_assets USING btree (asset_id);

CREATE INDEX revision_claims_by_claim ON public.revision_claims USING btree (claim_id, revision_id);

CREATE INDEX revision_relations_to_content ON public.revision_relations USING btree (target_content_id, type, revision_id) WHERE (target_content_id IS NOT NULL);

CREATE INDEX revision_relations_to_entity ON public.revision_relations USING btree (target_entity_id, type, revision_id) WHERE (target_entity_id IS NOT NULL);

CREATE INDEX revision_scans_by_rules ON public.revision_scans USING btree (rules, revision_id);

CREATE INDEX revision_scans_duplicates ON public.revision_scans USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL);

CREATE INDEX revision_scans_related ON public.revision_scans USING btree (related_to) WHERE (related_to IS NOT NULL);

CREATE INDEX revision_sources_by_source ON public.revision_sources USING btree (source_id, revision_id);

CREATE INDEX revision_subjects_by_entity ON public.revision_subjects USING btree (entity_id, revision_id);

CREATE INDEX scan_exemptions_by_case ON public.scan_exemptions USING btree (case_id);

CREATE INDEX search_cursors_expired ON public.search_cursors USING btree (expires_at);

CREATE INDEX search_docs_author ON public.search_docs USING btree (author_id) WHERE (author_id IS NOT NULL);

CREATE INDEX search_docs_recent ON public.search_docs USING btree (updated_at DESC, doc_id DESC);

CREATE INDEX search_docs_space ON public.search_docs USING btree (space_id, updated_at) WHERE (space_id IS NOT NULL);

CREATE INDEX search_docs_tags ON public.search_docs USING gin (tags) WITH (fastupdate=off);

CREATE INDEX search_docs_target ON public.search_docs USING btree (target_id);

CREATE INDEX search_docs_terms ON public.search_docs USING gin (terms) WITH (fastupdate=off);

CREATE INDEX search_docs_title ON public.search_docs USING btree (title_key text_pattern_ops);

CREATE INDEX search_docs_type ON public.search_docs USING btree (kind, type, updated_at DESC);

CREATE INDEX search_unanswered_last ON public.search_unanswered USING btree (last_at);

CREATE INDEX sources_by_family ON public.sources USING btree (family);

CREATE INDEX space_members_by_actor ON public.space_members USING btree (actor_id);

CREATE INDEX text_bands_of ON public.text_bands USING btree (object_id);

CREATE UNIQUE INDEX trust_models_one_active ON public.trust_models USING btree (state) WHERE (state = 'active'::text);

CREATE INDEX trust_snapshots_by_bound ON public.trust_snapshots USING btree (model_id, lower_bound DESC, target_id);

CREATE INDEX trust_snapshots_overdue ON public.trust_snapshots USING btree (pending_since) WHERE (pending_since IS NOT NULL);

CREATE INDEX trust_stats_by_actor ON public.trust_stats USING btree (actor_id, target_id);

ALTER INDEX public.mcp_calls_by_actor ATTACH PARTITION public.mcp_calls_default_actor_id_id_idx;

ALTER INDEX public.mcp_calls_unknown ATTACH PARTITION public.mcp_calls_default_id_idx;

ALTER INDEX public.mcp_calls_pkey ATTACH PARTITION public.mcp_calls_default_pkey;

CREATE TRIGGER actors_changed AFTER UPDATE OF disabled_at, controller_id, root_controller_id ON public.actors FOR EACH STATEMENT EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER actors_derive_root BEFORE INSERT OR UPDATE OF controller_id, root_controller_id, controller_depth, kind ON public.actors FOR EACH ROW EXECUTE FUNCTION public.actors_derive_root();

CREATE TRIGGER actors_follow_root AFTER INSERT OR UPDATE OF controller_id, root_controller_id, controller_depth ON public.actors FOR EACH ROW EXECUTE FUNCTION public.actors_follow_root();

CREATE TRIGGER actors_lock_controllers BEFORE UPDATE OF controller_id ON public.actors FOR EACH STATEMENT EXECUTE FUNCTION public.actors_lock_controllers();

CREATE TRIGGER api_keys_changed AFTER DELETE OR UPDATE OF revoked_at, expires_at, scopes, hash, allowed_from ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_credential_change();

CREATE TRIGGER assets_immutable BEFORE DELETE OR UPDATE ON public.assets FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER claim_subjects_immutable BEFORE DELETE OR UPDATE ON public.claim_subjects FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER claims_immutable BEFORE UPDATE ON public.claims FOR EACH ROW WHEN (((to_jsonb(old.*) - '{normal_form,key_version,claim_key,sequence_key,rotation_key}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{normal_form,key_version,claim_key,sequence_key,rotation_key}'::text[]))) EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER claims_permanent BEFORE DELETE ON public.claims FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER contents_visibility_in_search AFTER UPDATE OF visibility ON public.contents FOR EACH ROW WHEN ((old.visibility IS DISTINCT FROM new.visibility)) EXECUTE FUNCTION public.search_docs_follow_visibility();

CREATE TRIGGER evidence_immutable BEFORE DELETE OR UPDATE ON public.evidence FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER evidence_sources_immutable BEFORE DELETE OR UPDATE ON public.evidence_sources FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER moderation_events_immutable BEFORE UPDATE ON public.moderation_events FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revision_assets_immutable BEFORE DELETE OR UPDATE ON public.revision_assets FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revision_claims_immutable BEFORE DELETE OR UPDATE ON public.revision_claims FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revision_relations_immutable BEFORE DELETE OR UPDATE ON public.revision_relations FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revision_sources_immutable BEFORE DELETE OR UPDATE ON public.revision_sources FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revision_subjects_immutable BEFORE DELETE OR UPDATE ON public.revision_subjects FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revisions_immutable BEFORE DELETE OR UPDATE ON public.revisions FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER status_history_immutable BEFORE DELETE OR UPDATE ON public.status_history FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

ALTER TABLE ONLY public.actor_reputations
    ADD CONSTRAINT actor_reputations_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.actor_reputations
    ADD CONSTRAINT actor_reputations_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_controller_id_fkey FOREIGN KEY (controller_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_root_controller_id_fkey FOREIGN KEY (root_controller_id) REFERENCES public.actors(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.actors(id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.actors(id);

ALTER TABLE ONLY public.claim_subjects
    ADD CONSTRAINT claim_subjects_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES public.claims(id);

ALTER TABLE ONLY public.claim_subjects
    ADD CONSTRAINT claim_subjects_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES public.entities(id);

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_first_stated_by_fkey FOREIGN KEY (first_stated_by) REFERENCES public.actors(id);

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_current_revision FOREIGN KEY (current_revision_id, id) REFERENCES public.revisions(id, content_id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(id);

ALTER TABLE ONLY public.controller_history
    ADD CONSTRAINT controller_history_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.controller_history
    ADD CONSTRAINT controller_history_controller_id_fkey FOREIGN KEY (controller_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.controller_history
    ADD CONSTRAINT controller_history_root_controller_id_fkey FOREIGN KEY (root_controller_id) REFERENCES public.actors(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.actors(id);

ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_based_on_fkey FOREIGN KEY (based_on) REFERENCES public.evidence(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_experience_id_fkey FOREIGN KEY (experience_id) REFERENCES public.contents(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_retracts_fkey FOREIGN KEY (retracts) REFERENCES public.evidence(id);

ALTER TABLE ONLY public.evidence_sources
    ADD CONSTRAINT evidence_sources_evidence_id_fkey FOREIGN KEY (evidence_id) REFERENCES public.evidence(id);

ALTER TABLE ONLY public.evidence_sources
    ADD CONSTRAINT evidence_sources_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_stated_in_fkey FOREIGN KEY (stated_in) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_target_id_fkey FOREIGN KEY (target_id) REFERENCES public.target_heads(target_id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.limits
    ADD CONSTRAINT limits_key_fkey FOREIGN KEY (key) REFERENCES public.actors(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.moderation_cases
    ADD CONSTRAINT moderation_cases_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.moderation_cases
    ADD CONSTRAINT moderation_cases_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.actors(id);

ALTER TABLE ONLY public.moderation_cases
    ADD CONSTRAINT moderation_cases_revises_fkey FOREIGN KEY (revises) REFERENCES public.contents(id);

ALTER TABLE ONLY public.moderation_cases
    ADD CONSTRAINT moderation_cases_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.moderation_events
    ADD CONSTRAINT moderation_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.moderation_events
    ADD CONSTRAINT moderation_events_case_id_fkey FOREIGN KEY (case_id) REFERENCES public.moderation_cases(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.moderation_findings
    ADD CONSTRAINT moderation_findings_case_id_fkey FOREIGN KEY (case_id) REFERENCES public.moderation_cases(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.moderation_holds
    ADD CONSTRAINT moderation_holds_case_id_fkey FOREIGN KEY (case_id) REFERENCES public.moderation_cases(id);

ALTER TABLE ONLY public.oidc_links
    ADD CONSTRAINT oidc_links_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.party_tracks
    ADD CONSTRAINT party_tracks_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.party_tracks
    ADD CONSTRAINT party_tracks_party_id_fkey FOREIGN KEY (party_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.party_tracks
    ADD CONSTRAINT party_tracks_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.proofs
    ADD CONSTRAINT proofs_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rating_pools
    ADD CONSTRAINT rating_pools_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.rating_snapshots
    ADD CONSTRAINT rating_snapshots_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.rating_snapshots
    ADD CONSTRAINT rating_snapshots_target_id_fkey FOREIGN KEY (target_id) REFERENCES public.target_heads(target_id);

ALTER TABLE ONLY public.redactions
    ADD CONSTRAINT redactions_case_id_fkey FOREIGN KEY (case_id) REFERENCES public.moderation_cases(id);

ALTER TABLE ONLY public.revision_assets
    ADD CONSTRAINT revision_assets_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.assets(id);

ALTER TABLE ONLY public.revision_assets
    ADD CONSTRAINT revision_assets_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_claims
    ADD CONSTRAINT revision_claims_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES public.claims(id);

ALTER TABLE ONLY public.revision_claims
    ADD CONSTRAINT revision_claims_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_relations
    ADD CONSTRAINT revision_relations_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_relations
    ADD CONSTRAINT revision_relations_target_content_id_fkey FOREIGN KEY (target_content_id) REFERENCES public.contents(id);

ALTER TABLE ONLY public.revision_relations
    ADD CONSTRAINT revision_relations_target_entity_id_fkey FOREIGN KEY (target_entity_id) REFERENCES public.entities(id);

ALTER TABLE ONLY public.revision_scans
    ADD CONSTRAINT revision_scans_duplicate_of_fkey FOREIGN KEY (duplicate_of) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_scans
    ADD CONSTRAINT revision_scans_related_to_fkey FOREIGN KEY (related_to) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_scans
    ADD CONSTRAINT revision_scans_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_sources
    ADD CONSTRAINT revision_sources_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revision_sources
    ADD CONSTRAINT revision_sources_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.revision_subjects
    ADD CONSTRAINT revision_subjects_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES public.entities(id);

ALTER TABLE ONLY public.revision_subjects
    ADD CONSTRAINT revision_subjects_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_content_id_fkey FOREIGN KEY (content_id) REFERENCES public.contents(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.scan_exemptions
    ADD CONSTRAINT scan_exemptions_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.scan_exemptions
    ADD CONSTRAINT scan_exemptions_case_id_fkey FOREIGN KEY (case_id) REFERENCES public.moderation_cases(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.search_docs
    ADD CONSTRAINT search_docs_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_first_cited_by_fkey FOREIGN KEY (first_cited_by) REFERENCES public.actors(id);

ALTER TABLE ONLY public.space_members
    ADD CONSTRAINT space_members_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.space_members
    ADD CONSTRAINT space_members_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.status_history
    ADD CONSTRAINT status_history_target_id_model_id_fkey FOREIGN KEY (target_id, model_id) REFERENCES public.target_states(target_id, model_id);

ALTER TABLE ONLY public.target_heads
    ADD CONSTRAINT target_heads_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES public.claims(id);

ALTER TABLE ONLY public.target_heads
    ADD CONSTRAINT target_heads_content_id_fkey FOREIGN KEY (content_id) REFERENCES public.contents(id);

ALTER TABLE ONLY public.target_heads
    ADD CONSTRAINT target_heads_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES public.entities(id);

ALTER TABLE ONLY public.target_heads
    ADD CONSTRAINT target_heads_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES public.revisions(id);

ALTER TABLE ONLY public.target_states
    ADD CONSTRAINT target_states_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.target_states
    ADD CONSTRAINT target_states_target_id_fkey FOREIGN KEY (target_id) REFERENCES public.target_heads(target_id);

ALTER TABLE ONLY public.text_bands
    ADD CONSTRAINT text_bands_object_id_fkey FOREIGN KEY (object_id) REFERENCES public.text_signatures(object_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.trust_backfills
    ADD CONSTRAINT trust_backfills_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.trust_epochs
    ADD CONSTRAINT trust_epochs_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

ALTER TABLE ONLY public.trust_snapshots
    ADD CONSTRAINT trust_snapshots_target_id_model_id_fkey FOREIGN KEY (target_id, model_id) REFERENCES public.target_states(target_id, model_id);

ALTER TABLE ONLY public.trust_stats
    ADD CONSTRAINT trust_stats_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id);

ALTER TABLE ONLY public.trust_stats
    ADD CONSTRAINT trust_stats_target_id_model_id_fkey FOREIGN KEY (target_id, model_id) REFERENCES public.target_states(target_id, model_id);

ALTER TABLE ONLY public.trust_verifications
    ADD CONSTRAINT trust_verifications_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.trust_models(id);

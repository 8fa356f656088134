-- +goose Up

-- What a reviewer calls a source. The title that others gave it may say more than the readers of the review may know.
alter table evidence_sources add column title text not null default '' check (char_length(title) <= 300);

-- Who states a claim is asked with every review of it.
create index evidence_asserted_by on evidence (target_id, actor_id) where kind = 'assertion';
-- The experiences that a target's uses belong to, newest first.
create index evidence_of_experiences on evidence (target_id, seq desc) where experience_id is not null;

-- Relations are listed from their target's end, the newest of each type first.
drop index revision_relations_to_content;
drop index revision_relations_to_entity;
create index revision_relations_to_content on revision_relations (target_content_id, type, revision_id) where target_content_id is not null;
create index revision_relations_to_entity on revision_relations (target_entity_id, type, revision_id) where target_entity_id is not null;

-- Whether an actor may see a target of evidence, and with it the evidence itself: as space_visible, for what has none.
create function target_visible(target uuid, viewer uuid) returns boolean
language sql stable parallel safe as $$
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

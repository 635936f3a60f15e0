-- The text that a section has from a revision on, until a later one has another.
create table brief_texts (
  brief_id uuid not null references briefs (id) on delete cascade,
  section_type text not null,
  revision integer not null,
  content jsonb not null,
  primary key (brief_id, section_type, revision)
);

insert into brief_texts (brief_id, section_type, revision, content)
  select r.brief_id, section.key, r.revision, section.value
    from brief_revisions r
    left join brief_revisions before on before.brief_id = r.brief_id and before.revision = r.revision - 1
    cross join lateral jsonb_each(r.sections) section
   where before.sections -> section.key is distinct from section.value;

-- Revisions without the texts. A new table, because a dropped column would keep the room it takes.
create table bare_brief_revisions (
  brief_id uuid not null references briefs (id) on delete cascade,
  revision integer not null,
  cause text not null check (cause in ('created', 'regenerated', 'progress')),
  section_type text,
  -- What was built, in a revision that progress caused.
  entry json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (brief_id, revision)
);
insert into bare_brief_revisions (brief_id, revision, cause, section_type, entry, created_at)
  select brief_id, revision, cause, section_type,
         case when cause = 'progress' then
           (select item from json_array_elements(progress -> 'items') item order by item ->> 'appended_at' desc limit 1) end,
         created_at
    from brief_revisions;
drop table brief_revisions;
alter table bare_brief_revisions rename to brief_revisions;
alter index bare_brief_revisions_pkey rename to brief_revisions_pkey;

-- Per account, how often a vector was written: the count is taken under this row's lock, so that commit order is its order.
create table project_owners (
  owner_id text primary key,
  last_no integer not null
);

-- The vector of a project's text as 32-bit floats, the high byte first; empty where a new text could not be embedded.
create table project_vectors (
  project_id uuid primary key references projects (id) on delete cascade,
  owner_id text not null,
  no integer not null,
  vector bytea not null,
  unique (owner_id, no)
);
-- They are read by the thousand: in the row itself, and as they are.
alter table project_vectors alter column vector set storage plain;

insert into project_vectors (project_id, owner_id, no, vector)
  select id, user_id, row_number() over (partition by user_id order by created_at, id),
         (select string_agg(float4send(value), ''::bytea order by place) from unnest(embedding) with ordinality as part (value, place))
    from projects where cardinality(embedding) > 0;
insert into project_owners (owner_id, last_no) select owner_id, max(no) from project_vectors group by owner_id;
alter table projects drop column embedding;

create index behavioral_events_at on behavioral_events (at);

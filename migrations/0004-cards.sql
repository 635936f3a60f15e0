create table cards (
  id uuid primary key,
  user_id text not null,
  project_id uuid,
  -- The work the card reports on; not part of the card's wire shape.
  research_job_id uuid,
  parent_card_id uuid,
  source_msvc text not null,
  card_type text not null,
  title text not null,
  body json not null,
  status text not null,
  cta_actions json not null default '[]',
  scope text not null default 'private' check (scope in ('private', 'workspace', 'public')),
  created_at timestamptz not null default clock_timestamp()
);
create index cards_newest on cards (user_id, created_at desc, id);
create index cards_of_research on cards (research_job_id, card_type, created_at desc);
create index cards_of_project on cards (project_id);

create table briefs (
  id uuid primary key,
  user_id text not null,
  project_id uuid not null,
  -- Null for one that was begun by progress alone, before anything was researched.
  research_id uuid,
  title text not null,
  audience text,
  template text,
  status text not null check (status in ('generating', 'ready', 'failed')),
  revision integer not null default 1,
  quality_score real not null default 0,
  share_token text not null unique,
  refresh_enabled boolean not null default false,
  -- Which writer a run uses; decided when it starts.
  engine json,
  error json,
  progress json,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ready_at timestamptz
);
create index briefs_of_user on briefs (user_id, created_at desc, id);
create index briefs_of_project on briefs (project_id, created_at desc, id);

-- A section as it stands now, with the sources it cites, so that it outlives the research it came from.
create table brief_sections (
  brief_id uuid not null references briefs (id) on delete cascade,
  section_type text not null,
  status text not null check (status in ('written', 'failed')),
  content json,
  quality json not null,
  quality_score real not null,
  sources json not null,
  dropped integer not null default 0,
  error json,
  revision integer not null,
  research_id uuid not null,
  generated_at timestamptz not null default clock_timestamp(),
  primary key (brief_id, section_type)
);

-- Every revision with all its sections. One that waits for a section holds the earlier text until that is written.
create table brief_revisions (
  brief_id uuid not null references briefs (id) on delete cascade,
  revision integer not null,
  cause text not null check (cause in ('created', 'regenerated', 'progress')),
  section_type text,
  sections jsonb not null,
  progress json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (brief_id, revision)
);

-- Sections that somebody asked to be written anew and that are not written yet, in the order of their revisions.
create table brief_rewrites (
  brief_id uuid not null references briefs (id) on delete cascade,
  revision integer not null,
  section_type text not null,
  primary key (brief_id, revision)
);

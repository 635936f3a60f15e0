create table research_jobs (
  id uuid primary key,
  user_id text not null,
  project_id uuid,
  idea text not null,
  -- Normalised text and mode: what makes two requests identical.
  idea_key text not null,
  mode text not null check (mode in ('market', 'feature')),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  pipeline_stage text not null default 'queued',
  reuse_scope text not null default 'user' check (reuse_scope in ('user', 'public')),
  -- Which analyst a run uses; decided when it starts.
  engine json,
  error json,
  score real,
  category text not null default '',
  category_ids text[] not null default '{}',
  embedding real[],
  artifact json,
  cloned_from uuid,
  share_token text unique,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null default clock_timestamp()
);
create unique index research_one_active on research_jobs (user_id, idea_key) where status in ('queued', 'running');
create index research_cached on research_jobs (idea_key, completed_at desc) where status = 'completed';
create index research_of_project on research_jobs (project_id, created_at desc);
create index research_queued on research_jobs (created_at) where status = 'queued';
create index research_of_user on research_jobs (user_id, created_at desc);
create index research_markets on research_jobs using gin (category_ids) where status = 'completed';

create table research_evidence (
  id uuid not null,
  job_id uuid not null references research_jobs (id) on delete cascade,
  source_kind text not null check (source_kind in ('web', 'canonical_company', 'canonical_feature', 'prior_research')),
  source_url text,
  title text not null,
  snippet text not null,
  confidence real,
  freshness_score real not null,
  fetched_at timestamptz not null,
  primary key (job_id, id),
  unique (job_id, source_url)
);

-- Requests that were over the rate limit and are replayed as soon as it allows.
create table research_retry_queue (
  id uuid primary key,
  user_id text not null,
  idea text not null,
  project_id uuid,
  mode text not null,
  queued_at timestamptz not null default clock_timestamp(),
  -- When a replay took it up; one that did not come back counts as not taken.
  claimed_at timestamptz
);
create index research_retry_queue_of_user on research_retry_queue (user_id, queued_at);

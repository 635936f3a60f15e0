create table feature_research_jobs (
  id uuid primary key,
  user_id text not null,
  project_id uuid,
  research_id uuid,
  -- The research whose completion started this one: at most one each, however often the reaction runs.
  chained_from uuid unique,
  idea text not null,
  selected_features json not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  pipeline_stage text not null default 'queued',
  -- Which analyst a run uses; decided when it starts.
  engine json,
  error json,
  score real,
  results json,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null default clock_timestamp()
);
create index feature_research_of_project on feature_research_jobs (project_id, completed_at desc) where status = 'completed';
create index feature_research_in_project on feature_research_jobs (project_id);
create index feature_research_of_user on feature_research_jobs (user_id, created_at desc);

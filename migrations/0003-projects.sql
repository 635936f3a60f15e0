create table projects (
  id uuid primary key,
  user_id text not null,
  -- Normalised title and description: the same idea of the same account is the same project.
  idea_key text not null,
  title text not null,
  slug text not null,
  state text not null default 'draft' check (state in ('draft', 'researching', 'ready', 'building', 'blocked', 'done')),
  quality_score real not null default 0 check (quality_score between 0 and 100),
  description text not null default '',
  clean_title text not null,
  short_title text not null,
  one_liner text not null,
  normalization_status text not null check (normalization_status in ('complete', 'failed')),
  -- Unit vector of title and description; null until the embeddings answered.
  embedding real[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, idea_key)
);
create index projects_recent on projects (user_id, updated_at desc, id desc);

-- Public pages of blocks, where no content system keeps them.
create table content_pages (
  slug text primary key,
  id uuid not null unique,
  page json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Pages that users published. The row holds the slug before the page is there, and, once it is withdrawn, until the store
-- has removed the page.
create table clips (
  slug text primary key,
  user_id text not null,
  project_id uuid,
  target_type text not null check (target_type in ('brief')),
  target_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  published_at timestamptz,
  withdrawn_at timestamptz,
  unique (target_type, target_id)
);
create index clips_of_project on clips (project_id, created_at desc, slug);
create index clips_of_user on clips (user_id);

-- One vote of a principal on a subject: a project, or a page that belongs to none. No row: no vote.
create table clip_votes (
  subject text not null,
  voter text not null,
  vote smallint not null check (vote in (-1, 1)),
  comment text,
  slug text not null,
  voted_at timestamptz not null default clock_timestamp(),
  primary key (subject, voter)
);
create index clip_votes_of_voter on clip_votes (voter);
create index clip_votes_of_slug on clip_votes (slug, voted_at desc);

-- When the first vote on a project came in; it is told once.
create table clip_first_votes (
  project_id uuid primary key,
  voted_at timestamptz not null default clock_timestamp()
);

-- Spoken criticism of a page; the recording is a blob.
create table clip_roasts (
  id uuid primary key,
  slug text not null,
  project_id uuid,
  blob_key text not null,
  content_type text not null,
  bytes integer not null,
  sent_at timestamptz not null default clock_timestamp(),
  -- Null until the recording is a blob.
  kept_at timestamptz
);
create index clip_roasts_of_slug on clip_roasts (slug, sent_at desc, id);
create index clip_roasts_of_project on clip_roasts (project_id);
create index clip_roasts_sent on clip_roasts (sent_at);

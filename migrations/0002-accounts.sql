create table sessions (
  token_hash text primary key,
  user_id text not null,
  name text,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_expires_at on sessions (expires_at);

create table devices (
  device_id text primary key,
  anon_uuid uuid not null unique,
  rebound_to text,
  rebound_at timestamptz,
  created_at timestamptz not null default now()
);

-- Anonymous ids and the users they turned out to be, for whoever counts users.
create table analytics_aliases (
  anon_id text primary key,
  user_id text not null,
  aliased_at timestamptz not null default now()
);

create table profiles (
  user_id text primary key,
  name text not null default '',
  email text not null default '',
  tier text not null default 'free' check (tier in ('free', 'explorer', 'plus', 'pro', 'early_access')),
  credits_used integer not null default 0,
  credits_total integer not null default 0,
  codehost_pat_sealed text,
  llm_a_key_sealed text,
  llm_b_key_sealed text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

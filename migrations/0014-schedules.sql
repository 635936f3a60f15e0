-- What comes back by itself. `next_run_at` is null when nothing more is to come; `running_at` is the run under way, so that
-- none begins before the one before it has ended.
create table schedules (
  id uuid primary key,
  kind text not null,
  key text not null,
  owner_id text,
  timing json not null,
  payload json not null,
  next_run_at timestamptz,
  running_at timestamptz,
  last_run_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  unique (kind, key)
);
create index schedules_due on schedules (next_run_at) where running_at is null;
create index schedules_owner_id on schedules (owner_id) where owner_id is not null;

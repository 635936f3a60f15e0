-- How often a background job put itself off, such as until a vendor's `Retry-After`; it may do so only so many times.
create table job_deferrals (
  job_id uuid primary key,
  times integer not null,
  last_at timestamptz not null default now()
);
create index job_deferrals_last_at on job_deferrals (last_at);

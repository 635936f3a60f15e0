-- One row for each process that went down while this job kept it from answering.
create table job_strikes (
  job_id uuid not null,
  process_id uuid not null,
  at timestamptz not null default now(),
  primary key (job_id, process_id)
);

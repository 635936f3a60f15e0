-- What happened: written with the change it tells of. Reactions, timelines and audits read from here.
create table domain_events (
  id uuid primary key,
  -- Orders events; two of them can carry the same time.
  sequence bigint generated always as identity,
  name text not null,
  version integer not null,
  payload json not null,
  actor json not null,
  owner_id text,
  project_id uuid,
  occurred_at timestamptz not null default clock_timestamp()
);
create index domain_events_project_id on domain_events (project_id, sequence desc) where project_id is not null;
create index domain_events_owner_id on domain_events (owner_id, sequence desc) where owner_id is not null;
create index domain_events_occurred_at on domain_events (occurred_at);

-- How a reaction to an event ended. A reaction that is done is not run again; one that gave up can be.
create table reaction_outcomes (
  event_id uuid not null references domain_events (id) on delete cascade,
  reaction text not null,
  outcome text not null check (outcome in ('done', 'gave_up')),
  error text,
  ended_at timestamptz not null default clock_timestamp(),
  primary key (event_id, reaction)
);
create index reaction_outcomes_gave_up on reaction_outcomes (ended_at desc) where outcome = 'gave_up';

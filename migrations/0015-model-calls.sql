-- Every question to a language model: who asked for what, what it cost and how it ended.
create table model_calls (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  owner_id text,
  feature text not null,
  run_key text,
  call text not null,
  provider text not null,
  model text not null,
  own_key boolean not null,
  requests integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  milliseconds integer not null,
  outcome text not null
);
create index model_calls_run_key on model_calls (run_key) where run_key is not null;
create index model_calls_owner_id on model_calls (owner_id, at);
create index model_calls_at on model_calls (at);

-- Event logs: one row per stream, one row per event. Numbers are handed out under the stream's row lock, so commit
-- order is number order. `writer` fences a run: only the latest claimant may append.
create table streams (
  key text primary key,
  last_seq integer not null default 0,
  writer integer not null default 0,
  closed boolean not null default false
);

create table stream_events (
  stream_key text not null references streams (key) on delete cascade,
  seq integer not null,
  event text not null,
  data json not null,
  at timestamptz not null default now(),
  primary key (stream_key, seq)
);

create function append_events(p_key text, p_writer integer, p_events json, p_close boolean) returns integer
language plpgsql as $$
declare
  added integer := json_array_length(p_events);
  head integer;
begin
  update streams set last_seq = last_seq + added, closed = p_close
   where key = p_key and not closed and (p_writer is null or writer = p_writer)
   returning last_seq into head;
  if not found then
    raise exception 'stream % has another writer or is closed', p_key using errcode = 'GW001';
  end if;
  insert into stream_events (stream_key, seq, event, data)
    select p_key, head - added + item.n, item.value ->> 'e', item.value -> 'd'
      from json_array_elements(p_events) with ordinality as item (value, n);
  perform pg_notify('groundwork', 's:' || p_key);
  return head;
end $$;

-- What a pipeline run has finished: one row per stage.
create table checkpoints (
  run_key text not null references streams (key) on delete cascade,
  stage text not null,
  output json not null,
  usage json,
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  primary key (run_key, stage)
);

-- Counters of the rate limits; losing them in a crash is harmless, so they are not logged.
create unlogged table rate_windows (
  key text primary key,
  started_at timestamptz not null,
  hits integer not null
);
create index rate_windows_started_at on rate_windows (started_at);

create table idempotency_keys (
  user_id text not null,
  route text not null,
  key text not null,
  request_hash text not null,
  resource_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (user_id, route, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

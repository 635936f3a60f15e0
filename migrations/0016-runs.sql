-- Runs under way; the row goes when the run ends. `writer` counts the claims: only the latest claimant may write. Several
-- runs may write to one stream, which ends with the last of them.
create table runs (
  key text primary key,
  stream_key text not null references streams (key) on delete cascade,
  kind text not null,
  payload json,
  parent_key text references runs (key) on delete cascade,
  writer integer not null default 0,
  warnings json not null default '[]',
  question json,
  decisions json not null default '{}',
  created_at timestamptz not null default now()
);
create index runs_stream_key on runs (stream_key);
create index runs_parent_key on runs (parent_key) where parent_key is not null;

-- Runs that an earlier version began: their stages are kept under the key of their stream.
insert into runs (key, stream_key, kind)
  select distinct run_key, run_key, case split_part(run_key, ':', 1) when 'build' then 'build-graph' else split_part(run_key, ':', 1) end from checkpoints;

-- What was asked for beside them, and what keeps its stream open.
insert into runs (key, stream_key, kind, payload)
  select s.key || '/expansion:' || e.id, s.key, 'node-expansion', json_build_object('expansionId', e.id, 'graphId', e.graph_id)
    from build_expansions e join streams s on s.key = 'build:' || e.graph_id;
insert into runs (key, stream_key, kind, payload)
  select s.key || '/rewrites', s.key, 'brief-rewrite', json_build_object('briefId', w.brief_id)
    from (select distinct brief_id from brief_rewrites) w join streams s on s.key = 'brief:' || w.brief_id;

alter table checkpoints drop constraint checkpoints_run_key_fkey;
alter table checkpoints add foreign key (run_key) references runs (key) on delete cascade;

-- Appends a run's events to its stream, while the run holds its claim. With `p_ends` the run is over, and the stream ends
-- with it unless another run still writes to it. A stream that has ended meanwhile goes on: the first event takes the
-- number of its `done`.
create function append_run_events(p_run text, p_writer integer, p_events json, p_ends boolean) returns integer
language plpgsql as $$
declare
  stream streams%rowtype;
  over boolean := false;
  rest json := p_events;
  head integer;
begin
  select s.* into stream from streams s join runs r on r.stream_key = s.key
   where r.key = p_run and r.writer = p_writer for no key update;
  if not found then
    raise exception 'run % was taken over, stopped or deleted', p_run using errcode = 'GW001';
  end if;
  if p_ends then
    delete from runs where key = p_run;
    over := not exists (select from runs where stream_key = stream.key);
  end if;
  head := stream.last_seq;
  if stream.closed then
    if json_array_length(p_events) = 0 then
      return head;
    end if;
    update streams set closed = false where key = stream.key;
    update stream_events set event = p_events -> 0 ->> 'e', data = p_events -> 0 -> 'd'
     where stream_key = stream.key and seq = stream.last_seq and event = 'done';
    select coalesce(json_agg(value order by n) filter (where n > 1), '[]') into rest
      from json_array_elements(p_events) with ordinality as item (value, n);
  end if;
  if json_array_length(rest) > 0 or not over then
    head := append_events(stream.key, null, rest, false);
  end if;
  if over then
    head := append_events(stream.key, null, '[{"e": "done", "d": {}}]', true);
  end if;
  return head;
end $$;

-- What is on its way to sockets of other nodes: one row per node, which that node takes; without a node, for whoever comes next.
-- A row that nobody takes is removed after a minute. With `moved_to` it says that the sockets of an owner are another's from now on.
create unlogged table realtime_messages (
  sequence bigint generated always as identity primary key,
  node_id text,
  owner_id text not null,
  topic text,
  body text not null,
  droppable boolean not null default false,
  moved_to text,
  created_at timestamptz not null default clock_timestamp()
);
create index realtime_messages_node_id on realtime_messages (node_id);
create index realtime_messages_owner_id on realtime_messages (owner_id) where node_id is null;
create index realtime_messages_created_at on realtime_messages (created_at);

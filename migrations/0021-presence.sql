-- How many sockets a user has open on a node. A row that its node does not renew has expired: the node is gone.
create table presence (
  node_id text not null,
  owner_id text not null,
  sockets integer not null,
  foreground integer not null,
  expires_at timestamptz not null,
  primary key (node_id, owner_id)
);
create index presence_owner_id on presence (owner_id);
create index presence_expires_at on presence (expires_at);

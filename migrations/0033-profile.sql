-- A number is linked to the last user who verified it. The configuration of agents, with what it is until somebody says otherwise.
alter table profiles
  add column phone text,
  add column phone_linked_at timestamptz,
  add column autonomy_level text not null default 'suggest' check (autonomy_level in ('suggest', 'confirm', 'auto')),
  add column auto_actions text[] not null default '{}';
create unique index profiles_phone on profiles (phone) where phone is not null;

-- The code that a user was sent last: a salted hash, until it was used, tried too often or is too old.
create table phone_codes (
  user_id text primary key,
  phone text not null,
  code_hash text not null,
  attempts integer not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null
);

-- Bearers of MCP clients, as SHA-256 hashes.
create table mcp_tokens (
  id uuid primary key,
  user_id text not null,
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index mcp_tokens_user on mcp_tokens (user_id, created_at);

-- Text messages where no service sends them: the operator reads them here. Sealed, because they hold codes.
create table text_outbox (
  id uuid primary key,
  recipient text not null,
  body_sealed text not null,
  created_at timestamptz not null default now()
);
create index text_outbox_created on text_outbox (created_at);

-- What was handed to a text message service: one row per message, so that none goes out twice.
create table text_message_sends (
  key text primary key,
  sent_id text,
  claimed_until timestamptz not null,
  created_at timestamptz not null default now()
);
create index text_message_sends_id on text_message_sends (sent_id);

-- An alias is delivered once it is written; what had no service to go to counts as delivered.
alter table analytics_aliases
  add column queued_at timestamptz not null default now(),
  add column delivered_at timestamptz;
update analytics_aliases set delivered_at = aliased_at;
create index analytics_aliases_undelivered on analytics_aliases (queued_at) where delivered_at is null;

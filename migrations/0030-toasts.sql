-- Who may open sockets: one row per token that was handed out.
create table toast_sessions (
  token_hash text primary key,
  user_id text not null,
  device_id text not null,
  -- Null for the app of the service itself.
  bundle_id text,
  topics text[] not null,
  -- The session that asked for the token; null where an identity token did.
  session_id text,
  identity_expires_at timestamptz,
  expires_at timestamptz not null,
  check ((session_id is null) <> (identity_expires_at is null))
);
create index toast_sessions_user_id on toast_sessions (user_id);
create index toast_sessions_expires_at on toast_sessions (expires_at);

create table toast_devices (
  user_id text not null,
  device_id text not null,
  bundle_id text,
  apns_device_token text,
  apns_environment text not null,
  apns_fallback_enabled boolean not null,
  updated_at timestamptz not null,
  primary key (user_id, device_id)
);
create index toast_devices_token on toast_devices (apns_device_token) where apns_device_token is not null;

create table toasts (
  id uuid primary key,
  sequence bigint generated always as identity,
  user_id text not null,
  topic text not null,
  title text not null,
  body text,
  style text not null,
  priority text not null,
  duration_ms integer not null,
  deeplink text,
  metadata json,
  dedupe_key text,
  collapse_key text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it went to a socket, became a push or was replaced; null while it waits.
  sent_at timestamptz,
  -- Another one with its collapse key came before it was sent: it is listed no more, and its dedupe key still holds.
  replaced boolean not null default false
);
create index toasts_user_id on toasts (user_id, sequence desc);
create index toasts_waiting on toasts (user_id, sequence) where sent_at is null;
create index toasts_dedupe_key on toasts (user_id, dedupe_key) where dedupe_key is not null;
create index toasts_created_at on toasts (created_at);

-- The topics of a user's sockets on a node, each once per socket.
alter table presence add column topics text[] not null default '{}';
-- When a message stops being of use, where that is sooner than it would otherwise.
alter table realtime_messages add column expires_at timestamptz;

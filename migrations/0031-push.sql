-- Devices that pushes go to: the token of an app at Apple, or the subscription of a browser, whose keys are encrypted. A device
-- is its last owner's alone; it has a new id with each owner that registers it.
create table push_devices (
  id uuid primary key,
  owner_id text not null,
  kind text not null check (kind in ('apns', 'web_push')),
  address text not null,
  -- SHA-256 of kind and address: an address may be longer than what an index takes.
  address_hash text not null unique,
  environment text not null check (environment in ('production', 'sandbox')),
  keys_sealed text,
  registered_at timestamptz not null default clock_timestamp(),
  check ((kind = 'web_push') = (keys_sealed is not null))
);
create index push_devices_owner_id on push_devices (owner_id, registered_at);
create index push_devices_registered_at on push_devices (registered_at);

-- What users changed; whatever is not here is enabled.
create table push_preferences (
  owner_id text not null,
  id text not null,
  enabled boolean not null,
  primary key (owner_id, id)
);

-- How the last pushes ended, one row per device.
create table push_deliveries (
  id uuid primary key,
  push_id uuid not null,
  owner_id text not null,
  via text not null,
  title text not null,
  body text not null,
  deeplink text,
  outcome text not null check (outcome in ('accepted', 'recorded', 'gone', 'refused', 'expired', 'failed')),
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index push_deliveries_owner_id on push_deliveries (owner_id, created_at);
create index push_deliveries_push_id on push_deliveries (push_id);
create index push_deliveries_created_at on push_deliveries (created_at);

-- The key that signs pushes to browsers, encrypted.
create table push_keys (
  name text primary key,
  sealed text not null
);

-- What users were told, for their digest, and what waits for the end of quiet hours (`held_until`).
create table notifications (
  id uuid primary key,
  owner_id text not null,
  project_id uuid,
  preference text,
  message json not null,
  collapse_key text,
  toast_id uuid,
  held_until timestamptz,
  expires_at timestamptz,
  digested_at timestamptz,
  created_at timestamptz not null
);
create index notifications_held on notifications (owner_id, held_until) where held_until is not null;
create index notifications_untold on notifications (owner_id, created_at) where digested_at is null;
create index notifications_project_id on notifications (project_id) where project_id is not null;
create index notifications_created_at on notifications (created_at);

-- Quiet hours on the clock of a time zone; without `quiet_from` there are none.
create table notification_settings (
  owner_id text primary key,
  time_zone text not null,
  quiet_from text,
  quiet_to text,
  afterwards text not null check (afterwards in ('push', 'digest'))
);

-- Personal push URLs: the SHA-256 of the slug, which is a password.
create table notify_slugs (
  owner_id text primary key,
  slug_hash text not null unique,
  created_at timestamptz not null default now()
);

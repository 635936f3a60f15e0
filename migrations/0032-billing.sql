-- What a user used counts for one month in UTC; the next begins with nothing.
alter table profiles
  add column usage_period text not null default to_char(now() at time zone 'utc', 'YYYY-MM'),
  add column questions_used integer not null default 0,
  add column tts_seconds_used integer not null default 0;

-- What was charged for which piece of work, so that it can be given back once.
create table usage_charges (
  ref uuid primary key,
  user_id text not null,
  work text not null,
  counter text not null check (counter in ('credits', 'questions', 'tts_seconds')),
  amount integer not null,
  period text not null,
  charged_at timestamptz not null default now(),
  given_back_at timestamptz
);
create index usage_charges_user_id on usage_charges (user_id, charged_at desc);
create index usage_charges_charged_at on usage_charges (charged_at);

-- Every event of the billing provider as it came, and what the service itself found out about a subscription.
create table billing_events (
  id text primary key,
  type text not null,
  occurred_at timestamptz not null,
  raw bytea not null,
  received_at timestamptz not null default now(),
  -- Null until it was worked; then whose it is, and whether it says anything of a subscription.
  settled_at timestamptz,
  user_id text,
  tells_state boolean not null default false
);
create index billing_events_of_user on billing_events (user_id, occurred_at, id) where tells_state;
create index billing_events_unsettled on billing_events (received_at) where settled_at is null;
create index billing_events_received_at on billing_events (received_at) where not tells_state;

-- Under which names the provider knows users that have another one here by now.
create table billing_customers (
  customer_id text primary key,
  stands_for text not null
);
create index billing_customers_stands_for on billing_customers (stands_for);

-- What follows from a user's events: one row for each subscription or purchase.
create table billing_subscriptions (
  user_id text not null,
  line integer not null,
  product_id text,
  status text not null check (status in ('active', 'expired', 'in_billing_retry', 'paused')),
  entitled boolean not null,
  expires_at timestamptz,
  will_renew boolean not null,
  changed_at timestamptz not null,
  primary key (user_id, line)
);
create index billing_subscriptions_expires_at on billing_subscriptions (expires_at) where entitled;

-- What operators granted or took, and why.
create table credit_grants (
  id text primary key,
  user_id text not null,
  currency text not null,
  amount integer not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'done')),
  new_balance integer,
  created_at timestamptz not null default now()
);
create index credit_grants_user_id on credit_grants (user_id, created_at desc);

-- The books of an installation that has no billing provider.
create table local_credit_accounts (
  user_id text not null,
  currency text not null,
  balance integer not null check (balance >= 0),
  primary key (user_id, currency)
);
create table local_credit_entries (
  id text primary key,
  user_id text not null,
  currency text not null,
  amount integer not null,
  balance integer,
  created_at timestamptz not null default now()
);

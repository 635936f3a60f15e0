create table product_cards (
  id uuid primary key,
  user_id text not null,
  -- What the idea means, whatever the order of its words: the same meaning of the same account is the same card.
  semantic_key text not null,
  idea text not null,
  research_job_id uuid not null,
  project_id uuid,
  -- The fast reading that the card shows until the research is there.
  interpretation json not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (user_id, semantic_key)
);
create index product_cards_recent on product_cards (user_id, updated_at desc, id);
create index product_cards_of_research on product_cards (research_job_id);

create table behavioral_events (
  id uuid primary key,
  user_id text not null,
  event text not null,
  card_id uuid,
  metadata json not null default '{}',
  at timestamptz not null default clock_timestamp()
);
create index behavioral_events_of_user on behavioral_events (user_id, at desc);

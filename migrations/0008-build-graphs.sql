create table build_graphs (
  id uuid primary key,
  user_id text not null,
  project_id uuid,
  research_id uuid,
  feature_research_id uuid,
  idea text not null,
  title text not null,
  status text not null default 'initializing' check (status in ('initializing', 'generating', 'ready', 'failed')),
  source text not null check (source in ('user', 'research_auto_seeded')),
  selected_features json not null,
  -- Which planner a run uses; decided when it starts.
  engine json,
  error json,
  -- Of what a model proposed: offending parts dropped, and nodes that were planned by rule instead.
  repairs integer not null default 0,
  fallbacks integer not null default 0,
  -- Numbers handed out to nodes, in the order of their insertion.
  last_no integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ready_at timestamptz,
  completed_at timestamptz
);
create index build_graphs_of_user on build_graphs (user_id, created_at desc, id);
create index build_graphs_of_project on build_graphs (project_id, created_at desc);

-- Nodes count up within their graph in the order of insertion; `parent_no` is 0 for a root.
create table build_nodes (
  id uuid primary key,
  graph_id uuid not null references build_graphs (id) on delete cascade,
  no integer not null,
  parent_no integer not null default 0,
  parent_id uuid references build_nodes (id) on delete cascade,
  node_key text not null,
  depth integer not null,
  sort_order integer not null,
  name text not null,
  description text not null,
  risk text not null check (risk in ('green', 'yellow', 'red')),
  risk_reasons json not null,
  mitigations json not null,
  node_status text not null check (node_status in ('collapsed', 'leaf')),
  effort text not null check (effort in ('small', 'medium', 'large', 'very_large')),
  -- Set by hand: the sum of the children no longer replaces it.
  effort_edited boolean not null default false,
  days_low real not null,
  days_high real not null check (days_high >= days_low and days_low > 0),
  acceptance_criteria json not null,
  feature_ids json not null,
  evidence_ids json not null,
  origin json not null,
  expand_started_at timestamptz,
  expanded_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (graph_id, node_key),
  unique (graph_id, parent_no, no),
  check (parent_no >= 0 and parent_no < no)
);

-- A node depends on nodes beside it that were there before it. Each group of siblings is therefore free of cycles, and
-- so is the whole tree; a dependency that points nowhere, at another branch or forwards cannot be written.
create table build_dependencies (
  graph_id uuid not null,
  parent_no integer not null,
  node_no integer not null,
  needs_no integer not null,
  reason text not null,
  primary key (graph_id, node_no, needs_no),
  foreign key (graph_id, parent_no, node_no) references build_nodes (graph_id, parent_no, no) on delete cascade,
  foreign key (graph_id, parent_no, needs_no) references build_nodes (graph_id, parent_no, no) on delete cascade,
  check (needs_no < node_no)
);

create table build_graph_sources (
  id uuid primary key,
  graph_id uuid not null references build_graphs (id) on delete cascade,
  research_id uuid not null,
  link_type text not null check (link_type in ('context', 'supplement', 'external')),
  created_at timestamptz not null default clock_timestamp(),
  unique (graph_id, research_id)
);

-- Nodes that somebody asked to take apart and that are not done yet.
create table build_expansions (
  id uuid primary key,
  graph_id uuid not null references build_graphs (id) on delete cascade,
  node_id uuid not null references build_nodes (id) on delete cascade,
  requested_at timestamptz not null default clock_timestamp()
);
create index build_expansions_of_graph on build_expansions (graph_id);

-- Research whose plan was made: the reaction to its completion may run twice.
create table build_plan_seeds (
  research_id uuid primary key,
  graph_id uuid,
  created_at timestamptz not null default clock_timestamp()
);

-- What goes by before a node is done and is no work, in working days, and what is waited for.
alter table build_nodes add column waiting_low real not null default 0 check (waiting_low >= 0);
alter table build_nodes add column waiting_high real not null default 0 check (waiting_high >= waiting_low);
alter table build_nodes add column waiting_for text not null default '';

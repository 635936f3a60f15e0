-- In which version of its kind's shapes a run's payload, question and decisions were written.
alter table runs add column version integer not null default 1;

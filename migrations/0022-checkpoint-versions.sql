-- In which version of its stage's shape an output was written, so that a run goes on while the program changes.
alter table checkpoints add column version integer not null default 1;

-- A checkpoint lives for minutes: compressing it takes longer than writing it as it is.
alter table checkpoints alter column output set storage external;

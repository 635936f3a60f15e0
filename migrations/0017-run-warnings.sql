-- What a plan or a brief has to warn of, such as a model that was gone when it was worked.
alter table build_graphs add column warnings json not null default '[]';
alter table briefs add column warnings json not null default '[]';

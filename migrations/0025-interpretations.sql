-- How a research understood its idea, and the research that it corrects.
alter table research_jobs add column interpretation json;
alter table research_jobs add column corrects uuid;
-- The markets that its user named beforehand.
alter table research_jobs add column told_markets text[];

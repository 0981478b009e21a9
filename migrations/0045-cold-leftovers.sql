-- Files that may be in the place of cold months though no month has them: those that are being written, and those of
-- months that were attached again. What a process left that was killed is removed a day later.
create table cold_leftover (
  file text primary key,
  since timestamptz not null default now()
);

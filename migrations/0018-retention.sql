-- From when on values are kept. What is older is not taken any more: the tables of its months may lie
-- beside `measurement`, where a value would be stored and never be read. No row: everything is kept.
create table measurement_retention (
  only_row boolean primary key default true check (only_row),
  kept_from timestamptz not null
);

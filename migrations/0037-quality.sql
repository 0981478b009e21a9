-- What is measured once a day of series and records (docs/quality.md).

-- Of the 30 days (UTC) before `day`: how many hours the values that are missing stand for. Null where none is due.
create table series_gap (
  series_id integer primary key references series on delete cascade,
  day date not null,
  missing_hours integer
);

-- The figures of GET /quality as they were on a day, of a dataset and a source or origin.
create table quality_day (
  day date not null,
  -- `open`: as everybody sees them; `all`: with closed data.
  scope text not null check (scope in ('open', 'all')),
  service text not null check (service in ('content', 'timeseries')),
  dataset text not null,
  source text not null,
  -- Records or series.
  total integer not null,
  -- By measure and language, such as {"text.it": 3}.
  counts jsonb not null,
  primary key (day, scope, service, dataset, source)
);

-- The last day of which there are figures, and until when a node is busy with the next one.
create table quality_run (
  only_row boolean primary key default true check (only_row),
  day date not null,
  until timestamptz not null
);

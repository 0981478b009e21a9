-- Aggregates of the numbers of each series, by hour and by day (UTC), that the hub keeps for buckets (docs/time-series.md).
-- They are of whole days some time ago; what is written to such a day later notes the day in rollup_stale, in the same
-- transaction, and its values are read themselves until the hub has made the aggregates anew.

-- Only of series with several values an hour (`period`): of others the values are as few.
create table rollup_hour (
  series_id integer not null,
  start timestamptz not null,
  count bigint not null,
  -- Of the decimal numbers that people read: exact, so whatever it is made of, it has the same digits.
  sum numeric not null,
  min double precision not null,
  max double precision not null,
  -- When the first and the last value were.
  first timestamptz not null,
  last timestamptz not null,
  primary key (series_id, start)
);

create table rollup_day (like rollup_hour including all);

-- A day of a series whose aggregates are not right any more. There may be several rows: a writer never waits for
-- another one, and its row stays until its values are seen.
create table rollup_stale (
  day timestamptz not null,
  series_id integer not null
);
create index rollup_stale_day on rollup_stale (day, series_id);

-- The days of which there are aggregates, where there are values; no row: none yet. It only grows.
create table rollup_span (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null,
  until timestamptz not null
);

-- Fails where a statement would read aggregates that are not there, such as on a replica that is behind.
create function assert_rollups(first timestamptz, past timestamptz) returns boolean
language plpgsql stable parallel safe as $$
begin
  if not exists (select from rollup_span where since <= first and until >= past) then
    raise exception 'Rollups do not reach from % to %.', first, past
      using errcode = 'numeric_value_out_of_range';
  end if;
  return true;
end
$$;

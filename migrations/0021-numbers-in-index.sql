-- A series lies scattered over its months, a value to a page: numbers are read by the thousand from the
-- index itself, which has them in the order in which they are asked for.
alter table measurement
  drop constraint measurement_pkey,
  add primary key (series_id, valid_time) include (number);

-- From which month on, and up to which, months have tables of their own, and how far ahead of now a value may
-- lie that is shown as the latest one. The hub keeps this as its settings say (HUB_MEASUREMENT_YEARS_BACK and
-- _AHEAD, HUB_LATEST_AHEAD); it stands here for all who write. Months are texts, `2026-11`; `end_month` is the
-- first one after them.
create table measurement_span (
  only_row boolean primary key default true check (only_row),
  first_month text not null,
  end_month text not null,
  latest_ahead interval not null,
  check (first_month <= end_month)
);
insert into measurement_span (first_month, end_month, latest_ahead) values ('2000-01', '2100-01', '366 days');

alter table measurement_before_2000 rename to measurement_before;
alter table measurement_from_2100 rename to measurement_after;

-- Makes the monthly partitions (UTC) that the times between `first` and `last` need and the span allows, so
-- senders of odd times cannot flood the catalogue. A table is made and then attached, because
-- `create table … partition of` would lock out readers and writers of all months.
create or replace function ensure_measurement_partitions(first timestamptz, last timestamptz) returns void
language plpgsql as $$
declare
  span measurement_span := (select measurement_span from measurement_span);
  month timestamp := greatest(date_trunc('month', first at time zone 'UTC'), (span.first_month || '-01')::timestamp);
  partition text;
begin
  while month <= last at time zone 'UTC' and month < (span.end_month || '-01')::timestamp loop
    partition := 'measurement_' || to_char(month, 'YYYY_MM');
    if to_regclass(partition) is null then
      -- Of two writers that need the same month, the second waits and finds it made, or the span another one.
      perform pg_advisory_xact_lock(hashtext('measurement partitions'));
      if to_regclass(partition) is null and exists (
        select from measurement_span
        where to_char(month, 'YYYY-MM') >= first_month and to_char(month, 'YYYY-MM') < end_month
      ) then
        execute format('create table %I (like measurement including all)', partition);
        execute format(
          'alter table measurement attach partition %I for values from (%L) to (%L)',
          partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
      end if;
    end if;
    month := month + interval '1 month';
  end loop;
end
$$;

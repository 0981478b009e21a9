-- The change feed (docs/change-feed.md) reads `change` in the order (xid, sequence), below the oldest
-- running transaction. Each row has who could see the record before and after the change:
--   null    everybody
--   false   nobody: the record did not exist, or is not available
--   object  callers whom a rule opens it to: what rules are compared with (`rights_of`)
-- A row that was written without them reveals no record by itself.

-- First, because it takes a while, during which versions can still be read.
create index change_order on change (dataset, xid, sequence);
drop index change_dataset_xid;

alter table change
  add column before jsonb default 'false',
  add column after jsonb default 'false';

-- One row. The epoch is part of every offset: a new one makes all offsets given so far void. The secret
-- hides and authenticates what is in them.
create table feed_epoch (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  -- The server, its timeline, the database and this table: another one after a restore or a failover.
  place text,
  secret bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
  -- Changes of transactions that began before are deleted, except the newest of each dataset: versions
  -- need it.
  pruned_before timestamptz not null default '-infinity'
);

insert into feed_epoch default values;

-- Stable, as what it calls: so it becomes a part of the statement.
create function rights_of(closed boolean, origin text, category text default null) returns jsonb
language sql stable parallel safe as $$
  select case when coalesce(closed, true)
    then jsonb_strip_nulls(jsonb_build_object('origin', origin, 'category', category)) end
$$;

-- Note each change of content records, in an order that does not depend on others; on which tables they run,
-- the hub decides (`syncFeedTriggers`).
create function note_records() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change (area, dataset, id, kind, before, after)
    select 'content', tg_argv[0], id, 'upsert', 'false', rights_of(closed, source)
    from added order by id;
  elsif tg_op = 'UPDATE' then
    insert into change (area, dataset, id, kind, before, after)
    select 'content', tg_argv[0], coalesce(added.id, taken.id), 'upsert',
      case when taken.id is null then 'false' else rights_of(taken.closed, taken.source) end,
      case when added.id is null then 'false' else rights_of(added.closed, added.source) end
    from added full join taken on taken.id = added.id order by 3;
  else
    insert into change (area, dataset, id, kind, before, after)
    select 'content', tg_argv[0], id, 'delete', rights_of(closed, source), 'false'
    from taken order by id;
  end if;
  return null;
end
$$;

-- The same for the newest states of mobility events (0013-announcements.sql), which other rules open. They are
-- also followed by their origin.
create function note_announcements() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change (area, dataset, id, kind, before, after)
    select area, dataset, name, 'upsert', 'false', rights_of(closed, origin, category)
    from added cross join lateral (values
      ('content', tg_argv[0], id), ('timeseries', 'traffic/' || origin, series)) as noted (area, dataset, name)
    order by area, id;
  elsif tg_op = 'UPDATE' then
    -- The origin and the series of an announcement never change.
    insert into change (area, dataset, id, kind, before, after)
    select area, dataset, name, 'upsert', rights_of(taken.closed, taken.origin, taken.category),
      rights_of(added.closed, added.origin, added.category)
    from added join taken on taken.id = added.id cross join lateral (values
      ('content', tg_argv[0], added.id), ('timeseries', 'traffic/' || added.origin, added.series))
      as noted (area, dataset, name)
    order by area, added.id;
  else
    insert into change (area, dataset, id, kind, before, after)
    select area, dataset, name, 'delete', rights_of(closed, origin, category), 'false'
    from taken cross join lateral (values
      ('content', tg_argv[0], id), ('timeseries', 'traffic/' || origin, series)) as noted (area, dataset, name)
    order by area, id;
  end if;
  return null;
end
$$;

create function rights_of(station station) returns jsonb
language sql stable parallel safe as $$
  select case when station.available then rights_of(station.closed, station.origin) else 'false' end
$$;

-- What names the latest value of a series (docs/change-feed.md).
create function latest_key(station text, data_type text, period integer, kind text) returns text
language sql immutable parallel safe as $$
  select concat_ws('|',
    replace(replace(station, '%', '%25'), '|', '%7C'), replace(replace(data_type, '%', '%25'), '|', '%7C'),
    period, nullif(kind, 'number'))
$$;

-- Who can see the latest values of a station: with what names them and what rules are compared with, since
-- their series may be gone when it is read.
create function rights_of_latest(station station, data_type text, series series) returns jsonb
language sql stable parallel safe as $$
  select case when station.available
    then jsonb_build_object(
      'closed', coalesce(station.closed, true), 'origin', station.origin,
      'dataType', data_type, 'period', series.period,
      'key', latest_key(station.code, data_type, series.period, series.kind))
    else 'false' end
$$;

-- Other changes of stations are noted by who writes them: also those of stations whose answers show them.
create function note_rights_of_station() returns trigger
language plpgsql as $$
begin
  insert into change (area, dataset, id, kind, before, after)
  values ('timeseries', 'stations/' || old.type, old.code,
    case tg_op when 'DELETE' then 'delete' else 'upsert' end,
    -- Made a moment ago, to be filled by the same message.
    case when old.received = '-infinity' then 'false' else rights_of(old) end,
    case tg_op when 'DELETE' then 'false' else rights_of(new) end);
  if tg_op = 'UPDATE' then
    insert into change (area, dataset, id, kind, before, after)
    select 'timeseries', 'timeseries/' || old.type, series.id::text, 'upsert',
      rights_of_latest(old, data_type.name, series), rights_of_latest(new, data_type.name, series)
    from series
    join data_type on data_type.id = series.data_type_id
    join latest on latest.series_id = series.id
    where series.station_id = old.id
    -- Any other order might depend on series that are visible to nobody.
    order by series.id;
  end if;
  return null;
end
$$;

create trigger note_rights_update after update on station for each row
when (
  (old.available, old.closed, old.origin) is distinct from (new.available, new.closed, new.origin)
  or old.received = '-infinity')
execute function note_rights_of_station();

create trigger note_rights_delete after delete on station for each row
execute function note_rights_of_station();

create function note_rights_of_latest() returns trigger
language plpgsql as $$
begin
  insert into change (area, dataset, id, kind, before)
  select 'timeseries', 'timeseries/' || station.type, old.series_id::text, 'delete',
    rights_of_latest(station, data_type.name, series)
  from series
  join station on station.id = series.station_id
  join data_type on data_type.id = series.data_type_id
  where series.id = old.series_id;
  return null;
end
$$;

create trigger note_rights_delete after delete on latest for each row
execute function note_rights_of_latest();

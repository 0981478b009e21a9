-- The change feed (docs/change-feed.md) reads `change` in the order (xid, sequence), below the oldest
-- running transaction.

-- Who could see a record before it was deleted or its visibility changed, and what named it, where that is
-- not its id: what a feed needs to tell only those of its end who could see it. Null for all other changes.
alter table change add column former jsonb;

-- insert: there was no record of this id before.
alter table change drop constraint change_kind_check;
alter table change add constraint change_kind_check check (kind in ('insert', 'upsert', 'delete'));

create index change_order on change (dataset, xid, sequence);
drop index change_dataset_xid;

-- Up to which transaction old rows of a dataset are gone. Its newest row always stays: versions need it.
create table change_pruned (
  dataset text primary key,
  xid xid8 not null
);

-- One row. The epoch is part of every offset: a new one makes all offsets given so far void. The secret
-- hides and authenticates what is in them.
create table feed_epoch (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  -- The database cluster that the epoch was made on: a backup that is restored elsewhere gets another one.
  cluster text,
  secret bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
);

insert into feed_epoch default values;

-- Of a content record, or of a view of mobility events, which other rules open; on which tables it runs, the
-- hub decides (`syncHistoryTriggers`).
create function note_former_record() returns trigger
language plpgsql as $$
declare
  former jsonb;
begin
  if tg_argv[1] = 'event' then
    former := jsonb_build_object('closed', old.closed, 'origin', old.origin, 'category', old.category);
  else
    former := jsonb_build_object('closed', old.closed, 'origin', old.source);
  end if;
  insert into change (area, dataset, id, kind, former)
  values ('content', tg_argv[0], old.id, case tg_op when 'DELETE' then 'delete' else 'upsert' end, former);
  return null;
end
$$;

create function note_former_station() returns trigger
language plpgsql as $$
begin
  insert into change (area, dataset, id, kind, former)
  values ('timeseries', 'stations/' || old.type, old.code,
    case tg_op when 'DELETE' then 'delete' else 'upsert' end,
    jsonb_build_object('available', old.available, 'closed', old.closed, 'origin', old.origin));
  return null;
end
$$;

create trigger note_former_update after update on station for each row
when ((old.available, old.closed, old.origin) is distinct from (new.available, new.closed, new.origin))
execute function note_former_station();

create trigger note_former_delete after delete on station for each row
execute function note_former_station();

-- What names the latest value of a series (docs/change-feed.md).
create function latest_key(station text, data_type text, period integer, kind text) returns text
language sql immutable parallel safe as $$
  select concat_ws('|', replace(station, '|', '%7C'), replace(data_type, '|', '%7C'), period,
    nullif(kind, 'number'))
$$;

-- A series that has no value any more.
create function note_former_latest() returns trigger
language plpgsql as $$
begin
  insert into change (area, dataset, id, kind, former)
  select 'timeseries', 'timeseries/' || station.type, old.series_id::text, 'delete',
    jsonb_build_object(
      'available', station.available, 'closed', station.closed, 'origin', station.origin,
      'dataType', data_type.name, 'period', series.period,
      'key', latest_key(station.code, data_type.name, series.period, series.kind))
  from series
  join station on station.id = series.station_id
  join data_type on data_type.id = series.data_type_id
  where series.id = old.series_id;
  return null;
end
$$;

create trigger note_former_delete after delete on latest for each row
execute function note_former_latest();

create function note_former_event() returns trigger
language plpgsql as $$
begin
  insert into change (area, dataset, id, kind, former)
  values ('timeseries', 'events/' || old.origin, old.uuid,
    case tg_op when 'DELETE' then 'delete' else 'upsert' end,
    jsonb_build_object(
      'closed', old.closed, 'origin', old.origin, 'category', old.category, 'key', old.series));
  return null;
end
$$;

create trigger note_former_update after update on mobility_event for each row
when ((old.closed, old.category, old.series) is distinct from (new.closed, new.category, new.series))
execute function note_former_event();

create trigger note_former_delete after delete on mobility_event for each row
execute function note_former_event();

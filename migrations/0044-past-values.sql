-- Values that are older than a day when they are written, and all that are deleted, are noted under `past/` and the
-- station type as well: ranges that ended two days ago have that version. An older hub would not note them, and does not
-- start on this database any more.
insert into change (area, dataset, id, kind)
select 'timeseries', 'past/' || type, 'values', 'upsert' from station_types() as type;

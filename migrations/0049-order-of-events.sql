-- The states of a series are in the order in which they were first sent: a correction of one does not make it the newest,
-- and states of one message are in its order (decision D50).
alter table mobility_event
  add column first_recorded timestamptz,
  add column place bigint not null default 0;
create sequence mobility_event_place;

-- As they were ordered until now. Records of the content service stay the same.
alter table mobility_event disable trigger user;
update mobility_event set first_recorded = recorded;
alter table mobility_event enable trigger user;
-- Nodes of the version before do not name it, while nodes are upgraded one by one.
alter table mobility_event
  alter column first_recorded set default now(),
  alter column first_recorded set not null;

drop index mobility_event_version;
create index mobility_event_version on mobility_event (origin, series, first_recorded, place, uuid);

-- Writes the records of some series anew. Writers of one origin follow each other from here on to the
-- ends of their transactions, so that none overlooks a state that another one has just written.
create or replace function refresh_announcements(origins text[], names text[]) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('announcements of ' || origin, 0))
  from (select distinct origin from unnest(origins) as origin order by origin) as locked;

  with touched as (
    select distinct origin, series from unnest(origins, names) as given (origin, series)
  ),
  states as (
    select event, touched.origin, touched.series,
      count(*) over in_series as version,
      min(event.first_recorded) over in_series as first_recorded,
      row_number() over (
        in_series order by event.first_recorded desc, event.place desc, event.uuid desc) as place
    from touched
    join mobility_event as event on event.origin = touched.origin and event.series = touched.series
    window in_series as (partition by touched.origin, touched.series)
  ),
  named as (
    select states.*,
      coalesce(
        own.id,
        case
          when taken.id is null
            and row_number() over (partition by lower(states.series) order by states.origin, states.series) = 1
          then lower(states.series)
          else lower(states.series) || '@' || md5(states.origin || ' ' || states.series)
        end) as id
    from states
    left join content.announcement as own
      on own.origin = states.origin and own.series = states.series
    left join content.announcement as taken on taken.id = lower(states.series)
    where place = 1
  ),
  written as (
    insert into content.announcement as known (id, data, received, origin, series, category, shape)
    select id, announcement_of(event, id, version, first_recorded), (event).recorded, origin, series,
      (event).category, (event).geometry
    from named
    on conflict (origin, series) do update set
      data = excluded.data, received = excluded.received,
      category = excluded.category, shape = excluded.shape
    where known.data is distinct from excluded.data
    returning id
  ),
  removed as (
    delete from content.announcement as known
    using touched
    where known.origin = touched.origin and known.series = touched.series
      and not exists (
        select from states where states.origin = touched.origin and states.series = touched.series)
    returning known.id
  )
  insert into change (area, dataset, id, kind)
  select 'content', 'Announcement', id, 'upsert' from written
  union all
  select 'content', 'Announcement', id, 'delete' from removed;
end
$$;

-- Mobility events as records of the content service (decisions D37, D50): for each series its newest
-- state. The events are the one store; triggers keep the records in step within the transaction that
-- writes events, so that a list, the time series service and the traffic feed never tell different
-- things. The columns for filters follow from the entity definition (src/content/table.ts).
create table content.announcement (
  -- The series in lower case (decision D31), followed by a digest where another series has that already.
  id text collate "C" primary key,
  data jsonb not null,
  received timestamptz not null,
  origin text collate "C" not null,
  series text collate "C" not null,
  -- With the origin, what rules for events compare (decision D60).
  category text,
  -- What polygons are held against; the position in `data` is one point of it.
  shape geometry(Geometry, 4326),
  unique (origin, series)
);

create index announcement_shape on content.announcement using gist (shape);

create function announcement_time(moment timestamptz) returns text
language sql immutable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Titles and texts by language, as far as they say something.
create function announcement_detail(title jsonb, body jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(
    jsonb_object_agg(language, jsonb_build_object(
      'Language', language, 'Title', title ->> language, 'BaseText', body ->> language)),
    '{}')
  from jsonb_object_keys(title || body) as language
  where btrim(concat(title ->> language, body ->> language)) <> ''
$$;

-- The first position, which lies on a line or an edge for certain, with the whole shape.
create function announcement_position(shape geometry) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(
    (
      select jsonb_build_object('position', jsonb_build_object(
        'Gpstype', 'position', 'Latitude', st_y(geom), 'Longitude', st_x(geom),
        'Geometry', st_astext(shape, 15), 'Default', true))
      from st_dumppoints(shape)
      order by path
      limit 1
    ),
    '{}')
$$;

-- Every event carries the general tag, by which clients ask for all of them.
create function announcement_tags(tags text[]) returns text[]
language sql immutable parallel safe as $$
  select array(
    select tag
    from unnest('{announcement:traffic-event}' || tags) with ordinality as given (tag, place)
    group by tag
    order by min(place))
$$;

-- Identifiers at other systems: those that the provider names, otherwise the name of the event.
create function announcement_mapping(event mobility_event) returns jsonb
language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(event.metadata -> 'Mapping') = 'object'
      and not jsonb_path_exists(event.metadata -> 'Mapping', '$.*.type() ? (@ != "object")')
      and not jsonb_path_exists(event.metadata -> 'Mapping', '$.*.*.type() ? (@ != "string")')
    then event.metadata -> 'Mapping'
    else jsonb_build_object(lower(event.origin), jsonb_build_object('Id', event.name))
  end
$$;

create function announcement_of(
  event mobility_event, id text, version bigint, first_recorded timestamptz
) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object(
    'Id', id,
    'Active', not event.cancelled,
    'Source', event.origin,
    'Shortname', coalesce(event.title ->> 'en', event.title ->> 'it', event.title ->> 'de', event.name),
    'StartTime', announcement_time(event.start),
    'EndTime', announcement_time(event."end"),
    'FirstImport', announcement_time(first_recorded),
    'LastChange', announcement_time(event.recorded),
    'HasLanguage', (
      select coalesce(jsonb_agg(language order by language collate "C"), '[]')
      from jsonb_object_keys(announcement_detail(event.title, event.text)) as language),
    'TagIds', to_jsonb(announcement_tags(event.tags)),
    'Detail', announcement_detail(event.title, event.text),
    'Geo', announcement_position(event.geometry),
    'Mapping', announcement_mapping(event),
    'LicenseInfo', jsonb_build_object('ClosedData', event.closed),
    'AdditionalProperties', jsonb_build_object('MobilityEvent', jsonb_build_object(
      'Uuid', event.uuid, 'Series', event.series, 'Version', version, 'Name', event.name,
      'Category', event.category, 'Severity', event.severity, 'Cancelled', event.cancelled,
      'Description', event.description, 'LocationDescription', event.location_description,
      'Metadata', event.metadata, 'Datex', event.datex)),
    '_Meta', jsonb_build_object(
      'Id', id, 'Type', 'announcement', 'Source', lower(event.origin),
      'LastUpdate', announcement_time(event.recorded),
      'LastChange', announcement_time(event.recorded),
      'Reduced', false, 'UpdateInfo', jsonb_build_object('Revision', version)))
$$;

-- Writes the records of some series anew. Writers of one origin follow each other from here on to the
-- ends of their transactions, so that none overlooks a state that another one has just written.
create function refresh_announcements(origins text[], names text[]) returns void
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
      min(event.recorded) over in_series as first_recorded,
      row_number() over (in_series order by event.recorded desc, event.uuid desc) as place
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

create function mobility_event_written() returns trigger
language plpgsql as $$
declare
  origins text[];
  names text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(origin), array_agg(series) into origins, names from added;
  elsif tg_op = 'DELETE' then
    select array_agg(origin), array_agg(series) into origins, names from taken;
  elsif tg_op = 'UPDATE' then
    -- A state may have moved to another series.
    select array_agg(origin), array_agg(series) into origins, names
    from (select origin, series from added union select origin, series from taken) as both_sides;
  else
    select array_agg(origin), array_agg(series) into origins, names from content.announcement;
  end if;
  if origins is not null then
    perform refresh_announcements(origins, names);
  end if;
  return null;
end
$$;

create trigger mobility_event_inserted after insert on mobility_event
referencing new table as added
for each statement execute function mobility_event_written();

create trigger mobility_event_updated after update on mobility_event
referencing old table as taken new table as added
for each statement execute function mobility_event_written();

create trigger mobility_event_deleted after delete on mobility_event
referencing old table as taken
for each statement execute function mobility_event_written();

create trigger mobility_event_truncated after truncate on mobility_event
for each statement execute function mobility_event_written();

-- Those that there are already.
select refresh_announcements(array_agg(origin), array_agg(series)) from mobility_event having count(*) > 0;

-- Stations, series and measurements; edges and events of mobility (interface 2.5). Codes and names are
-- collated "C": their order decides what stands on which page, and it must be the same on every server.

-- A station, or the station that describes an edge (reference 6.1).
create table station (
  id integer generated always as identity primary key,
  type text collate "C" not null check (type <> ''),
  code text collate "C" not null check (code <> ''),
  name text not null,
  origin text,
  active boolean,
  -- Only available stations are shown.
  available boolean,
  point geometry(Point, 4326),
  parent_id integer references station,
  -- The current version; all of them are in station_metadata.
  metadata jsonb,
  -- Whether the measurements are closed data (decision D60). The station itself is always listed.
  closed boolean not null default false,
  -- Of the youngest message that wrote this row: an older one never overwrites it (decision D53).
  received timestamptz not null,
  -- Look-up by code, and the order of every list of stations (decision D46a).
  unique (type, code)
);

-- The types of all stations and edges: one probe of the index for each, however many stations there are.
create function station_types() returns setof text
language sql stable as $$
  with recursive found as (
    (select type from station order by type limit 1)
    union all
    select (select station.type from station where station.type > found.type order by type limit 1)
    from found where found.type is not null
  )
  select type from found where type is not null
$$;

-- The children of a station: their answers show the parent, so they change when it does.
create index station_parent on station (parent_id) where parent_id is not null;

-- Boxes and distances in `where` (interface 4.9).
create index station_point on station using gist (point);

-- Every version of the metadata, by the time since when it holds.
create table station_metadata (
  station_id integer not null references station,
  recorded timestamptz not null,
  metadata jsonb,
  primary key (station_id, recorded)
);

create table data_type (
  id integer generated always as identity primary key,
  name text collate "C" not null unique check (name <> ''),
  unit text,
  -- Kind of measure, such as Instantaneous or Mean.
  rtype text,
  description text,
  metadata jsonb,
  received timestamptz not null
);

-- Who collected a value, and from where.
create table provenance (
  id integer generated always as identity primary key,
  name text not null,
  version text,
  lineage text not null,
  unique nulls not distinct (name, version, lineage)
);

-- A series is a station, a data type, a period and a kind of value (decision D41). Never deleted.
create table series (
  id integer generated always as identity primary key,
  station_id integer not null references station,
  data_type_id integer not null references data_type,
  -- Seconds between values.
  period integer not null,
  kind text collate "C" not null check (kind in ('number', 'text', 'json')),
  -- Look-up on write; by its first column also the series of a station.
  unique (station_id, data_type_id, period, kind)
);

-- The series of a data type, over all stations.
create index series_data_type on series (data_type_id);

-- One value of a series at one time; the kind of the series says which of the three columns holds it.
--
-- Every key contains series_id, by which Citus distributes the table. There is no foreign key: one
-- would be checked for every value that comes in, and the ids come out of `series` a moment before,
-- where nothing is ever deleted.
--
-- There is no default partition: each new partition would have to scan it for rows of its own, under
-- a lock that stops all writes. The two partitions at the ends hold what no month is made for.
create table measurement (
  valid_time timestamptz not null,
  transaction_time timestamptz not null,
  -- NaN is greater than every number in PostgreSQL, so this refuses it too (decision D5).
  number double precision check (number > '-Infinity' and number < 'Infinity'),
  series_id integer not null,
  provenance_id integer,
  text text,
  json jsonb,
  -- Newest, oldest and range of a series.
  primary key (series_id, valid_time)
) partition by range (valid_time);

-- A range over many series in the order of time (decision D46a): the limit of a page stops the scan.
create index measurement_time on measurement (valid_time, series_id);

create table measurement_before_2000 partition of measurement
  for values from (minvalue) to ('2000-01-01 00:00:00+00');
create table measurement_from_2100 partition of measurement
  for values from ('2100-01-01 00:00:00+00') to (maxvalue);

-- Makes the monthly partitions (UTC) that the times between `first` and `last` need; at most the 1,200
-- of the century, so senders of odd times cannot flood the catalogue. A table is made and then
-- attached, because `create table … partition of` would lock out readers and writers of all months.
create function ensure_measurement_partitions(first timestamptz, last timestamptz) returns void
language plpgsql as $$
declare
  month timestamp := greatest(date_trunc('month', first at time zone 'UTC'), '2000-01-01');
  partition text;
begin
  while month <= last at time zone 'UTC' and month < '2100-01-01' loop
    partition := 'measurement_' || to_char(month, 'YYYY_MM');
    if to_regclass(partition) is null then
      -- Of two writers that need the same month, the second waits and finds it made.
      perform pg_advisory_xact_lock(hashtext('measurement partitions'));
      if to_regclass(partition) is null then
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

-- The newest value of each series, so that nobody has to look for it in the history.
create table latest (
  series_id integer primary key references series,
  valid_time timestamptz not null,
  transaction_time timestamptz not null,
  number double precision,
  provenance_id integer,
  text text,
  json jsonb
  -- Room on each page, so that a new value replaces the old one in place (heap-only tuples). For the
  -- same reason there is no index on valid_time: it would have to be written with every value.
) with (fillfactor = 60);

-- What an edge has beyond its station (reference 6.1).
create table edge (
  station_id integer primary key references station,
  from_id integer references station,
  to_id integer references station,
  directed boolean not null,
  geometry geometry(Geometry, 4326),
  received timestamptz not null
);

-- The edges of a station, whose answers show it.
create index edge_from on edge (from_id) where from_id is not null;
create index edge_to on edge (to_id) where to_id is not null;

-- One state of an event; the states of a series are its versions (decision D50).
create table mobility_event (
  uuid text collate "C" primary key check (uuid <> ''),
  series text collate "C" not null check (series <> ''),
  origin text collate "C" not null,
  name text not null,
  description text,
  category text,
  tags text[] not null default '{}',
  severity text,
  start timestamptz,
  "end" timestamptz,
  cancelled boolean not null default false,
  title jsonb not null default '{}',
  text jsonb not null default '{}',
  geometry geometry(Geometry, 4326),
  location_description text,
  metadata jsonb,
  datex jsonb,
  provenance_id integer references provenance,
  closed boolean not null default false,
  -- When this state was last changed: the version time.
  recorded timestamptz not null,
  -- Of the youngest message that held this state (decision D53).
  received timestamptz not null
);

-- The states of a series in the order of their versions; by its first column the events of an origin.
create index mobility_event_version on mobility_event (origin, series, recorded, uuid);

-- A GeoJSON geometry in two dimensions, or null where PostGIS refuses it: so one bad item is found,
-- and the others of its message are stored.
create function geometry_from_geojson(written text) returns geometry
language plpgsql immutable strict parallel safe as $$
begin
  return ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(written)), 4326);
exception when others then
  return null;
end
$$;

-- A position in EPSG:4326 from one in any reference system that PostGIS knows, or null.
create function point_from(x double precision, y double precision, srid integer) returns geometry
language plpgsql immutable strict parallel safe as $$
declare
  point geometry;
begin
  point := ST_Transform(ST_SetSRID(ST_MakePoint(x, y), srid), 4326);
  if point @ ST_MakeEnvelope(-180, -90, 180, 90, 4326) then
    return point;
  end if;
  return null;
exception when others then
  return null;
end
$$;

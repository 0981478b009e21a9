-- Numbers and flags that a source writes as texts are understood where the hub computes with them (decision D66), and
-- what was taken though it is of another type than usual is told in the receipt.

-- [{"index", "reason", "pointer"?, "line"?}]
alter table message add column warnings jsonb not null default '[]';

create or replace function content_flag(value jsonb) returns boolean
language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(value) = 'boolean' then value::boolean
    when lower(value #>> '{}') in ('true', '1') then true
    when lower(value #>> '{}') in ('false', '0') then false
  end
$$;

create or replace function content_number(value jsonb) returns double precision
language sql immutable strict parallel safe
return case
  when (value #>> '{}') ~ '^\s*-?\d{1,15}([.,]\d{1,15})?\s*$'
    then replace(value #>> '{}', ',', '.')::double precision
end;

-- Coordinates in numbers are found as before; only where there are none, those in texts are looked for.
alter function content_position(jsonb) rename to content_position_in_numbers;

create function content_position_in_texts(record jsonb) returns geography(Point, 4326)
language sql immutable strict parallel safe as $$
  select st_setsrid(st_makepoint(longitude, latitude), 4326)::geography
  from (
    select content_number(coalesce(place -> 'Longitude', place -> 'longitude')) as longitude,
      content_number(coalesce(place -> 'Latitude', place -> 'latitude')) as latitude,
      content_flag(place -> 'Default') is true as is_default, place ->> 'Gpstype' = 'position' as is_own, rank, nr
    from (
      select place, 1 as rank, nr
      from jsonb_path_query(record, '$.GpsInfo[*]') with ordinality as listed (place, nr)
      union all select record #> '{GpsPoints,position}', 2, 1
      union all
      select place, 3, nr from jsonb_path_query(record, '$.Geo.*') with ordinality as named (place, nr)
      union all select record, 4, 1) as places
    where jsonb_typeof(place) = 'object') as found
  where longitude between -180 and 180 and latitude between -90 and 90 and (rank <> 1 or is_default or is_own)
  order by rank, is_default desc, nr
  limit 1
$$;

create function content_position(record jsonb) returns geography(Point, 4326)
language sql immutable strict parallel safe
return coalesce(content_position_in_numbers(record), content_position_in_texts(record));

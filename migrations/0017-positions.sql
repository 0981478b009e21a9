-- Where a record is, as content_position of migration 7 says, of whatever a record carries: a member
-- that is no number (also a list of one number, which a comparison looks into) is no position, and
-- the coordinates are taken from the members that were looked at.
create or replace function content_position(record jsonb) returns geography(Point, 4326)
language plpgsql immutable strict parallel safe as $$
declare
  place jsonb;
begin
  place := coalesce(
    jsonb_path_query_first(record, '$.GpsInfo[*] ? (@.Default == true
      && @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180
      && @.Latitude.type() == "number" && @.Longitude.type() == "number")'),
    jsonb_path_query_first(record, '$.GpsInfo[*] ? (@.Gpstype == "position"
      && @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180
      && @.Latitude.type() == "number" && @.Longitude.type() == "number")'),
    jsonb_path_query_first(record, '$.GpsPoints.position ? (
      @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180
      && @.Latitude.type() == "number" && @.Longitude.type() == "number")'),
    jsonb_path_query_first(record, '$.Geo.* ? (@.Default == true
      && @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180
      && @.Latitude.type() == "number" && @.Longitude.type() == "number")'),
    jsonb_path_query_first(record, '$ ? (
      @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180
      && @.Latitude.type() == "number" && @.Longitude.type() == "number")'));
  if place is not null then
    return st_setsrid(st_makepoint(
      (place -> 'Longitude')::double precision,
      (place -> 'Latitude')::double precision), 4326)::geography;
  end if;
  place := jsonb_path_query_first(record, '$ ? (
    @.latitude >= -90 && @.latitude <= 90 && @.longitude >= -180 && @.longitude <= 180
    && @.latitude.type() == "number" && @.longitude.type() == "number")');
  if place is null then
    return null;
  end if;
  return st_setsrid(st_makepoint(
    (place -> 'longitude')::double precision,
    (place -> 'latitude')::double precision), 4326)::geography;
end
$$;

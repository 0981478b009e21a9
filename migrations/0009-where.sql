-- What the geographic operators of `where` need (interface 4.9, decision D45).

-- The box between two corners in EPSG:4326, whatever reference system they are given in; null when
-- they are not on the earth, or the reference system is unknown. Corners come in any order.
create function box_between(
  x1 double precision, y1 double precision, x2 double precision, y2 double precision, srid integer
) returns geometry
language plpgsql immutable strict parallel safe as $$
declare
  box geometry;
begin
  box := ST_MakeEnvelope(least(x1, x2), least(y1, y2), greatest(x1, x2), greatest(y1, y2), srid);
  if srid <> 4326 then
    box := ST_Transform(box, 4326);
  end if;
  if box @ ST_MakeEnvelope(-180, -90, 180, 90, 4326) then
    return box;
  end if;
  return null;
exception when others then
  return null;
end
$$;

-- A box that holds every place closer to a point than a distance in metres: what an index can search.
-- A degree of latitude is never shorter than 110 km. Towards the poles degrees of longitude shrink,
-- and around a pole, or over the antimeridian, the box goes around the earth.
create function box_around(centre geometry, metres double precision) returns geometry
language plpgsql immutable strict parallel safe as $$
declare
  height double precision := metres / 110000;
  reach double precision := abs(ST_Y(centre)) + metres / 110000;
  width double precision;
begin
  if metres <= 0 then
    return null;
  end if;
  if reach >= 89 then
    return ST_MakeEnvelope(-180, greatest(-90, ST_Y(centre) - height), 180, least(90, ST_Y(centre) + height), 4326);
  end if;
  width := height / cos(radians(reach));
  if ST_X(centre) - width < -180 or ST_X(centre) + width > 180 then
    return ST_MakeEnvelope(-180, ST_Y(centre) - height, 180, ST_Y(centre) + height, 4326);
  end if;
  return ST_MakeEnvelope(
    ST_X(centre) - width, ST_Y(centre) - height, ST_X(centre) + width, ST_Y(centre) + height, 4326);
end
$$;

-- Boxes and distances for edges and events, as station_point for stations.
create index edge_geometry on edge using gist (geometry);
create index mobility_event_geometry on mobility_event using gist (geometry);

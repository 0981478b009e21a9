-- A place in another coordinate reference system; null where it cannot be in that one, such as a pole in
-- Web Mercator.
create function place_in_system(place geometry, system integer) returns geometry
language plpgsql immutable strict parallel safe as $$
begin
  return st_transform(place, system);
exception when others then
  return null;
end
$$;

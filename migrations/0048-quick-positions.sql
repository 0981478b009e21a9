-- Most kinds of records have no position. A strict function of SQL around functions that are not is planned anew at each
-- call, which took a millisecond for each of these records.
create or replace function content_position(record jsonb) returns geography(Point, 4326)
language plpgsql immutable strict parallel safe as $$
begin
  if record ?| '{GpsInfo,GpsPoints,Geo,Latitude,latitude}' then
    return coalesce(content_position_in_numbers(record), content_position_in_texts(record));
  end if;
  return null;
end
$$;

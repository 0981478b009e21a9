-- What the filters of content lists need: the functions behind the generated columns of the entity
-- tables (src/content/table.ts) and behind geographic filters. Bodies use nothing outside pg_catalog
-- unless they are bound when they are created, so that a restored dump can compute its columns.

-- The indexes that exist, so that a changed definition is noticed and built again.
create table content_index (
  entity text not null,
  name text not null,
  definition text not null,
  primary key (entity, name)
);

-- The texts of an array, or one text, as an array; what is no text, or longer than an index entry may
-- be, is left out. A JSON array of texts is written like an array of PostgreSQL but for its brackets
-- and the escapes of control characters, which no identifier has; this is ten times as fast as taking
-- the elements one by one.
create function content_strings(value jsonb) returns text[]
language sql immutable strict parallel safe
return ('{' || btrim(
  jsonb_path_query_array(value, '$[*] ? (@ like_regex "^.{1,250}$" flag "s")')::text, '[]') || '}')::text[];

-- The same in lower case, for identifiers that are compared in any case.
create function content_lower(value jsonb) returns text[]
language sql immutable strict parallel safe
return content_strings(lower(value::text)::jsonb);

-- The whole numbers of an array, as texts.
create function content_integers(value jsonb) returns text[]
language sql immutable strict parallel safe
return translate(
  jsonb_path_query_array(value, '$[*] ? (@.floor() == @ && @ >= 0)')::text, '[] ', '{}')::text[];

-- A number as records carry it, also where one source writes it as text; null for everything else.
create function content_number(value jsonb) returns double precision
language sql immutable strict parallel safe
return case
  when (value #>> '{}') ~ '^-?\d{1,15}(\.\d{1,15})?$' then (value #>> '{}')::double precision
end;

-- Where a record is: the default position, else the one of type "position", else its own coordinates.
-- Positions that are none (out of range, no numbers) are passed over.
create function content_position(record jsonb) returns geography(Point, 4326)
language plpgsql immutable strict parallel safe as $$
declare
  place jsonb;
begin
  place := coalesce(
    jsonb_path_query_first(record, '$.GpsInfo[*] ? (@.Default == true
      && @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180)'),
    jsonb_path_query_first(record, '$.GpsInfo[*] ? (@.Gpstype == "position"
      && @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180)'),
    jsonb_path_query_first(record, '$.GpsPoints.position ? (
      @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180)'),
    jsonb_path_query_first(record, '$.Geo.* ? (@.Default == true
      && @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180)'),
    jsonb_path_query_first(record, '$ ? (
      @.Latitude >= -90 && @.Latitude <= 90 && @.Longitude >= -180 && @.Longitude <= 180)'),
    jsonb_path_query_first(record, '$ ? (
      @.latitude >= -90 && @.latitude <= 90 && @.longitude >= -180 && @.longitude <= 180)'));
  if place is null then
    return null;
  end if;
  return st_setsrid(st_makepoint(
    coalesce(place -> 'Longitude', place -> 'longitude')::double precision,
    coalesce(place -> 'Latitude', place -> 'latitude')::double precision), 4326)::geography;
end
$$;

-- The titles of a record as text search reads them: for each title a line of its language in capital
-- letters (nothing for titles of no language), a tab, and the folded title; a second line where ae,
-- oe and ue fold to a, o and u. src/content/search/fold-text.ts folds what is looked for in the same
-- way; a test holds the two together. Paths are written with dots, * stands for the language.
create function content_titles(record jsonb, paths text[]) returns text
language plpgsql immutable strict parallel safe as $$
declare
  path text;
  keys text[];
  place integer;
  titles jsonb;
  spoken jsonb;
  title text;
  short text;
  lines text := '';
begin
  foreach path in array paths loop
    keys := string_to_array(path, '.');
    place := coalesce(array_position(keys, '*'), 0);
    titles := case when place = 0
      then jsonb_build_object('', record #> keys) else record #> keys[:place - 1] end;
    continue when titles is null or jsonb_typeof(titles) <> 'object';
    spoken := jsonb_path_query_array(titles, '$.keyvalue().key');
    for number in 0 .. jsonb_array_length(spoken) - 1 loop
      title := case when place = 0 then titles ->> ''
        else (titles -> (spoken ->> number)) #>> keys[place + 1:] end;
      continue when title is null;
      title := left(title, 5000);
      if title !~ '^[\x20-\x7e]*$' then
        title := regexp_replace(normalize(title, nfkd), '[\u0300-\u036f]', '', 'g');
        title := replace(replace(replace(replace(replace(replace(
          title, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe');
        title := translate(
          title,
          'øØłŁđĐıАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
          'oollddiабвгдежзиклмнопрстуфхцчшщъыьэюя');
      end if;
      title := btrim(regexp_replace(lower(title collate "C"), '[\x01-\x20]+', ' ', 'g'));
      short := regexp_replace(title, '([aou])e', '\1', 'g');
      lines := lines || upper(spoken ->> number) || E'\t' || title || E'\n';
      if short <> title then
        lines := lines || upper(spoken ->> number) || E'\t' || short || E'\n';
      end if;
    end loop;
  end loop;
  return lines;
end
$$;

-- Every character and every pair of characters: what a search for one or two characters looks up,
-- which trigrams cannot serve.
create function content_pairs(titles text) returns text[]
language sql immutable strict parallel safe cost 1000
return string_to_array(titles, null)
  || string_to_array(regexp_replace(titles, '(..)', E'\\1\x01', 'g'), E'\x01')
  || string_to_array(regexp_replace(substr(titles, 2), '(..)', E'\\1\x01', 'g'), E'\x01');

-- When an event takes place: each span from its first begin to its last end. A day without times is
-- a whole day; an end that is not after its begin counts as the moment of the begin.
create function content_event_times(record jsonb) returns tstzmultirange
language plpgsql immutable strict parallel safe as $$
declare
  span jsonb;
  first timestamptz;
  last timestamptz;
  found tstzmultirange := '{}';
begin
  for span in
    select value from jsonb_array_elements(
      case when jsonb_typeof(record -> 'EventDate') = 'array' and record -> 'EventDate' <> '[]'
        then record -> 'EventDate'
        else jsonb_build_array(jsonb_build_object(
          'From', record -> 'DateBegin', 'To', record -> 'DateEnd')) end)
  loop
    begin
      first := (left(span ->> 'From', 10) || ' 00:00 UTC')::timestamptz
        + coalesce(span ->> 'Begin', '00:00')::interval;
      last := (left(coalesce(span ->> 'To', span ->> 'From'), 10) || ' 00:00 UTC')::timestamptz
        + coalesce(nullif(span ->> 'End', '00:00:00'), '24:00')::interval;
      if first is not null and last is not null then
        found := found + tstzmultirange(
          case when last > first then tstzrange(first, last) else tstzrange(first, first, '[]') end);
      end if;
    exception when others then
      null;
    end;
  end loop;
  return found;
end
$$;

-- Seconds from a moment to the next span that has not ended, 0 while one runs; infinity after the last.
create function content_upcoming(times tstzmultirange, moment timestamptz) returns double precision
language sql immutable strict parallel safe
return coalesce(
  (select min(greatest(extract(epoch from lower(span) - moment), 0))::double precision
   from unnest(times) as span where upper(span) > moment or upper_inf(span)),
  'infinity');

-- The area that a caller drew, in WGS 84; null when PostGIS cannot make one of it: the coordinates lie
-- outside of what their system can describe.
create function content_area(drawn text, system integer) returns geometry
language plpgsql immutable strict parallel safe as $$
begin
  return st_transform(st_geomfromtext(drawn, system), 4326);
exception when others then
  return null;
end
$$;

-- The outline that a GeoShape holds, in WGS 84; null when it holds none that PostGIS can read.
create function content_outline(shape jsonb) returns geometry
language plpgsql immutable strict parallel safe as $$
begin
  return st_transform(
    st_setsrid(
      st_geomfromgeojson(shape ->> 'Geometry'),
      coalesce(substring(shape ->> 'Srid' from '(\d{1,6})$')::integer, 4326)),
    4326);
exception when others then
  return null;
end
$$;

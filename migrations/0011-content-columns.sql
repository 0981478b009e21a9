-- The functions behind the generated columns, made cheap: they run for each record that is written.

-- The texts of a JSON array without its brackets, as an array. A JSON array of texts is written like an
-- array of PostgreSQL but for the brackets and the escapes of control characters, which no identifier
-- has; this is far faster than taking the elements one by one. What is longer than an entry of an index
-- may be is left out, and looked for only where the whole list is that long.
create function content_array(list text) returns text[]
language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(list) <= 2000 then
    return ('{' || list || '}')::text[];
  end if;
  return array(
    select item from unnest(('{' || list || '}')::text[]) as item where octet_length(item) <= 2000);
end
$$;

-- The texts of an array, or one text, as an array; what is no text, or empty, is left out. The length is
-- not asked for by a pattern as before: counting characters by a pattern took 0.1 ms for each text.
create or replace function content_strings(value jsonb) returns text[]
language sql immutable strict parallel safe
return content_array(btrim(
  jsonb_path_query_array(value, '$[*] ? (@.type() == "string" && @ != "")')::text, '[]'));

-- The same in lower case, for identifiers that are compared in any case.
create or replace function content_lower(value jsonb) returns text[]
language sql immutable strict parallel safe
return content_array(lower(btrim(
  jsonb_path_query_array(value, '$[*] ? (@.type() == "string" && @ != "")')::text, '[]')));

-- The titles of a record as text search reads them: for each title a line of its language in capital
-- letters (nothing for titles of no language), a tab, and the folded title; a second line where ae,
-- oe and ue fold to a, o and u. src/content/search/fold-text.ts folds what is looked for in the same
-- way; a test holds the two together. Paths are written with dots, * stands for the language.
-- Patterns are used only for the few titles that need them.
create or replace function content_titles(record jsonb, paths text[]) returns text
language plpgsql immutable strict parallel safe as $$
declare
  path text;
  keys text[];
  place integer;
  titles jsonb;
  language text;
  title text;
  short text;
  lines text := '';
begin
  foreach path in array paths loop
    keys := string_to_array(path, '.');
    place := coalesce(array_position(keys, '*'), 0);
    if place = 0 then
      titles := jsonb_build_object('', record #> keys);
      keys := '{}';
    else
      titles := record #> keys[:place - 1];
      keys := keys[place + 1:];
      continue when titles is null or jsonb_typeof(titles) <> 'object';
    end if;
    for language, title in select key, value #>> keys from jsonb_each(titles) loop
      continue when title is null;
      title := left(title, 5000);
      if octet_length(title) <> length(title) then
        title := regexp_replace(normalize(title, nfkd), '[\u0300-\u036f]', '', 'g');
        title := replace(replace(replace(replace(replace(replace(
          title, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe');
        title := translate(
          title,
          'øØłŁđĐıАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
          'oollddiабвгдежзиклмнопрстуфхцчшщъыьэюя');
      end if;
      title := lower(title collate "C");
      if title ~ '[\x01-\x1f]|  ' then
        title := regexp_replace(title, '[\x01-\x20]+', ' ', 'g');
      end if;
      title := btrim(title);
      short := replace(replace(replace(title, 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
      lines := lines || upper(language) || E'\t' || title || E'\n';
      if short <> title then
        lines := lines || upper(language) || E'\t' || short || E'\n';
      end if;
    end loop;
  end loop;
  return lines;
end
$$;

-- Every character and every pair of characters: what a search for one or two characters looks up, which
-- trigrams cannot serve. Not in SQL as before: such a function is planned anew for each statement.
create or replace function content_pairs(titles text) returns text[]
language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  return string_to_array(titles, null)
    || string_to_array(regexp_replace(titles, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(titles, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
end
$$;

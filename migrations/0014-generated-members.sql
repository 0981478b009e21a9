-- Members that the hub made from others do not count as content (decision D28): a record that comes
-- again unchanged is unchanged, whatever became of the tags that it names, or of how members are made.
-- Each record names those of its members that were made, in `_Meta.Generated`.

-- A value without the member at a path; a path goes through arrays.
create function content_without(value jsonb, path text[]) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  if jsonb_typeof(value) = 'array' then
    return coalesce(
      (
        select jsonb_agg(content_without(item, path) order by place)
        from jsonb_array_elements(value) with ordinality as items (item, place)
      ),
      '[]');
  end if;
  if jsonb_typeof(value) <> 'object' or not value ? path[1] then
    return value;
  end if;
  if cardinality(path) = 1 then
    return value - path[1];
  end if;
  return jsonb_set(value, path[:1], content_without(value -> path[1], path[2:]));
end
$$;

-- What a record says, without the members that the hub makes.
create or replace function content_body(record jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  made text[];
  path text;
begin
  record := record - '{LastChange,FirstImport,HasLanguage}'::text[];
  if jsonb_typeof(record #> '{_Meta,Generated}') = 'array' then
    made := array(select jsonb_array_elements_text(record #> '{_Meta,Generated}'));
    -- Most of them stand at the top of the record, and go at once.
    record := record - made;
    foreach path in array made loop
      if strpos(path, '.') > 0 then
        record := content_without(record, string_to_array(path, '.'));
      end if;
    end loop;
  end if;
  return record - '_Meta';
end
$$;

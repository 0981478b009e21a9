-- Content records live in one table per entity in this schema. The tables themselves follow from the
-- entity definitions (src/content/table.ts); here is what their definitions need.
create schema content;

-- The generated columns that exist, so that a changed definition is noticed and rebuilt.
create table content_column (
  entity text not null,
  name text not null,
  definition text not null,
  primary key (entity, name)
);

-- Facts about the deployment that may not change once data is stored, such as the name prefix.
create table deployment (
  name text primary key,
  value text not null
);

-- Deleted records, so that an older message that comes late does not bring one back (decision D53).
create table content_tombstone (
  entity text not null,
  id text not null,
  received timestamptz not null,
  primary key (entity, id)
);

-- A date or time as records carry it; UTC where it names no zone, null where it is none.
-- Immutable in fact: with the zone written out, nothing depends on the session.
create function content_time(written text) returns timestamptz
language plpgsql immutable strict parallel safe as $$
begin
  if written ~ '(Z|[+-]\d\d(:?\d\d)?)$' and written ~ 'T' then
    return written::timestamptz;
  end if;
  return (written || ' UTC')::timestamptz;
exception when others then
  return null;
end
$$;

-- A flag as records carry it: true, false, or unknown for everything that is no boolean.
create function content_flag(value jsonb) returns boolean
language sql immutable parallel safe as $$
  select case when jsonb_typeof(value) = 'boolean' then value::boolean end
$$;

-- What a record says, without the members that the hub generates on each save (decision D28).
create function content_body(record jsonb) returns jsonb
language sql immutable parallel safe as $$
  select record - '{_Meta,LastChange,FirstImport,HasLanguage}'::text[]
$$;

-- The record to store over an old one: times of change and first import are carried over while the
-- body is the same, and LastChange becomes the time of this save when it is not.
create function content_merge(old jsonb, new jsonb, saved text) returns jsonb
language sql immutable parallel safe as $$
  select case
    when content_body(old) = content_body(new) then
      jsonb_set(
        new || jsonb_build_object('LastChange', old -> 'LastChange'),
        '{_Meta,LastChange}', old #> '{_Meta,LastChange}')
    else
      jsonb_set(new || jsonb_build_object('LastChange', saved), '{_Meta,LastChange}', to_jsonb(saved))
  end
  || case
    when old ? 'FirstImport' and not new ? 'FirstImport'
    then jsonb_build_object('FirstImport', old -> 'FirstImport') else '{}'
  end
$$;

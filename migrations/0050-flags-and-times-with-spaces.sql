-- Records may contain flags with spaces around them, and times with a space instead of the T. The hub
-- did not understand " true ", so a record with this text as ClosedData was open to everybody, nor
-- "2026-01-01 10:00Z", which no filter found.
create or replace function content_flag(value jsonb) returns boolean
language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(value) = 'boolean' then value::boolean
    when lower(btrim(value #>> '{}', E' \t\n\r\f\x0B')) in ('true', '1') then true
    when lower(btrim(value #>> '{}', E' \t\n\r\f\x0B')) in ('false', '0') then false
  end
$$;

-- A date such as 2026-01-10 ends like a zone, but has no time of day.
create or replace function content_time(written text) returns timestamptz
language plpgsql immutable strict parallel safe as $$
begin
  if written ~ '(Z|[+-]\d\d(:?\d\d)?)$' and written ~ '[T ]\d\d:' then
    return written::timestamptz;
  end if;
  return (written || ' UTC')::timestamptz;
exception when others then
  return null;
end
$$;

-- Records whose columns change are written again. That notes for the change feed who can no longer see
-- them. A definition is the type, the expression and how the column is filled.
do $$
declare
  records regclass;
  wrong text;
begin
  for records, wrong in
    select to_regclass(format('content.%I', entity)),
      string_agg(
        format('%I is distinct from (%s)', name,
          substring(definition from '^(?:boolean|timestamptz) (.*) by trigger$')), ' or ')
    from content_column
    where definition ~ '^(boolean|timestamptz) .*content_(flag|time)\(.* by trigger$'
      and to_regclass(format('content.%I', entity)) is not null
    group by entity
  loop
    execute format('update %s set data = data where %s', records, wrong);
  end loop;
end
$$;

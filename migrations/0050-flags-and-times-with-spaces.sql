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

-- Their columns are computed again, and readers of the change feed are told who may no longer see them.
do $$
declare
  records regclass;
begin
  for records in
    select format('content.%I', relname)::regclass from pg_class
    where relnamespace = 'content'::regnamespace and relkind = 'r'
      and relname in (select entity from content_column)
  loop
    execute format('update %s set data = data where data::text ~* %L', records,
      '": "((\s|\\[tnrf]|\\u000b)+(true|false|[01])(\s|\\[tnrf]|\\u000b)*'
      || '|(true|false|[01])(\s|\\[tnrf]|\\u000b)+'
      || '|\d{4}-\d\d-\d\d \d\d:[0-9:.]+(Z|[+-]\d\d:?\d\d))"');
  end loop;
end
$$;

-- Numbers with more than 15 digits before or after the decimal point, such as 0.30000000000000004, were not
-- understood, so no filter found them. A number beyond double precision, which only another program can have
-- stored, is not one here.
create or replace function content_number(value jsonb) returns double precision
language sql immutable strict parallel safe
return case
  when jsonb_typeof(value) = 'number' then case
    when abs(value::numeric) between 1e-300 and 1e300 then value::double precision
    when abs(value::numeric) < 1e-300 then 0
  end
  when (value #>> '{}') ~ '^\s*-?\d{1,15}([.,]\d{1,30})?\s*$'
    then replace(value #>> '{}', ',', '.')::double precision
end;

-- When an event takes place: each span from its first begin to its last end. A day without times is a whole
-- day. An end on the day of the begin and before it is on the next day: 20:00 to 02:00. Any other end that is
-- not after its begin counts as the moment of the begin.
create or replace function content_event_times(record jsonb) returns tstzmultirange
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
      if last < first and left(coalesce(span ->> 'To', span ->> 'From'), 10) = left(span ->> 'From', 10) then
        last := last + interval '24 hours';
      end if;
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

-- Records whose columns change are written again, as in migration 50.
do $$
declare
  records regclass;
  wrong text;
begin
  for records, wrong in
    select to_regclass(format('content.%I', entity)),
      string_agg(
        format('%I is distinct from (%s)', name, substring(definition from '^.* (content_\w+\(.*) by trigger$')), ' or ')
    from content_column
    where definition ~ '^.* content_(number|position|event_times)\(.* by trigger$'
      and to_regclass(format('content.%I', entity)) is not null
    group by entity
  loop
    execute format('update %s set data = data where %s', records, wrong);
  end loop;
end
$$;

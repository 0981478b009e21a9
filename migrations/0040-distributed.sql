-- Citus spreads `latest` over nodes and runs triggers where the rows are, where no change can be noted: who deletes
-- latest values notes it (`deleteTimeseries`).
drop trigger note_rights_delete on latest;
drop function note_rights_of_latest();

-- As before, but the series with values are chosen first: rows of stations and series are only known where stations are.
create or replace function note_rights_of_station() returns trigger
language plpgsql as $$
begin
  insert into change (area, dataset, id, kind, before, after)
  values ('timeseries', 'stations/' || old.type, old.code,
    case tg_op when 'DELETE' then 'delete' else 'upsert' end,
    -- Made a moment ago, to be filled by the same message.
    case when old.received = '-infinity' then 'false' else rights_of(old) end,
    case tg_op when 'DELETE' then 'false' else rights_of(new) end);
  if tg_op = 'UPDATE' then
    insert into change (area, dataset, id, kind, before, after)
    select 'timeseries', 'timeseries/' || old.type, series.id::text, 'upsert',
      rights_of_latest(old, data_type.name, series), rights_of_latest(new, data_type.name, series)
    from series
    join data_type on data_type.id = series.data_type_id
    where series.id = any(array(
      select latest.series_id from latest
      where latest.series_id = any(array(select id from series where station_id = old.id))))
    -- Any other order might depend on series that are visible to nobody.
    order by series.id;
  end if;
  return null;
end
$$;

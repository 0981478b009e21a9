-- What a push permission covers (decision D67), and which stream each item belongs to.

alter table push_grant
  -- Null: any.
  add column kinds text[],
  add column entities text[],
  add column station_types text[],
  -- Null: those of the stream's own provider, and those that nobody else uses.
  add column origins text[],
  add column sources text[],
  add column may_delete boolean not null default false,
  add column may_complete boolean not null default false,
  add column may_publish_closed boolean not null default false;

-- The stream that wrote an item first. It stays when the item is deleted, so that nobody else can take
-- its identifier. Origins and sources have an owner, too: whoever used them first.
create table push_owner (
  -- content/<type>, station/<type>, dataType, event, room, origin or source
  space text collate "C" not null,
  id text collate "C" not null,
  stream text not null,
  -- Whether the item was closed when it was deleted: sent again it must be closed, too.
  closed boolean not null default false,
  primary key (space, id)
);

-- The scope of a client on a stream: that of the most specific of its permissions.
create function push_scope(sender text, pushed text) returns jsonb
language sql stable parallel safe as $$
  select to_jsonb(push_grant) - '{client,path_pattern}'::text[]
  from push_grant
  where client = sender
    and path_pattern in ('/' || pushed, '/' || split_part(pushed, '/', 1) || '/*', '/*')
  order by path_pattern like '%/*', length(path_pattern) desc
  limit 1
$$;

-- What streams wrote so far is theirs. Records name their message.
insert into push_owner (space, id, stream)
select 'content/' || content_origin.entity, content_origin.id, message.stream
from content_origin join message on message.id = content_origin.message
on conflict do nothing;

-- Other items are found in the canonical messages that are still kept.
create function push_owned(body bytea) returns table (space text, id text)
language plpgsql immutable as $$
declare
  lines text[];
  line text;
  head jsonb;
  known constant text := '"kind"\s*:\s*"(stations|edges|events|dataTypes|availability)"';
begin
  begin
    lines := array[message_text(body)];
    if lines[1] !~ known then
      return;
    end if;
    perform lines[1]::jsonb;
  exception when others then
    -- No single JSON value: one on each line.
    lines := string_to_array(lines[1], E'\n');
  end;
  foreach line in array coalesce(lines, '{}') loop
    begin
      continue when line !~ known;
      head := line::jsonb;
      return query
        select case head ->> 'kind'
            when 'stations' then 'station/' || (head ->> 'stationType')
            when 'edges' then 'station/' || (head ->> 'edgeType')
            when 'events' then 'event'
            when 'dataTypes' then 'dataType'
            else 'room'
          end,
          case head ->> 'kind'
            when 'events' then item ->> 'uuid'
            when 'dataTypes' then item ->> 'name'
            when 'availability' then upper(item ->> 'accommodation') || '/' || (item ->> 'room')
            else item ->> 'code'
          end
        from jsonb_array_elements(head -> 'items') as item;
      return query
        select 'origin', head ->> 'origin'
        where head ->> 'kind' in ('stations', 'edges', 'events');
    exception when others then
      -- A line that cannot be read has brought nothing.
      null;
    end;
  end loop;
end
$$;

insert into push_owner (space, id, stream)
select distinct on (owned.space, owned.id) owned.space, owned.id, message.stream
from message cross join lateral push_owned(message.body) as owned
where message.state = 'visible' and message.mapping is null
  and owned.space is not null and owned.id is not null
order by owned.space, owned.id, message.received
on conflict do nothing;

drop function push_owned;

-- What mappings made is known by its provenance, which names the mapping.
create temporary table mapped_stream on commit drop as
select distinct on (mapping ->> 'name') mapping ->> 'name' as name, stream
from message where mapping is not null order by mapping ->> 'name', received;

insert into push_owner (space, id, stream)
select distinct 'station/' || station.type, station.code, mapped_stream.stream
from latest
join provenance on provenance.id = latest.provenance_id
join mapped_stream on mapped_stream.name = provenance.name
join series on series.id = latest.series_id
join station on station.id = series.station_id
on conflict do nothing;

insert into push_owner (space, id, stream)
select 'event', mobility_event.uuid, mapped_stream.stream
from mobility_event
join provenance on provenance.id = mobility_event.provenance_id
join mapped_stream on mapped_stream.name = provenance.name
on conflict do nothing;

insert into push_owner (space, id, stream)
select distinct on (station.origin) 'origin', station.origin, push_owner.stream
from push_owner
join station on push_owner.space = 'station/' || station.type and push_owner.id = station.code
where station.origin is not null
order by station.origin, push_owner.stream
on conflict do nothing;

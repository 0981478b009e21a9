-- Where each record was made from: the message that brought its last state, and its place in it, so that
-- the source item can be shown (application/rawdata). Not a foreign key: messages are deleted one day,
-- and the records stay.
create table content_origin (
  entity text not null,
  id text collate "C" not null,
  message uuid not null,
  -- counted from 1, when the message is NDJSON
  line integer,
  -- position among the items of the object, counted from 0
  item integer not null,
  primary key (entity, id)
);

-- The text of a message as it was read: UTF-8, without a byte order mark.
create function message_text(body bytea) returns text
language sql immutable strict parallel safe as $$
  select ltrim(convert_from(body, 'UTF8'), U&'\FEFF')
$$;

alter table message
  -- {"name", "version", "sha256"} of the mapping that took it; null: it is in a canonical format, or was
  -- not taken yet.
  add column mapping jsonb;

-- What waits for a mapping, in the order in which it came.
create index message_parked on message (stream, received, id)
  where state = 'accepted' and reason = 'no pipeline';

alter table content_origin
  -- The mapping that made the record, and its version; null: the message is in a canonical format.
  add column mapping text,
  add column mapping_version text;

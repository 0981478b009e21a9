-- Mappings that were saved over HTTP, beside those in files. Each save adds a version, the newest is in use; one without
-- a text ends the mapping.
create table stored_mapping (
  stream text collate "C" not null,
  number integer not null,
  text text,
  -- Of the files beside it (tables, schemas), by their names.
  files jsonb not null,
  -- [{"name", "payload", "encoding", "contentType", "received", "result"}]; result is what the mapping made of it.
  samples jsonb not null,
  saved timestamptz not null default clock_timestamp(),
  saved_by text not null,
  primary key (stream, number)
);

create function stored_mapping_audited() returns trigger
language plpgsql as $$
begin
  perform note_access_change(
    case when new.text is null then 'Delete' when new.number = 1 then 'Create' else 'Update' end,
    'Mapping', new.stream,
    jsonb_build_object('number', jsonb_build_array(nullif(new.number - 1, 0), new.number)));
  return null;
end
$$;

create trigger stored_mapping_audited after insert on stored_mapping for each row
when (current_setting('hub.actor', true) <> '')
execute function stored_mapping_audited();

-- Former states of content records. The present state stands in the table of its entity and has the
-- revision after the greatest one here.
create table content_version (
  entity text not null,
  id text collate "C" not null,
  revision integer not null,
  data jsonb not null,
  primary key (entity, id, revision)
);

-- Keeps what a statement replaced or deleted, whoever wrote it; a save that changed nothing of the
-- content leaves no version. A source that changes its records every minute must not fill the disk,
-- so the last hundred states are kept.
create function content_keep_versions() returns trigger
language plpgsql as $$
declare
  kind text := tg_argv[0];
begin
  if tg_op = 'UPDATE' then
    insert into content_version (entity, id, revision, data)
    select kind, replaced.id, content_revision(kind, replaced.id), replaced.data
    from replaced join written on written.id = replaced.id
    where content_body(replaced.data) <> content_body(written.data);
    delete from content_version using written
    where content_version.entity = kind and content_version.id = written.id
      and content_version.revision <= content_revision(kind, written.id) - 101;
  else
    insert into content_version (entity, id, revision, data)
    select kind, id, content_revision(kind, id), data from replaced;
  end if;
  return null;
end
$$;

-- The revision of the present state of a record.
create function content_revision(kind text, record text) returns integer
language sql stable as $$
  select coalesce(max(revision), 0) + 1 from content_version where entity = kind and id = record
$$;

-- Who wrote what over HTTP. What providers push is traced by its message.
create table audit (
  sequence bigint generated always as identity primary key,
  time timestamptz not null,
  subject text not null,
  name text not null,
  client text not null,
  operation text not null check (operation in ('Create', 'Update', 'Delete')),
  dataset text not null,
  id text not null,
  request uuid not null
);

create index audit_record on audit (dataset, id, sequence);

create function audit_only_grows() returns trigger
language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_only_grows before update or delete or truncate on audit
for each statement execute function audit_only_grows();

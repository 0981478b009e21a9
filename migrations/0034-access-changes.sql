-- The audit log names who changes access by a request: subject and client of the token, and the request. By a
-- command it is the user logged in on the machine, as before.

-- Settings of the transaction that are empty or absent have their defaults.
create function note_access_change(operation text, dataset text, id text, detail jsonb) returns void
language sql as $$
  insert into audit (time, subject, name, client, operation, dataset, id, request, detail)
  values (clock_timestamp(),
    coalesce(nullif(current_setting('hub.subject', true), ''), current_user),
    current_setting('hub.actor'),
    coalesce(nullif(current_setting('hub.client', true), ''), 'hub'),
    operation, dataset, id,
    coalesce(nullif(current_setting('hub.request', true), ''), md5(pg_current_xact_id()::text))::uuid,
    detail)
$$;

create or replace function access_audited() returns trigger
language plpgsql as $$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  identifying text[] := string_to_array(tg_argv[1], ',');
  names text;
  changes jsonb;
begin
  select string_agg((after || before) ->> member, ' ' order by place) into names
  from unnest(identifying) with ordinality as listed (member, place);
  select jsonb_object_agg(member,
    case when member in ('password_hash', 'secret_hash') then '["hidden", "hidden"]'
      else jsonb_build_array(before -> member, after -> member) end)
  into changes
  from jsonb_object_keys(before || after) as member
  where before -> member is distinct from after -> member
    and not member = any(identifying || array['id', 'created']);
  if tg_op = 'UPDATE' and changes is null then return null; end if;
  perform note_access_change(
    case tg_op when 'INSERT' then 'Create' when 'UPDATE' then 'Update' else 'Delete' end,
    tg_argv[0], names, changes);
  return null;
end
$$;

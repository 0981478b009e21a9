-- What operators change about access by command stands in the audit log, beside what editors write.

-- {"member": [before, after]} of what changed, without secrets; null for records.
alter table audit add column detail jsonb;

create function access_audited() returns trigger
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
  insert into audit (time, subject, name, client, operation, dataset, id, request, detail)
  values (clock_timestamp(), current_user, current_setting('hub.actor'), 'hub',
    case tg_op when 'INSERT' then 'Create' when 'UPDATE' then 'Update' else 'Delete' end,
    tg_argv[0], names, md5(pg_current_xact_id()::text)::uuid, changes);
  return null;
end
$$;

create trigger access_rule_audited after insert or update or delete on access_rule for each row
when (current_setting('hub.actor', true) <> '')
execute function access_audited('AccessRule', 'role,area,origin,type,data_type,period');

create trigger push_grant_audited after insert or update or delete on push_grant for each row
when (current_setting('hub.actor', true) <> '')
execute function access_audited('PushPermission', 'client,path_pattern');

create trigger identity_client_audited after insert or update or delete on identity_client for each row
when (current_setting('hub.actor', true) <> '')
execute function access_audited('Client', 'client_id');

create trigger identity_user_audited after insert or update or delete on identity_user for each row
when (current_setting('hub.actor', true) <> '')
execute function access_audited('User', 'username');

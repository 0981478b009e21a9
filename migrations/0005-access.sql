-- Who may see closed data, who may push where, and the accounts of the embedded token service.

-- A rule opens closed data to the bearers of a role (decision D60). A member that is null means any.
create table access_rule (
  id bigint generated always as identity primary key,
  -- GUEST for everybody, otherwise the name in the token without its prefix BDP_.
  role text not null check (role <> ''),
  area text check (area in ('content', 'timeseries', 'event')),
  origin text check (origin <> ''),
  type text check (type <> ''),
  data_type text check (data_type <> ''),
  period integer,
  unique nulls not distinct (role, area, origin, type, data_type, period)
);

-- Which clients may push to which paths: /provider/dataset, /provider/* or /*.
create table push_grant (
  client text not null,
  path_pattern text not null check (path_pattern ~ '^(/[^/*]+)*/(\*|[^/*]+)$'),
  primary key (client, path_pattern)
);

-- Counts the changes of the two tables above, so that a node sees cheaply whether to read them again.
create table access_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0
);
insert into access_version default values;

create function access_changed() returns trigger
language plpgsql as $$
begin
  update access_version set version = version + 1;
  return null;
end
$$;

create trigger access_rule_changed
  after insert or update or delete or truncate on access_rule
  for each statement execute function access_changed();

create trigger push_grant_changed
  after insert or update or delete or truncate on push_grant
  for each statement execute function access_changed();

-- Clients of the embedded token service. Roles: `roles` of the realm, `client_roles` by client id.
create table identity_client (
  client_id text primary key check (client_id <> ''),
  -- A PHC string (argon2id); null for a public client, which has no secret.
  secret_hash text,
  enabled boolean not null default true,
  grant_types text[] not null default '{client_credentials}',
  redirect_uris text[] not null default '{}',
  -- Roles of the client itself, for tokens without a user.
  roles text[] not null default '{}',
  client_roles jsonb not null default '{}',
  -- Roles that its users' tokens may carry; null is "full scope allowed" (interface 5.7).
  scope_roles text[],
  -- The client's own limit of a refresh token (interface 5.5); null is none.
  refresh_seconds integer check (refresh_seconds > 0),
  created timestamptz not null default now()
);

create table identity_user (
  id uuid primary key default gen_random_uuid(),
  username text not null check (username <> ''),
  password_hash text not null,
  enabled boolean not null default true,
  email text,
  given_name text,
  family_name text,
  roles text[] not null default '{}',
  client_roles jsonb not null default '{}',
  created timestamptz not null default now()
);
create unique index identity_user_username on identity_user (lower(username));

-- Keys that sign tokens. One is in use; retired ones still verify the tokens they signed.
create table identity_key (
  kid text primary key,
  private_jwk jsonb not null,
  created timestamptz not null default now(),
  retired timestamptz
);
create unique index identity_key_in_use on identity_key ((true)) where retired is null;

-- What the token service must remember between requests: grants, refresh tokens, sessions, codes.
create table identity_state (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed timestamptz,
  expires timestamptz not null,
  primary key (model, id)
);
create index identity_state_grant on identity_state (grant_id) where grant_id is not null;
create index identity_state_uid on identity_state (model, uid) where uid is not null;
create index identity_state_expires on identity_state (expires);

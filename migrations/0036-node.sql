-- The processes of the hub that use this database, each by a row that it renews (GET /operation).
create table node (
  id uuid primary key,
  version text not null,
  started timestamptz not null,
  last_seen timestamptz not null
);

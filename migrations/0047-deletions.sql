-- What a message deleted stays deleted when an older one is stored after it (decision D53). A row is kept while messages
-- are that are older than it.
create table deletion (
  station_type text not null,
  code text not null,
  what text not null check (what in ('measurements', 'series', 'stations')),
  data_type text,
  period integer,
  since timestamptz,
  until timestamptz,
  received timestamptz not null,
  -- In which it was stored: a message may delete the same twice, and a replay of it nothing.
  transaction xid8 not null default pg_current_xact_id()
);
create index deletion_code on deletion (station_type, code, received);

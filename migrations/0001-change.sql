-- PostGIS may be created by a superuser only; the other two by the owner of the database. Extensions
-- that an administrator has created before are left as they are.
create extension if not exists postgis;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- One row for each record that a transaction wrote, appended in the same transaction. Rows are only
-- ever added: versions compare only while that is so. xid is the transaction that wrote the row.
create table change (
  sequence bigint generated always as identity primary key,
  area text not null,
  dataset text not null,
  id text not null,
  kind text not null check (kind in ('upsert', 'delete')),
  time timestamptz not null default now(),
  xid xid8 not null default pg_current_xact_id()
);

create index change_dataset_xid on change (dataset, xid);

-- The version of a dataset as the snapshot of the calling statement sees it: '<Xs>.<n>'.
--
-- The highest sequence would not do: sequences are given out when rows are written and become visible
-- when transactions commit, in another order. A row that commits late would not raise the highest
-- sequence, and two different states would share a version. So:
--
--   Every transaction below the snapshot's xmin has ended; its rows are visible or never will be.
--   Xs, the greatest visible xid below xmin, or 0, therefore names that set of rows exactly: for any
--   two snapshots with the same Xs it is the same set.
--   The other visible rows have an xid at or above xmin. Between two snapshots with the same Xs, rows
--   are only added to them (a row that falls below a later xmin becomes that snapshot's Xs). So n,
--   their number, names their set.
--
-- Two different states of a dataset never share a version, among snapshots of one server. Inside a
-- transaction that has itself written, the version counts rows that may yet be rolled back: it must
-- not leave that transaction. A database restored from a dump keeps the xids of the old server: after
-- a restore run `update change set xid = default`, or counting them becomes slow.
--
-- Costs one probe of the index, and a range in it as long as what was written since the oldest running
-- transaction began.
create function dataset_version(wanted text) returns text
language sql stable as $$
  select concat(
    coalesce((
      select change.xid::text from change
      where dataset = wanted and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by change.xid desc limit 1
    ), '0'),
    '.',
    (
      select count(*) from change
      where dataset = wanted and xid >= pg_snapshot_xmin(pg_current_snapshot())
    )
  )
$$;

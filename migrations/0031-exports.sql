-- Which process makes the exports (docs/exports.md): one at a time, on any node. It renews the lease while it
-- works; after a crash the next one waits for its end.
create table export_lease (
  only_row boolean primary key default true check (only_row),
  holder text not null,
  until timestamptz not null
);

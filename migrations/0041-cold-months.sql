-- Months of measurements whose values lie in a Parquet file. Their tables stay attached, and hold the values of those
-- series that are read.
create table cold_month (
  month text primary key,
  -- Its name in the folder or bucket of cold months, how large it is, and its SHA-256 in hexadecimal digits.
  file text not null,
  bytes bigint not null,
  sha256 text not null,
  -- CRC-32 of each block of 256 KiB, so that what is read of it is known to be as it was written.
  checks bigint[] not null,
  rows bigint not null,
  -- Who might write values of this month began before.
  registered timestamptz not null default now()
);

-- What the file of a month has of each series. Without a row here, the values of a series lie in the table alone.
create table cold_series (
  month text not null,
  series_id integer not null,
  -- In the file, which is sorted by series and time.
  first_row bigint not null,
  rows integer not null,
  -- Of all values (`digest` in src/timeseries/cold/cold-rows.ts): whatever comes from the file or leaves the table is
  -- compared with it.
  digest numeric not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  -- When the values in the table were last needed; null where they lie in the file alone.
  used timestamptz,
  primary key (series_id, month)
);
create index cold_series_month on cold_series (month);

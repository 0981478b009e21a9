-- Aggregates are made day by day, so those of a span of time stand together, and some kilobytes tell where. An index of
-- every row would also be taken for a single series, and then the hours of all would be read.
create index rollup_hour_start on rollup_hour using brin (start) with (pages_per_range = 16);
create index rollup_day_start on rollup_day using brin (start) with (pages_per_range = 16);

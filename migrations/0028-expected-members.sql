-- Which members of canonical objects the messages of a stream with a mapping have values in, and since when they
-- have none: a column that its provider renamed is seen by that.
create table expected_member (
  stream text collate "C" not null,
  -- The kind of the object, what it is of, and the member.
  member text collate "C" not null,
  -- Messages in a row that had it.
  present integer not null,
  -- Messages since then that did not have it.
  missing integer not null,
  primary key (stream, member)
);
